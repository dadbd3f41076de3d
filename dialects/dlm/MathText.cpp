// Inlines the elementary functions where they are used. The text is parsed once for a call;
// functions may call each other, and calls are inlined too.
#include "dialects/dlm/MathText.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;

namespace dlm {

StringRef getMathText() {
  static constexpr char Text[] =
#include "dialects/dlm/MathText.inc"
      ;
  return StringRef(Text, sizeof(Text) - 1);
}

namespace {

/// The text's function for an op: `dlm_` + the op's name without dialect + `_f32`.
std::string getFunctionName(Operation *op) {
  return ("dlm_" + op->getName().stripDialect() + "_f32").str();
}

/// Copies a function's body to the builder's place; gives what it returns.
Value inlineFunction(OpBuilder &builder, func::FuncOp function, ValueRange arguments) {
  IRMapping mapping;
  mapping.map(function.getArguments(), arguments);
  for (Operation &op : function.getBody().front().without_terminator()) {
    auto call = dyn_cast<func::CallOp>(op);
    if (!call) {
      builder.clone(op, mapping);
      continue;
    }
    auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(call, call.getCalleeAttr());
    SmallVector<Value> operands;
    for (Value operand : call.getOperands())
      operands.push_back(mapping.lookup(operand));
    mapping.map(call.getResult(0), inlineFunction(builder, callee, operands));
  }
  return mapping.lookup(function.getBody().front().getTerminator()->getOperand(0));
}

} // namespace

LogicalResult expandElementaryFunctions(Operation *root) {
  SmallVector<Operation *> uses;
  root->walk([&](Operation *op) {
    if (isa<math::ExpOp, math::LogOp, math::TanhOp, math::ErfOp, math::SinOp, math::CosOp,
            math::PowFOp>(op))
      uses.push_back(op);
  });
  if (uses.empty()) return success();
  OwningOpRef<ModuleOp> text = parseSourceString<ModuleOp>(getMathText(), root->getContext());
  if (!text) return root->emitError("the text of the elementary functions does not parse");
  for (Operation *op : uses) {
    auto function = text->lookupSymbol<func::FuncOp>(getFunctionName(op));
    if (!function || !op->getResult(0).getType().isF32())
      return op->emitOpError("has no elementary function for ") << op->getResult(0).getType();
    OpBuilder builder(op);
    Value result = inlineFunction(builder, function, op->getOperands());
    op->getResult(0).replaceAllUsesWith(result);
    op->erase();
  }
  return success();
}

} // namespace dlm
