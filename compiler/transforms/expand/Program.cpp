// Programs keep three things in step: the block's arguments and the return's operands, the type of
// the function, and the attributes that name the buffers.
#include "compiler/transforms/expand/Program.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace dlm::expand {

using mlir::BlockArgument;
using mlir::Type;
using mlir::Value;

namespace {

constexpr llvm::StringLiteral bufferAttr = "dlm.buffer";
constexpr llvm::StringLiteral programAttr = "dlm.program";
constexpr llvm::StringLiteral rowsAttr = "dlm.rows";

mlir::DictionaryAttr nameBuffer(mlir::OpBuilder &builder, llvm::StringRef buffer) {
  return builder.getDictionaryAttr(builder.getNamedAttr(bufferAttr, builder.getStringAttr(buffer)));
}

} // namespace

Program::Program(mlir::func::FuncOp function) : func(function), build(function.getContext()) {}

Program Program::create(mlir::ModuleOp module, llvm::StringRef name, int64_t rows) {
  auto builder = mlir::OpBuilder::atBlockEnd(module.getBody());
  auto function =
      mlir::func::FuncOp::create(builder, module.getLoc(), name, builder.getFunctionType({}, {}));
  function->setAttr(programAttr, builder.getStringAttr(name));
  function->setAttr(rowsAttr, builder.getI64IntegerAttr(rows));
  builder.setInsertionPointToStart(function.addEntryBlock());
  mlir::func::ReturnOp::create(builder, module.getLoc());
  return Program(function);
}

mlir::func::FuncOp Program::find(mlir::ModuleOp module, llvm::StringRef name) {
  for (auto function : module.getOps<mlir::func::FuncOp>())
    if (kind(function) == name) return function;
  return {};
}

llvm::StringRef Program::kind(mlir::func::FuncOp function) {
  auto name = function->getAttrOfType<mlir::StringAttr>(programAttr);
  return name ? name.getValue() : "";
}

bool Program::isGrad(mlir::func::FuncOp function) {
  return kind(function) == "grad" || kind(function).starts_with("grad_");
}

int64_t Program::rows() {
  auto count = func->getAttrOfType<mlir::IntegerAttr>(rowsAttr);
  return count ? count.getInt() : 0;
}

mlir::OpBuilder &Program::builder() {
  build.setInsertionPoint(body().getTerminator());
  return build;
}

Value Program::argument(llvm::StringRef buffer, Type type) {
  if (Value known = findArgument(buffer)) return known;
  unsigned index = func.getNumArguments();
  (void)func.insertArgument(index, type, nameBuffer(build, buffer), func.getLoc());
  return func.getArgument(index);
}

Value Program::findArgument(llvm::StringRef buffer) {
  for (BlockArgument argument : func.getArguments())
    if (bufferOf(argument) == buffer) return argument;
  return {};
}

llvm::StringRef Program::bufferOf(BlockArgument argument) {
  auto name = func.getArgAttrOfType<mlir::StringAttr>(argument.getArgNumber(), bufferAttr);
  return name ? name.getValue() : "";
}

std::vector<NamedResult> Program::results() {
  std::vector<NamedResult> named;
  for (auto [index, value] : llvm::enumerate(body().getTerminator()->getOperands())) {
    auto name = func.getResultAttrOfType<mlir::StringAttr>(index, bufferAttr);
    named.emplace_back(name ? name.str() : "", value);
  }
  return named;
}

void Program::setResults(llvm::ArrayRef<NamedResult> results) {
  llvm::SmallVector<Value> values;
  llvm::SmallVector<Type> types;
  llvm::SmallVector<mlir::DictionaryAttr> names;
  for (const NamedResult &result : results) {
    values.push_back(result.second);
    types.push_back(result.second.getType());
    names.push_back(nameBuffer(build, result.first));
  }
  body().getTerminator()->setOperands(values);
  func.removeResAttrsAttr();
  func.setFunctionType(build.getFunctionType(func.getArgumentTypes(), types));
  func.setAllResultAttrs(names);
}

void Program::dropUnusedOps() {
  for (mlir::Operation &op : llvm::make_early_inc_range(llvm::reverse(body())))
    if (mlir::isOpTriviallyDead(&op)) op.erase();
}

void Program::dropUnusedArguments() {
  llvm::BitVector unused(func.getNumArguments());
  for (BlockArgument argument : func.getArguments())
    if (argument.use_empty()) unused.set(argument.getArgNumber());
  (void)func.eraseArguments(unused);
}

} // namespace dlm::expand
