// Random numbers, and the numbers of samples. Both may depend on where in the whole batch, or in
// the evaluation, the samples stand that a program sees: the run counts that, as `row`.
//
// A random tensor is keyed by the run's seed, by the place of its node (of parameters their path;
// in a step the layer and how many the layer has drawn before; never a line), by what `GraphPart`
// says, and by the number of each element in the tensor of all samples, which has their axis first.
// So neither micro-batches nor threads decide what is drawn. In a loop that tensor has one part for
// each trip.
#include "compiler/lower/GraphLowering.h"
#include "dialects/dlm/Dlm.h"
#include "dialects/train/Train.h"

namespace dlm::lower {

using mlir::RankedTensorType;
using mlir::Value;

namespace {

/// The attempt of a step that never comes.
constexpr double EvaluationAttempt = 4294967295.0;

/// How many elements a trip of a loop has to draw from, if nobody knows how many samples there are
/// in all: a power of two that no tensor is as large as.
constexpr double TripElements = 17179869184.0;

/// The number of a random op's place (FNV-1a, 32 bits): stable as long as the path is.
uint32_t siteOf(const std::string &path, int64_t ordinal) {
  std::string text = path + "#" + std::to_string(ordinal);
  uint32_t hash = 2166136261u;
  for (unsigned char byte : text)
    hash = (hash ^ byte) * 16777619u;
  return hash;
}

} // namespace

std::optional<SampleAxis> countedAxis(const sema::TensorType &type) {
  for (size_t axis = 0; axis < type.dims.size(); ++axis) {
    const sema::Extent &extent = type.dims[axis].extent;
    if (!extent.countsSamples()) continue;
    auto each = sema::Extent::divide(extent, sema::Extent::batch());
    if (!each || !each->isConstant()) return std::nullopt;
    const sema::Number &number = each->constantPart();
    if (!number.isExact || number.numerator <= 0) return std::nullopt;
    return SampleAxis{int64_t(axis), number.numerator, number.denominator};
  }
  return std::nullopt;
}

/// A number of the run's state, of 64 bits.
Value GraphLowering::ambient(const sema::Node &node, llvm::StringRef name) {
  return train::AmbientOp::create(build, at(node), RankedTensorType::get({}, build.getI64Type()),
                                  name);
}

/// How many elements come before those of the samples at hand, `count` for each `samples`. These
/// are whole groups: a micro-batch is a multiple of what its axes are divided by.
Value GraphLowering::elementsBefore(const sema::Node &node, int64_t count, int64_t samples) {
  mlir::Location loc = at(node);
  auto i64 = RankedTensorType::get({}, build.getI64Type());
  Value first = ambient(node, "row");
  auto number = [&](int64_t value) { return ConstantOp::create(build, loc, i64, double(value)); };
  if (count > 1) first = MulOp::create(build, loc, first, number(count));
  if (samples > 1) first = DivOp::create(build, loc, first, number(samples));
  return first;
}

Value GraphLowering::iota(const sema::Node &node) {
  mlir::Location loc = at(node);
  RankedTensorType type = typeOf(node);
  int64_t axis = node.ints[0];
  Value numbers = IotaOp::create(build, loc, type, axis);
  std::optional<SampleAxis> counted = countedAxis(node.type);
  if (!numbersSamples() || !counted || counted->axis != axis) return numbers;
  Value first = elementsBefore(node, counted->count, counted->samples);
  auto scalar = RankedTensorType::get({}, type.getElementType());
  if (scalar != first.getType()) first = CastOp::create(build, loc, scalar, first);
  first = BroadcastOp::create(build, loc, type, first, llvm::ArrayRef<int64_t>());
  return AddOp::create(build, loc, numbers, first);
}

/// The path that the site of a random tensor is made of.
std::string GraphLowering::siteName(const sema::Node &node) {
  std::string layer = numbersSamples() ? places.path(node.layer) : "";
  return layer.empty() ? site : site + "/" + layer;
}

Value GraphLowering::drawn(const sema::Node &node, RankedTensorType type, RandomKind kind) {
  mlir::Location loc = at(node);
  auto i64 = RankedTensorType::get({}, build.getI64Type());
  auto number = [&](double value) { return Value(ConstantOp::create(build, loc, i64, value)); };
  Value seed = ambient(node, "seed"), attempt, first;
  if (!node.operands.empty()) // what `generate` draws for each id
    attempt = CastOp::create(build, loc, i64, operand(node, 0));
  else if (part == GraphPart::Sample)
    attempt = ambient(node, "draw");
  else if (part == GraphPart::Training || part == GraphPart::Update)
    attempt = ambient(node, stepNumber);
  else
    attempt = number(part == GraphPart::Start ? 0 : EvaluationAttempt);
  std::string path = siteName(node);
  auto here = int64_t(siteOf(path, drawnAt[path]++));
  std::optional<SampleAxis> counted;
  if (numbersSamples()) counted = countedAxis(node.type);
  Value trip = tripNumber(loc);
  if (!counted) {
    if (trip) first = MulOp::create(build, loc, trip, number(double(type.getNumElements())));
    return RandomOp::create(build, loc, type, kind, seed, attempt, first, here);
  }
  int64_t axis = counted->axis, others = type.getNumElements() / type.getDimSize(axis);
  first = elementsBefore(node, counted->count * others, counted->samples);
  if (trip)
    first = AddOp::create(build, loc, first, MulOp::create(build, loc, trip, number(TripElements)));
  llvm::SmallVector<int64_t> shape(type.getShape()), back;
  std::rotate(shape.begin(), shape.begin() + axis, shape.begin() + axis + 1);
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    back.push_back(dim == axis ? 0 : dim < axis ? dim + 1 : dim);
  Value values = RandomOp::create(build, loc, type.clone(shape), kind, seed, attempt, first, here);
  return axis == 0 ? values : Value(TransposeOp::create(build, loc, values, back));
}

/// low + floor(u * (high - low)), u uniform: a number comes as often as any other but for a part in
/// 2^24, since a range that `NotYet` lets through is no larger. The product may round up to the end
/// of the range.
Value GraphLowering::wholeNumbers(const sema::Node &node) {
  mlir::Location loc = at(node);
  RankedTensorType type = typeOf(node);
  RankedTensorType real = type.clone(build.getF32Type());
  auto number = [&](RankedTensorType of, double value) {
    return Value(ConstantOp::create(build, loc, of, value));
  };
  double range = double(node.ints[1] - node.ints[0]);
  Value scaled =
      MulOp::create(build, loc, drawn(node, real, RandomKind::Uniform), number(real, range));
  Value whole =
      MinOp::create(build, loc, FloorOp::create(build, loc, scaled), number(real, range - 1));
  Value steps = CastOp::create(build, loc, type, whole);
  return AddOp::create(build, loc, steps, number(type, double(node.ints[0])));
}

Value GraphLowering::random(const sema::Node &node) {
  if (site.empty()) return {};
  if (node.text == "int") return wholeNumbers(node);
  auto kind = symbolizeRandomKind(node.text);
  return kind ? drawn(node, typeOf(node), *kind) : Value();
}

} // namespace dlm::lower
