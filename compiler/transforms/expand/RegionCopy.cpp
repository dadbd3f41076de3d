#include "compiler/transforms/expand/RegionCopy.h"

#include "dialects/dlm/Dlm.h"

namespace dlm::expand {

using mlir::RankedTensorType;
using mlir::Value;

/// The buffer of a thread that stands for one of the run.
static std::string sampleBuffer(llvm::StringRef buffer) {
  if (buffer.consume_front("batch.")) return ("sample.in." + buffer).str();
  buffer.consume_front("state.");
  return ("sample." + buffer).str();
}

std::vector<NamedResult> RegionCopy::copy(mlir::Region &region) {
  mlir::IRMapping mapping;
  for (mlir::Operation &op : region.front().without_terminator()) {
    if (auto next = mlir::dyn_cast<train::NextOp>(op)) {
      if (next.getUpdate().value_or("") == update)
        nexts.emplace_back(DeclaredState::nextBuffer(next), mapping.lookup(next.getValue()));
    } else if (Value value = replacement(op, mapping)) {
      mapping.map(op.getResult(0), value);
    } else {
      keyDraw(program.builder().clone(op, mapping));
    }
  }
  std::vector<NamedResult> results;
  auto yield = mlir::cast<train::YieldOp>(region.front().getTerminator());
  for (auto [name, value] : llvm::zip_equal(yield.getNames(), yield.getValues()))
    results.emplace_back(mlir::cast<mlir::StringAttr>(name).str(), mapping.lookup(value));
  return results;
}

/// The site of a rule's draw, which is the same for all parameters, with the path (FNV-1a, 32 bits,
/// from the hash that it is).
void RegionCopy::keyDraw(mlir::Operation *op) {
  if (drawnFor.empty()) return;
  op->walk([&](RandomOp draw) {
    auto hash = uint32_t(draw.getSite());
    for (unsigned char byte : "/" + drawnFor)
      hash = (hash ^ byte) * 16777619u;
    draw.setSite(hash);
  });
}

/// What stands for an op of the declaration, or null for an op that is copied as it is.
Value RegionCopy::replacement(mlir::Operation &op, mlir::IRMapping &mapping) {
  if (auto use = mlir::dyn_cast<train::ParameterOp>(op)) return parameter(use.getName());
  if (auto share = mlir::dyn_cast<train::ShareOp>(op))
    return this->share(share, mapping.lookup(share.getOperand()));
  if (mlir::isa<train::BatchReduceOp, train::SampleCountOp>(op) && purpose == Purpose::Evaluation)
    return {};
  if (auto count = mlir::dyn_cast<train::SampleCountOp>(op)) return sampleCount(count);
  if (auto reduce = mlir::dyn_cast<train::BatchReduceOp>(op))
    return reduction(reduce, mapping.lookup(reduce.getOperand()));
  if (auto leaf = mlir::dyn_cast<train::LeafOpInterface>(op)) {
    std::string buffer = leaf.getBuffer();
    if (Value value = given.lookup(buffer)) return value;
    if (purpose == Purpose::Sample) buffer = sampleBuffer(buffer);
    if (purpose == Purpose::Evaluation && buffer == DeclaredState::Row)
      buffer = DeclaredState::EvaluationRow;
    if (buffer == DeclaredState::Made) buffer = counter;
    return program.argument(buffer, op.getResult(0).getType());
  }
  return {};
}

Value RegionCopy::parameter(llvm::StringRef path) {
  Value &value = parameters[path];
  if (value) return value;
  auto [group, number] = state.placeOf(path);
  const PlacedParameter &placed = group->parameters[number];
  Value flat = program.argument(group->buffer("params"), group->flatType);
  value = SegmentOp::create(program.builder(), placed.location, placed.type, flat, placed.offset);
  return value;
}

/// The size of the global batch, in the type asked for.
Value RegionCopy::sampleCount(train::SampleCountOp op) {
  auto f32 = RankedTensorType::get({}, program.builder().getF32Type());
  Value size = program.argument(op.getBuffer(), f32);
  if (op.getType() == f32) return size;
  return CastOp::create(program.builder(), op.getLoc(), op.getType(), size);
}

Value RegionCopy::reduction(train::BatchReduceOp op, Value operand) {
  return ReduceOp::create(program.builder(), op.getLoc(), op.getKind(), operand, op.getDims(),
                          TreeAttr());
}

Value RegionCopy::share(train::ShareOp op, Value operand) {
  if (purpose == Purpose::Evaluation) return operand;
  mlir::OpBuilder &build = program.builder();
  auto f32 = RankedTensorType::get({}, build.getF32Type());
  Value rows = ConstantOp::create(build, op.getLoc(), f32, double(program.rows()));
  Value size = program.argument("batch.size", f32);
  Value part = DivOp::create(build, op.getLoc(), rows, size);
  auto type = mlir::cast<RankedTensorType>(op.getType());
  if (type.getRank() > 0)
    part = BroadcastOp::create(build, op.getLoc(), type, part, llvm::ArrayRef<int64_t>{});
  return MulOp::create(build, op.getLoc(), operand, part);
}

} // namespace dlm::expand
