// Walks a function op by op and keeps every value. What an op computes is asked from the op (scalar
// text) or stands in the Evaluate files.
#include "compiler/reference/Interpreter.h"
#include "compiler/reference/Evaluation.h"
#include "dialects/kernel/Kernel.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/ErrorHandling.h"

namespace dlm::reference {

DType dtypeOf(mlir::Type elementType, Mode mode) {
  if (mlir::isa<mlir::FloatType>(elementType)) return mode == Mode::F32 ? DType::F32 : DType::F64;
  switch (elementType.getIntOrFloatBitWidth()) {
  case 1:
    return DType::Bool;
  case 8:
    return DType::U8;
  case 32:
    return DType::I32;
  case 64:
    return DType::I64;
  default:
    llvm_unreachable("no dialect of ours has integers of this width");
  }
}

std::vector<int64_t> shapeOf(mlir::Type type) {
  return mlir::cast<mlir::RankedTensorType>(type).getShape().vec();
}

Tensor tensorFor(mlir::Type type, Mode mode) {
  return Tensor::zeros(dtypeOf(mlir::getElementTypeOrSelf(type), mode), shapeOf(type));
}

namespace {

/// The values of the results of one op.
using Results = Expected<std::vector<Tensor>>;

Results single(Expected<Tensor> value) {
  if (!value) return value.status();
  std::vector<Tensor> results;
  results.push_back(value.take());
  return results;
}

Tensor evaluateMatmul(MatmulOp op, Operands operands, Mode mode) {
  Product product{op.getTransposeLhs(), op.getTransposeRhs(), 1};
  if (ChainAttr chain = op.getChainAttr()) product.splits = chain.getSplits();
  return multiply(*operands[0], *operands[1], product, op.getType(), mode);
}

Tensor evaluateContract(kernel::ContractOp op, Operands operands, Mode mode) {
  Product product{op.getTransposeLhs(), op.getTransposeRhs(), op.getSplits()};
  return multiply(*operands[0], *operands[1], product, op.getType(), mode);
}

Results evaluateOp(mlir::Operation *op, Operands operands, Mode mode) {
  if (mlir::isa<ScalarOpInterface>(op)) return single(evaluateElementwise(op, operands, mode));
  return llvm::TypeSwitch<mlir::Operation *, Results>(op)
      .Case([&](ConstantOp o) { return single(evaluateConstant(o, mode)); })
      .Case([&](IotaOp o) { return single(evaluateIota(o, mode)); })
      .Case([&](RandomOp o) { return single(evaluateRandom(o, operands, mode)); })
      .Case([&](BroadcastOp o) { return single(evaluateBroadcast(o, operands)); })
      .Case([&](ReshapeOp o) { return single(evaluateReshape(*operands[0], o.getType())); })
      .Case([&](FenceOp) { return single(Tensor(*operands[0])); })
      .Case([&](TransposeOp o) { return single(evaluateTranspose(o, operands)); })
      .Case([&](SegmentOp o) { return single(evaluateSegment(o, operands)); })
      .Case([&](PackOp o) { return single(evaluatePack(o, operands, mode)); })
      .Case([&](SliceOp o) { return single(evaluateSlice(o, operands)); })
      .Case([&](PadOp o) { return single(evaluatePad(o, operands, mode)); })
      .Case([&](FlipOp o) { return single(evaluateFlip(o, operands)); })
      .Case([&](ConcatOp o) { return single(evaluateConcat(o, operands, mode)); })
      .Case([&](GatherOp o) { return single(evaluateGather(o, operands, mode)); })
      .Case([&](ScatterAddOp o) { return single(evaluateScatterAdd(o, operands, mode)); })
      .Case([&](WindowsOp o) { return single(evaluateWindows(o, operands, mode)); })
      .Case([&](OverlapAddOp o) { return single(evaluateOverlapAdd(o, operands, mode)); })
      .Case([&](ReduceOp o) { return single(evaluateReduce(o, operands, mode)); })
      .Case([&](ArgmaxOp o) { return single(evaluateArgmax(o, operands, mode)); })
      .Case([&](MatmulOp o) { return single(evaluateMatmul(o, operands, mode)); })
      .Case([&](kernel::ContractOp o) { return single(evaluateContract(o, operands, mode)); })
      .Case([&](ScanOp o) { return evaluateScan(o, operands, mode); })
      .Case([&](kernel::LaunchOp o) { return evaluateLaunch(o, operands, mode); })
      .Default([](mlir::Operation *o) -> Results {
        return unsupported("the interpreter has no case for '" + o->getName().getStringRef().str() +
                           "'");
      });
}

/// The argument as the mode holds it, or why it does not fit.
Expected<Tensor> acceptArgument(mlir::func::FuncOp func, unsigned index, const Tensor &given,
                                Mode mode) {
  Tensor wanted = tensorFor(func.getArgument(index).getType(), mode);
  bool mayWiden = given.dtype == DType::F32 && wanted.dtype == DType::F64;
  if ((given.dtype == wanted.dtype || mayWiden) && given.shape == wanted.shape &&
      given.bytes.size() == given.elementCount() * elementSizeBytes(given.dtype))
    return withPrecision(given, wanted.dtype);
  return invalidArgument("`" + argumentName(func, index) + "` is " + toString(given) + ", @" +
                         func.getName().str() + " takes " + toString(wanted));
}

std::string nameOf(mlir::Attribute buffer, const char *fallback, unsigned index) {
  if (auto name = mlir::dyn_cast_if_present<mlir::StringAttr>(buffer)) return name.str();
  return fallback + std::to_string(index);
}

} // namespace

std::string argumentName(mlir::func::FuncOp func, unsigned index) {
  return nameOf(func.getArgAttr(index, "dlm.buffer"), "arg", index);
}

std::string resultName(mlir::func::FuncOp func, unsigned index) {
  return nameOf(func.getResultAttr(index, "dlm.buffer"), "result", index);
}

Expected<std::vector<Tensor>> evaluateBlock(mlir::Block &block, std::vector<Tensor> arguments,
                                            Mode mode) {
  llvm::DenseMap<mlir::Value, Tensor> values;
  for (auto [argument, tensor] : llvm::zip_equal(block.getArguments(), arguments))
    values[argument] = std::move(tensor);
  for (mlir::Operation &op : block) {
    llvm::SmallVector<const Tensor *> operands;
    for (mlir::Value operand : op.getOperands())
      operands.push_back(&values[operand]);
    if (mlir::isa<mlir::func::ReturnOp, YieldOp>(op)) {
      std::vector<Tensor> results;
      for (const Tensor *operand : operands)
        results.push_back(*operand);
      return results;
    }
    Results results = evaluateOp(&op, operands, mode);
    if (!results) return results.status();
    for (auto [value, tensor] : llvm::zip_equal(op.getResults(), *results))
      values[value] = std::move(tensor);
  }
  return unsupported("a block ends without giving anything");
}

Expected<std::vector<Tensor>> interpret(mlir::func::FuncOp func, llvm::ArrayRef<Tensor> arguments,
                                        Mode mode) {
  if (func.isExternal() || !func.getBody().hasOneBlock())
    return unsupported("@" + func.getName().str() + " is not one block");
  if (arguments.size() != func.getNumArguments())
    return invalidArgument("@" + func.getName().str() + " takes " +
                           std::to_string(func.getNumArguments()) + " arguments, given " +
                           std::to_string(arguments.size()));
  std::vector<Tensor> accepted;
  for (unsigned index = 0; index < arguments.size(); ++index) {
    Expected<Tensor> argument = acceptArgument(func, index, arguments[index], mode);
    if (!argument) return argument.status();
    accepted.push_back(argument.take());
  }
  return evaluateBlock(func.getBody().front(), std::move(accepted), mode);
}

} // namespace dlm::reference
