// What is gathered while a program is checked, besides graphs: its options, which of them have
// to be known at compile time, its parameters and layers.
#pragma once

#include "compiler/sema/Check.h"
#include "compiler/sema/TypedProgram.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace dlm::ast {
struct Stmt;
}

namespace dlm::sema {

class Value;
struct Scope;

/// A size that is known at run time only, and what is known of it when the program is compiled.
struct Symbol {
  int64_t lower = 1;
  int64_t upper = INT64_MAX; // INT64_MAX: not bounded
  Span declared;
  bool isSide = false;    // of an image: open in a sample, never in a batch
  std::string what;       // for messages: "the height of an image of `photos`"
  bool isUnnamed = false; // no program gave it its name, so messages say what it is
};

/// What is remembered only to explain a fault that may follow.
struct Hints {
  bool isModelNeeded = false; // while a name is looked up: only models can be meant
  std::string argument;       // while an argument is checked: what to do if it is of a wrong type
  bool areSamplesClasses = false;               // reported: each sample would be a class of its own
  std::map<std::string, std::string> quotients; // by value, of those that are not whole
  std::set<std::pair<FileId, std::string>> unknown; // modules and members that were reported
  std::map<const Value *, Span> nextPlaces;      // of values of states: the `next` that gave them
  std::set<std::pair<FileId, uint32_t>> dropped; // reductions that shapes were reported because of
  bool isNumberless = false;                     // a table has no columns of numbers
  bool isNumberlessTold = false;   // and that was reported where their count is a size
  std::set<std::string> misplaced; // names that wrong settings, which are reported, would declare
};

/// What a run goes through: with it epochs and samples are steps.
struct RunLength {
  int64_t samplesOfEpoch = 0;
  int64_t samplesOfStep = 0;
  std::string batchOption; // that says how many samples a step has; may be empty
};

struct Program {
  explicit Program(const CheckOptions &options) : checkOptions(options) {}

  /// The index of a layer path in `layers`.
  uint32_t layerIndex(const std::string &path);
  /// The path, with a number behind it if an instance has it already.
  std::string uniquePath(const std::string &path);
  /// A size that stays open until the program runs is from here on known to lie between the bounds.
  void declareSymbol(const std::string &name, int64_t lower, int64_t upper, Span place,
                     const std::string &what = "");
  /// A size divides the batch: it has to be a multiple of `divisor`, because of what stands at
  /// `place`.
  void requireBatchMultiple(int64_t divisor, Span place);

  const CheckOptions &checkOptions;
  std::vector<Option> options;
  std::map<std::string, Span> optionPlaces; // where each was declared first
  std::set<std::string> refusedOptions;     // whose value was reported to be too small
  /// Each `require` outside of functions and models, with the names that it sees.
  std::vector<std::pair<const ast::Stmt *, std::shared_ptr<Scope>>> conditions;
  /// Starts anew with models: each test has its own.
  void forgetInstances();

  std::vector<Parameter> parameters;
  std::vector<Buffer> buffers;
  std::set<std::string> nextPaths; // of buffers that a `next` changes while training
  std::vector<Marker> markers;
  std::map<std::string, Span> parameterPlaces; // in the program, by path
  std::vector<std::string> layers = {""};
  std::map<std::string, Symbol> symbols; // beside the batch, by name
  /// The symbol of how many tokens a text has, by the symbol of how many bytes it has and the
  /// source that encodes it.
  std::map<std::pair<std::string, std::string>, std::string> tokenCounts;
  int64_t batchMultiple = 1;
  Span batchMultiplePlace;         // of the size that made it what it is
  std::optional<RunLength> length; // of the run being checked, once it is known
  bool isLengthLost = false;       // it is not, for an error in its data or its batch
  std::set<std::string> notYet{};  // constructs that were said to come later
  /// Options that must be numbers while checking, found so far; checking starts again when it
  /// finds another.
  std::set<std::string> compileTime;
  bool foundCompileTime = false;
  Hints hints;

private:
  std::set<std::string> paths;
  std::map<std::string, int> pathCounts; // the last number given to each
  std::map<std::string, uint32_t> layerIndexes = {{"", 0}};
};

} // namespace dlm::sema
