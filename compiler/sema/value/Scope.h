// Names in scope. Declarations of a file may stand in any order, so their values are made when
// they are first asked for; a value that asks for itself on the way is a cycle.
#pragma once

#include "compiler/sema/value/Value.h"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace dlm::sema {

/// What a name was declared as; messages use the word, and only library names may be hidden.
enum class Declared { Library, Module, Option, Let, Function, Model, Optimizer, Parameter, Stored };

struct Binding {
  enum State { Ready, Waiting, Running };

  Value value;
  Span span;    // of the name where it is declared
  Span origin;  // of the name of a dimension: the argument that gave it its size
  Span given;   // of a parameter: its argument
  Span written; // the value in the declaration, if all of it is the name's
  const ast::Param *parameter = nullptr;
  Declared declared = Declared::Let;
  State state = Ready;
  std::function<Value()> make; // of a Waiting one
  bool isUsed = false;
};

struct Scope {
  explicit Scope(ScopePtr enclosing = nullptr)
      : parent(std::move(enclosing)), depth(parent ? parent->depth + 1 : 0) {}

  /// The binding of a name here or in an enclosing scope, or null.
  Binding *find(const std::string &name);
  /// All names that can be seen from here.
  std::vector<std::string> names() const;

  ScopePtr parent;
  int64_t depth; // how many enclose this one
  std::map<std::string, Binding> bindings;
  /// The parameters that are not bound yet, while others are: those from `pendingFrom` on.
  const std::vector<ast::Param> *pending = nullptr;
  size_t pendingFrom = 0;
};

/// "an option", "a model", ...
const char *declaredWord(Declared declared);

} // namespace dlm::sema
