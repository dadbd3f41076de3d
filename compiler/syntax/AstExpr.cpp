// Only the end of an expression needs code. A chain of left-associative operators is as deep as it
// is long, so its nodes are collected and freed one by one: a destructor that called itself for
// each level would run out of stack.

#include "compiler/syntax/AstExpr.h"

namespace dlm::ast {

Expr::~Expr() {
  std::vector<ExprPtr> pending = std::move(operands);
  while (!pending.empty()) {
    ExprPtr expr = std::move(pending.back());
    pending.pop_back();
    if (!expr) continue;
    for (ExprPtr &operand : expr->operands)
      pending.push_back(std::move(operand));
    expr->operands.clear();
  }
}

} // namespace dlm::ast
