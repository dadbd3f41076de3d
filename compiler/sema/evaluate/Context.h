// Where an evaluation stands, and calls as the evaluator sees them before their arguments are
// matched.
#pragma once

#include "compiler/sema/value/Value.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace dlm::sema {

/// An argument as written, evaluated when it is known what it is for.
struct CallArgument {
  std::string name; // empty: positional
  Span nameSpan;
  Operand operand;
  bool isEvaluated = false; // given by `|>`
};

/// Parameters as a caller sees them.
struct Signature {
  std::string callee; // for messages
  std::vector<std::string> names;
  std::vector<bool> isOptional;
  Span declared;
  const std::vector<ast::Param> *params = nullptr; // null of a function of the compiler
};

/// Elements of a list, and bytes of a string that is put together: beyond this a program is wrong
/// rather than large.
constexpr size_t listMax = 1'000'000;
/// Dimensions of a tensor.
constexpr size_t rankMax = 32;
/// Elements of a tensor, or for each sample: beyond this, 64 bits might not hold what is computed
/// from it.
constexpr double elementsMax = double(int64_t(1) << 40);

/// What the sides of a comparison are, each with the place to show.
using KnownSides = std::vector<std::pair<Span, std::string>>;

/// Where an evaluation stands.
struct Context {
  std::optional<bool> training;                 // in a hook: whether it is differentiated
  int functionDepth = 0;                        // of `fn` bodies
  bool isInRun = false;                         // within a train block, where instances may be made
  std::string path;                             // of the instance or `let` being made: "net.hidden"
  std::map<std::string, Value> *next = nullptr; // where `next` puts values, if it may be used
  /// Conditions on arguments of the command being checked: they are tested when it is called.
  const std::set<const ast::Stmt *> *runTimeTests = nullptr;
  /// Where conditions on the number of tokens of its texts go; `argument` is the symbol.
  std::vector<CommandTest> *tokenTests = nullptr;
  TypedTest *test = nullptr;        // the test this is in
  const DataSource *data = nullptr; // of the run whose hook is followed
  int marker = -1;                  // of the model whose functions are followed
  int loopDepth = 0;                // of loops that are not unrolled
  uint32_t call = 0;                // of the function being followed
  size_t unrolled = 0;              // steps of the longest loop around that is unrolled
  bool unrollsRange = false;        // that loop goes over numbers that a tensor could hold
  bool isFit = false;               // of the function of `data.fit`, over all training samples
  bool isRule = false;              // of the `update` of an optimizer

  bool isInCommand() const { return runTimeTests != nullptr; }
};

/// How a loop of so many steps is written so that it is checked once.
std::string adviceForUnrolled(size_t steps, bool isRange);

class Reporter;
/// A `require` of a command that nothing can test when it is called.
void reportOpenTest(Reporter &report, Span condition);

class Evaluator;

/// Restores the evaluator's context and layer at the end of a block.
class ContextScope {
public:
  explicit ContextScope(Evaluator &evaluator);
  ContextScope(const ContextScope &) = delete;
  ContextScope &operator=(const ContextScope &) = delete;
  ~ContextScope();

private:
  Evaluator &evaluator;
  Context saved;
  uint32_t savedLayer;
};

} // namespace dlm::sema
