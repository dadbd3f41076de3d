// What holds of every declared run. One function an op; each check carries its label, and the
// test of that label its case (test/dialects/train-invalid.mlir).
#include "dialects/train/Train.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

using mlir::cast;
using mlir::dyn_cast;
using mlir::failure;
using mlir::LogicalResult;
using mlir::RankedTensorType;
using mlir::Region;
using mlir::success;
using mlir::Type;

namespace dlm::train {
namespace {

YieldOp yieldOf(Region &region) {
  if (region.empty() || region.front().empty()) return {};
  return dyn_cast<YieldOp>(region.front().back());
}

bool isF32Scalar(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getRank() == 0 && tensor.getElementType().isF32();
}

/// What `parameters` declares, by name.
struct Declarations {
  llvm::StringMap<Type> parameters, buffers;
  llvm::StringSet<> moments;
};

LogicalResult collectDeclarations(RunOp run, Declarations &declared) {
  for (mlir::Operation &op : run.getParameters().getOps()) {
    bool isNew = true;
    if (auto param = dyn_cast<ParamOp>(op))
      isNew = declared.parameters.try_emplace(param.getPath(), param.getType()).second;
    else if (auto buffer = dyn_cast<BufferOp>(op))
      isNew = declared.buffers.try_emplace(buffer.getPath(), buffer.getType()).second;
    else if (auto moment = dyn_cast<MomentOp>(op))
      isNew = declared.moments.insert(moment.getName()).second;
    else
      return op.emitOpError("stands in the parameters of a run (run_c2)");
    if (!isNew) return op.emitOpError("is declared twice (run_c2)");
  }
  return success();
}

LogicalResult verifyTerms(RunOp run) {
  for (Region *region : {&run.getLoss(), &run.getValidation(), &run.getMetrics()})
    for (mlir::Value value : yieldOf(*region).getValues())
      if (!isF32Scalar(value.getType()))
        return run.emitOpError("yields ") << value.getType() << ", not an f32 scalar (run_c3)";
  if (yieldOf(run.getLoss()).getNames() != yieldOf(run.getValidation()).getNames())
    return run.emitOpError("loss and validation yield different names (run_c3)");
  return success();
}

LogicalResult verifyUses(RunOp run, const Declarations &declared) {
  auto check = [](mlir::Operation *use, const llvm::StringMap<Type> &known, llvm::StringRef name,
                  Type type, const char *what) {
    auto found = known.find(name);
    if (found != known.end() && found->second == type) return mlir::WalkResult::advance();
    use->emitOpError("names no declared ") << what << " of type " << type << " (run_c4)";
    return mlir::WalkResult::interrupt();
  };
  auto result = run.walk([&](mlir::Operation *op) {
    if (auto use = dyn_cast<ParameterOp>(op))
      return check(op, declared.parameters, use.getName(), use.getType(), "parameter");
    if (auto use = dyn_cast<StoredOp>(op))
      return check(op, declared.buffers, use.getName(), use.getType(), "buffer");
    return mlir::WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

LogicalResult verifyNexts(RunOp run, const llvm::StringMap<Type> &buffers) {
  llvm::StringSet<> given;
  auto result = run.walk([&](NextOp next) {
    Type declared = buffers.lookup(next.getName());
    if (next->getParentRegion() != &run.getLoss())
      next.emitOpError("stands outside of the loss (run_c6)");
    else if (declared != next.getValue().getType())
      next.emitOpError("names no declared buffer of type ")
          << next.getValue().getType() << " (run_c6)";
    else if (!given.insert(next.getName()).second)
      next.emitOpError("gives a second value (run_c6)");
    else
      return mlir::WalkResult::advance();
    return mlir::WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

LogicalResult verifyRule(RunOp run, const llvm::StringSet<> &moments) {
  YieldOp yield = yieldOf(run.getOptimizer());
  llvm::StringMap<Type> yielded;
  for (auto [name, value] : llvm::zip(yield.getNames(), yield.getValues()))
    yielded[cast<mlir::StringAttr>(name).getValue()] = value.getType();
  auto target = mlir::dyn_cast_if_present<RankedTensorType>(yielded.lookup("target"));
  if (!target || target.getRank() != 1 || !target.getElementType().isF32())
    return run.emitOpError("optimizer yields no flat f32 \"target\" (run_c5)");
  for (const auto &moment : moments)
    if (yielded.lookup(moment.getKey()) != target)
      return run.emitOpError("optimizer does not yield the moment \"")
             << moment.getKey() << "\" of type " << target << " (run_c5)";
  return success();
}

} // namespace

LogicalResult RunOp::verifyRegions() {
  for (Region *region : {&getLoss(), &getValidation(), &getMetrics(), &getOptimizer()})
    if (!yieldOf(*region)) // run_c1
      return emitOpError("has a region without train.yield (run_c1)");
  Declarations declared;
  if (failed(collectDeclarations(*this, declared))) return failure(); // run_c2
  if (failed(verifyTerms(*this))) return failure();                   // run_c3
  if (failed(verifyUses(*this, declared))) return failure();          // run_c4
  if (failed(verifyRule(*this, declared.moments))) return failure();  // run_c5
  return verifyNexts(*this, declared.buffers);                        // run_c6
}

LogicalResult CommandOp::verifyRegions() {
  if (!yieldOf(getBody())) // command_c1
    return emitOpError("has a body without train.yield (command_c1)");
  return success();
}

LogicalResult SampleOp::verifyRegions() {
  if (!yieldOf(getBody())) // sample_c1
    return emitOpError("has a body without train.yield (sample_c1)");
  return success();
}

LogicalResult ParamOp::verify() {
  auto tensor = dyn_cast<RankedTensorType>(getType());
  if (!tensor || !tensor.hasStaticShape() || !tensor.getElementType().isF32()) // param_c2
    return emitOpError("has type ") << getType() << ", not a static f32 tensor (param_c2)";
  return success();
}

/// Whether the computation of a first value yields one value of the declared type.
static bool yieldsOne(Region &init, Type type) {
  YieldOp yield = yieldOf(init);
  return yield && yield.getValues().size() == 1 && yield.getValues().front().getType() == type;
}

LogicalResult ParamOp::verifyRegions() {
  if (!yieldsOne(getInit(), getType())) // param_c1
    return emitOpError("init does not yield one value of type ") << getType() << " (param_c1)";
  return success();
}

LogicalResult BufferOp::verify() {
  auto tensor = dyn_cast<RankedTensorType>(getType());
  bool isHeld = tensor && tensor.hasStaticShape() &&
                (tensor.getElementType().isF32() || tensor.getElementType().isInteger(32) ||
                 tensor.getElementType().isInteger(64));
  if (!isHeld) // buffer_c2
    return emitOpError("has type ")
           << getType() << ", not a static tensor of f32, i32 or i64 (buffer_c2)";
  return success();
}

LogicalResult BufferOp::verifyRegions() {
  if (!yieldsOne(getInit(), getType())) // buffer_c1
    return emitOpError("init does not yield one value of type ") << getType() << " (buffer_c1)";
  return success();
}

LogicalResult YieldOp::verify() {
  llvm::StringSet<> seen;
  for (mlir::Attribute name : getNames())
    seen.insert(cast<mlir::StringAttr>(name).getValue());
  if (seen.size() != getNames().size() || seen.size() != getValues().size()) // yield_c1
    return emitOpError("has ") << seen.size() << " distinct names and " << getValues().size()
                               << " values (yield_c1)";
  return success();
}

/// A type without some of its dims.
static RankedTensorType withoutDims(RankedTensorType type, llvm::ArrayRef<int64_t> dims) {
  llvm::SmallVector<int64_t> kept;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (!llvm::is_contained(dims, dim)) kept.push_back(type.getDimSize(dim));
  return RankedTensorType::get(kept, type.getElementType());
}

/// Whether dims increase strictly within the rank, from 0 if `hasBatch`.
static bool areOrdered(llvm::ArrayRef<int64_t> dims, int64_t rank, bool hasBatch) {
  bool isOrdered = !dims.empty() && dims.front() >= 0 && (!hasBatch || dims.front() == 0);
  for (size_t i = 1; i < dims.size(); ++i)
    isOrdered &= dims[i - 1] < dims[i];
  return isOrdered && dims.back() < rank;
}

LogicalResult BatchReduceOp::verify() {
  auto from = cast<RankedTensorType>(getOperand().getType());
  auto run = (*this)->getParentOfType<RunOp>();
  bool isTraining = run && (*this)->getParentRegion() == &run.getLoss();
  if (!areOrdered(getDims(), from.getRank(), !isTraining))
    return emitOpError("dims do not increase from 0 within rank ")
           << from.getRank() << " (batch_reduce_c1)";        // batch_reduce_c1
  if (getResult().getType() != withoutDims(from, getDims())) // batch_reduce_c2
    return emitOpError("has type ") << getResult().getType() << ", not the operand's without dims"
                                    << " (batch_reduce_c2)";
  return success();
}

LogicalResult BatchSquaresOp::verify() {
  auto from = cast<RankedTensorType>(getOperand().getType());
  if (!areOrdered(getDims(), from.getRank(), true))
    return emitOpError("dims do not increase from 0 within rank ")
           << from.getRank() << " (batch_squares_c1)"; // batch_squares_c1
  bool fitsMask =
      !getMask() || mlir::cast<RankedTensorType>(getMask().getType()).getShape() == from.getShape();
  if (getResult().getType() != withoutDims(from, getDims()) || !fitsMask) // batch_squares_c2
    return emitOpError("has a result or a mask of another shape than the operand's")
           << " (batch_squares_c2)";
  return success();
}

} // namespace dlm::train
