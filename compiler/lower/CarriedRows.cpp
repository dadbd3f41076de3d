// A buffer over the batch has a row for each sample of the whole batch. A micro-batch reads its
// own, from `row` on, and gives their next values; what it gives for the rows of others changes
// nothing when all are added up. Where nothing is trained it is what it starts with.
#include "compiler/lower/GraphLowering.h"
#include "dialects/dlm/Dlm.h"
#include "dialects/train/Train.h"

namespace dlm::lower {

using mlir::RankedTensorType;
using mlir::Value;

bool isCarried(const sema::TensorType &type) {
  return llvm::any_of(type.dims, [](const sema::Dim &dim) { return dim.extent.countsSamples(); });
}

std::string whyNotCarried(const sema::Buffer &buffer, const sema::Settings &settings) {
  if (!buffer.isPerStream) return "";
  if (!settings.batchOption.empty()) return "an option leaves open how many rows it has";
  bool isFirst = buffer.type.dims[0].extent == sema::Extent::batch();
  for (size_t i = 1; i < buffer.type.dims.size(); ++i)
    isFirst &= buffer.type.dims[i].isWhole();
  return isFirst ? "" : "it is carried row by row, and its batch axis is not the first";
}

/// 0, 1, ... `count` - 1, and `row` more with a sign.
Value GraphLowering::rowNumbers(mlir::Location loc, int64_t count, bool isFromRow) {
  auto i64 = RankedTensorType::get({}, build.getI64Type());
  auto i32 = RankedTensorType::get({}, build.getI32Type());
  auto type = RankedTensorType::get({count}, build.getI32Type());
  Value row = CastOp::create(build, loc, i32, train::AmbientOp::create(build, loc, i64, "row"));
  row = BroadcastOp::create(build, loc, type, row, llvm::ArrayRef<int64_t>());
  Value numbers = IotaOp::create(build, loc, type, 0);
  if (isFromRow) return AddOp::create(build, loc, numbers, row);
  return SubOp::create(build, loc, numbers, row);
}

Value GraphLowering::carriedRows(const sema::Node &node) {
  mlir::Location loc = at(node);
  RankedTensorType type = typeOf(node);
  if (part != GraphPart::Training) return startOfRows(node);
  RankedTensorType whole = tensorType(*build.getContext(), node.type, {sizes.batch});
  Value stored = train::StoredOp::create(build, loc, whole, node.text);
  if (whole == type) return stored;
  Value ids = rowNumbers(loc, type.getDimSize(0), true);
  return GatherOp::create(build, loc, type, stored, ids, build.getI64IntegerAttr(0));
}

/// What it starts with, of as many samples as are seen here.
Value GraphLowering::startOfRows(const sema::Node &node) {
  if (!buffers) return {};
  for (const sema::Buffer &buffer : *buffers) {
    if (buffer.path != node.text) continue;
    auto results = GraphLowering(build, places, sizes, buffer.path).append(buffer.init);
    if (succeeded(results)) return results->front().second;
  }
  return {};
}

/// A value of each row of a micro-batch as one of the whole batch: -0, which adds nothing, in the
/// other rows.
Value GraphLowering::asWholeBatch(mlir::Location loc, Value value) {
  auto type = mlir::cast<RankedTensorType>(value.getType());
  int64_t rows = type.getDimSize(0);
  if (rows == sizes.batch) return value;
  llvm::SmallVector<int64_t> shape(type.getShape());
  shape[0] = sizes.batch;
  RankedTensorType whole = type.clone(shape);
  auto line = RankedTensorType::get({sizes.batch}, build.getI32Type());
  auto truth = RankedTensorType::get({sizes.batch}, build.getI1Type());
  auto number = [&](int64_t of) { return Value(ConstantOp::create(build, loc, line, double(of))); };
  Value ids = rowNumbers(loc, sizes.batch, false);
  Value isBehind = CompareOp::create(build, loc, truth, CompareKind::Ge, ids, number(0));
  Value isBefore = CompareOp::create(build, loc, truth, CompareKind::Lt, ids, number(rows));
  Value isOwn = AndOp::create(build, loc, isBehind, isBefore);
  ids = MinOp::create(build, loc, MaxOp::create(build, loc, ids, number(0)), number(rows - 1));
  Value own = GatherOp::create(build, loc, whole, value, ids, build.getI64IntegerAttr(0));
  auto mask = RankedTensorType::get(shape, build.getI1Type());
  isOwn = BroadcastOp::create(build, loc, mask, isOwn, llvm::ArrayRef<int64_t>{0});
  Value nothing = ConstantOp::create(build, loc, whole, -0.0);
  return SelectOp::create(build, loc, isOwn, own, nothing);
}

} // namespace dlm::lower
