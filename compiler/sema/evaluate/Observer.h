// What an editor wants to know of a program, told while it is checked: which names are read where,
// and what they stand for. The checker works the same without one, and pays a null test.
//
// Everything is told once for each time it is evaluated, so a body that is followed for several
// calls is told several times, with the values of each. Values do not outlive the check.
#pragma once

#include "compiler/sema/value/Scope.h"
#include "compiler/syntax/Ast.h"

#include <vector>

namespace dlm::sema {

struct CallArgument;
struct Signature;

class Observer {
public:
  virtual ~Observer() = default;

  /// Checking begins, perhaps anew: what was told before no longer counts.
  virtual void begin() = 0;
  /// A name is read. `binding` is null for names that are not declared, such as `step`.
  virtual void name(const ast::Expr &expr, const ScopePtr &scope, const Binding *binding,
                    const Value &value) = 0;
  /// A member is read.
  virtual void member(const ast::Expr &expr, const Value &base, const Value &value) = 0;
  /// Arguments are about to be matched to parameters.
  virtual void call(const Signature &signature, const std::vector<CallArgument> &arguments) = 0;
  /// A scope is complete: of a file, a train block, a model, a body, or the parameters of one.
  virtual void scope(const Scope &scope) = 0;
};

} // namespace dlm::sema
