// Functions that are part of the compiler, in tables by family. A table row gives the name, the
// parameters and the function that checks a call and writes its nodes; a new function is a new
// row.
#pragma once

#include "compiler/sema/value/Value.h"

#include <string>
#include <vector>

namespace dlm::sema {

class Evaluator;

/// The parameters of a signature, taken apart once, when its table is made.
struct SignatureNames {
  SignatureNames(const char *text); // as a row of a table writes it

  const char *text;
  std::vector<std::string> names;
  std::vector<bool> isOptional;
  std::vector<std::vector<std::string>> choices; // empty: any value
  bool takesPositional = false;                  // has `xs*`
  bool takesNamed = false;                       // has `sizes**`
};

/// An argument `name = value` of a function that takes any names.
struct NamedOperand {
  std::string name;
  Span nameSpan;
  Operand operand;
};

/// A call whose arguments are matched to the parameters.
struct BuiltinCall {
  const Builtin &builtin;
  Span span;
  ScopePtr scope;                  // where the call stands; `over` is looked up by the function
  std::vector<Operand> arguments;  // by parameter; no expression and no value: left out
  const Value *receiver = nullptr; // of a method: what it belongs to
  std::vector<Operand> positional; // of `xs*`
  std::vector<NamedOperand> named; // of `sizes**`

  const Operand &operator[](size_t index) const { return arguments[index]; }
  bool has(size_t index) const;
  /// The argument for a parameter; null if it is left out, or if there is no such parameter.
  const Operand *find(const std::string &parameter) const;
};

struct Builtin {
  const char *name;
  /// Parameter names with `?` behind those that may be left out: "x, over?, keep?". A parameter
  /// named `over` is not evaluated: it may name an axis. Words behind `=` are what may be chosen
  /// ("order? = shuffled | streams"): one is written bare and arrives as a string.
  /// `xs*` takes all positional arguments, `sizes**` all named ones that are no parameters.
  SignatureNames signature;
  Value (*run)(Evaluator &, const BuiltinCall &);
  const char *detail = ""; // tells the functions of a family apart
};

using BuiltinTable = std::vector<Builtin>;

/// The families. Names of the first group are seen everywhere, the others by their module.
const BuiltinTable &pointwiseBuiltins();
const BuiltinTable &reductionBuiltins();
const BuiltinTable &shapeBuiltins();
const BuiltinTable &joinBuiltins();
const BuiltinTable &windowBuiltins();
const BuiltinTable &orderBuiltins();
const BuiltinTable &listBuiltins();
const BuiltinTable &einsumBuiltins();
const BuiltinTable &rearrangeBuiltins();
const BuiltinTable &creationBuiltins();
const BuiltinTable &loopBuiltins();
const BuiltinTable &gradientBuiltins();
const BuiltinTable &markerBuiltins();
const BuiltinTable &generateBuiltins();
const BuiltinTable &initialiserBuiltins(); // also module `init`
const BuiltinTable &dataBuiltins();        // module `data`
const BuiltinTable &randomBuiltins();      // module `random`

} // namespace dlm::sema
