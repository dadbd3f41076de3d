// Builds scalar text in a function of its own and compiles it. In mode F32 an elementary function
// is the project's own text, the same that generated code contains.
#include "compiler/reference/ScalarText.h"
#include "compiler/reference/Evaluation.h"
#include "dialects/dlm/MathText.h"

#include "mlir/IR/IRMapping.h"

namespace dlm::reference {

Expected<ScalarProgram> compileScalars(mlir::Location loc, mlir::TypeRange inputs,
                                       BuildScalar build, Mode mode) {
  mlir::OpBuilder builder(loc.getContext());
  // A module around it, because the expansion may need a symbol table.
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::ModuleOp::create(builder, loc);
  builder.setInsertionPointToEnd(module->getBody());
  auto func =
      mlir::func::FuncOp::create(builder, loc, "scalar", builder.getFunctionType(inputs, {}));
  mlir::Block *block = func.addEntryBlock();
  builder.setInsertionPointToEnd(block);
  mlir::Value value = build(builder, block->getArguments());
  mlir::func::ReturnOp::create(builder, loc, value);
  func.setFunctionType(builder.getFunctionType(inputs, value.getType()));
  if (mode == Mode::F32 && mlir::failed(expandElementaryFunctions(func)))
    return internalError("an elementary function has no text");
  return ScalarProgram::compile(func, mode);
}

Expected<Tensor> evaluateElementwise(mlir::Operation *op, Operands operands, Mode mode) {
  auto scalarOp = mlir::dyn_cast<ScalarOpInterface>(op);
  llvm::SmallVector<mlir::Type> inputs;
  for (mlir::Value operand : op->getOperands()) {
    mlir::Type element = mlir::getElementTypeOrSelf(operand.getType());
    inputs.push_back(scalarOp ? scalarType(element) : element);
  }
  auto build = [&](mlir::OpBuilder &builder, mlir::ValueRange scalars) -> mlir::Value {
    if (scalarOp) return scalarOp.buildScalar(builder, op->getLoc(), scalars);
    mlir::IRMapping mapping;
    mapping.map(op->getOperands(), scalars);
    return builder.clone(*op, mapping)->getResult(0);
  };
  Expected<ScalarProgram> program = compileScalars(op->getLoc(), inputs, build, mode);
  if (!program) return program.status();
  mlir::Type element = mlir::getElementTypeOrSelf(op->getResult(0).getType());
  // An op of a kernel body has no shape of its own: its operands say how many elements there are.
  std::vector<int64_t> shape = operands.empty() ? std::vector<int64_t>() : operands[0]->shape;
  Tensor result = Tensor::zeros(dtypeOf(element, mode), shape);
  llvm::SmallVector<const void *> pointers;
  for (const Tensor *operand : operands)
    pointers.push_back(operand->bytes.data());
  program->run(pointers, result.bytes.data(), result.elementCount());
  return result;
}

} // namespace dlm::reference
