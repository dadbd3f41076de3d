// An evaluation set is seen in batches, but a metric speaks of the whole. So the computation is cut
// at its batch reductions: what comes before runs for each batch, what comes after runs once.
//
//   eval_begin   accumulators := identities (-0.0, -inf, +inf), count := identity of addition
//   eval         accumulator := combine(accumulator, reduce(batch)); count += sum of weights
//   eval_end     metrics from the accumulators; the count stands for the sample count
//
// Squared distances from a mean have three accumulators: a number of elements, their mean, and the
// sum. Two parts are put together by the distance d of their means (Chan, Golub, LeVeque, 1979):
//
//   mean := mean + d * share       squares := squares + squares of the part + d^2 * number * share
//
// where share is the part's number of elements, of all. Nothing large cancels, so f32 is enough.
//
// The last batch is padded with samples of weight 0. They are replaced by the identity with a
// select rather than multiplied by 0, so that a NaN computed from padding cannot count.
// Plan, then apply: `Cut` finds the reductions, the writers below build the three programs.
#include "compiler/transforms/expand/DeclaredState.h"
#include "compiler/transforms/expand/Passes.h"
#include "compiler/transforms/expand/Program.h"

#include "dialects/dlm/Dlm.h"
#include "dialects/train/Train.h"

#include "mlir/IR/IRMapping.h"

#include <array>
#include <limits>

namespace dlm::expand {
#define GEN_PASS_DEF_ACCUMULATEMETRICSPASS
#include "compiler/transforms/expand/Passes.h.inc"
} // namespace dlm::expand

namespace dlm::expand {
namespace {

using mlir::Operation;
using mlir::RankedTensorType;
using mlir::Value;

struct AccumulateMetrics : impl::AccumulateMetricsPassBase<AccumulateMetrics> {
  void runOnOperation() override;
};

/// Where the computation is cut.
struct Cut {
  llvm::SmallVector<train::BatchReduceOp> reductions;
  llvm::SmallVector<train::BatchSquaresOp> squares;

  std::string buffer(size_t index) const { return "eval." + std::to_string(index); }
  std::string buffer(size_t index, llvm::StringRef part) const {
    return buffer(reductions.size() + index) + "." + part.str();
  }
};

RankedTensorType typeOf(Value value) { return mlir::cast<RankedTensorType>(value.getType()); }

/// The number that changes nothing when it is combined: -0.0, -inf, +inf, or the integer's.
double identityOf(ReduceKind kind, mlir::Type element) {
  if (kind == ReduceKind::Add) return element.isF32() ? -0.0 : 0.0;
  double sign = kind == ReduceKind::Max ? -1 : 1;
  return sign * std::numeric_limits<double>::infinity();
}

/// A splat of the identity. Integers have no infinity: their extreme value serves.
Value identitySplat(mlir::OpBuilder &build, mlir::Location loc, ReduceKind kind,
                    RankedTensorType type) {
  auto integer = mlir::dyn_cast<mlir::IntegerType>(type.getElementType());
  if (!integer || kind == ReduceKind::Add)
    return ConstantOp::create(build, loc, type, identityOf(kind, type.getElementType()));
  unsigned width = integer.getWidth();
  llvm::APInt extreme = kind == ReduceKind::Max ? llvm::APInt::getSignedMinValue(width)
                                                : llvm::APInt::getSignedMaxValue(width);
  return ConstantOp::create(build, loc, mlir::DenseElementsAttr::get(type, extreme));
}

Value combine(mlir::OpBuilder &build, mlir::Location loc, ReduceKind kind, Value a, Value b) {
  switch (kind) {
  case ReduceKind::Add:
    return AddOp::create(build, loc, a, b);
  case ReduceKind::Max:
    return MaxOp::create(build, loc, a, b);
  case ReduceKind::Min:
    return MinOp::create(build, loc, a, b);
  }
  return {};
}

/// Copies the computation of values from the whole evaluation into one of its parts. The copy
/// stops at values that the part gets from elsewhere.
class SliceCopy {
public:
  SliceCopy(Program &whole, Program &part) : whole(whole), part(part) {}

  void provide(Value value, Value replacement) { mapping.map(value, replacement); }

  /// The value in the part. Fails, with an error, at an op of `train`: a reduction that this part
  /// cannot have, because it would have to see all samples first.
  mlir::FailureOr<Value> copy(Value value);

  /// Says whether the slice copied so far reads a field of the batch.
  bool readsBatch() const { return hasBatch; }

private:
  Program &whole, &part;
  mlir::IRMapping mapping;
  bool hasBatch = false;
};

mlir::FailureOr<Value> SliceCopy::copy(Value value) {
  if (Value known = mapping.lookupOrNull(value)) return known;
  if (auto argument = mlir::dyn_cast<mlir::BlockArgument>(value)) {
    llvm::StringRef buffer = whole.bufferOf(argument);
    hasBatch |= buffer.starts_with("batch.");
    Value copied = part.argument(buffer, value.getType());
    mapping.map(value, copied);
    return copied;
  }
  Operation *op = value.getDefiningOp();
  if (mlir::isa<train::TrainDialect>(op->getDialect()))
    return op->emitError("a reduction over all samples depends on another one");
  for (Value operand : op->getOperands())
    if (failed(copy(operand))) return mlir::failure();
  part.builder().clone(*op, mapping);
  return mapping.lookup(value);
}

RankedTensorType countType(mlir::OpBuilder &build) {
  return RankedTensorType::get({}, build.getF32Type());
}

Value rowCount(Program &program, mlir::Location loc, int64_t rows) {
  auto i64 = RankedTensorType::get({}, program.builder().getI64Type());
  return ConstantOp::create(program.builder(), loc, i64, double(rows));
}

/// `hasRow`: something asks for the numbers of samples.
void writeBegin(Program &program, Cut &cut, mlir::Location loc, bool hasRow) {
  std::vector<NamedResult> results;
  for (auto [index, reduce] : llvm::enumerate(cut.reductions))
    results.emplace_back(cut.buffer(index),
                         identitySplat(program.builder(), reduce.getLoc(), reduce.getKind(),
                                       typeOf(reduce.getResult())));
  for (auto [index, op] : llvm::enumerate(cut.squares))
    for (const char *part : {"number", "mean", "squares"})
      results.emplace_back(
          cut.buffer(index, part),
          ConstantOp::create(program.builder(), op.getLoc(), typeOf(op.getResult()), 0.0));
  results.emplace_back("eval.count", identitySplat(program.builder(), loc, ReduceKind::Add,
                                                   countType(program.builder())));
  if (hasRow) results.emplace_back(DeclaredState::EvaluationRow, rowCount(program, loc, 0));
  program.setResults(results);
}

/// Which elements of a tensor are of samples with weight.
Value spread(mlir::OpBuilder &build, mlir::Location loc, Value isReal, RankedTensorType type) {
  if (type.getRank() == 1) return isReal;
  return BroadcastOp::create(build, loc, withElementType(type, build.getI1Type()), isReal,
                             llvm::ArrayRef<int64_t>{0});
}

/// The operand of a reduction with the identity in the rows of weight 0.
Value maskPadding(Program &program, train::BatchReduceOp reduce, Value operand, Value isReal) {
  mlir::OpBuilder &build = program.builder();
  RankedTensorType type = typeOf(operand);
  mlir::Location loc = reduce.getLoc();
  Value mask = spread(build, loc, isReal, type);
  Value neutral = identitySplat(build, loc, reduce.getKind(), type);
  return SelectOp::create(build, loc, mask, operand, neutral);
}

/// Puts the squared distances of a batch together with those before.
class SquaresWriter {
public:
  SquaresWriter(Program &program, train::BatchSquaresOp op)
      : program(program), op(op), loc(op.getLoc()), type(typeOf(op.getResult())) {}

  /// `counts` says which elements of the operand are looked at.
  void write(Value operand, Value counts, std::array<std::string, 3> buffers,
             std::vector<NamedResult> &results);

private:
  mlir::OpBuilder &at() { return program.builder(); }
  Value sum(Value x) {
    return ReduceOp::create(at(), loc, ReduceKind::Add, x, op.getDims(), TreeAttr());
  }
  Value splat(RankedTensorType of, double value) {
    return ConstantOp::create(at(), loc, of, value);
  }
  Value add(Value a, Value b) { return AddOp::create(at(), loc, a, b); }
  Value mul(Value a, Value b) { return MulOp::create(at(), loc, a, b); }
  Value atLeastOne(Value number) { return MaxOp::create(at(), loc, number, splat(type, 1)); }
  Value stretched(Value reduced, RankedTensorType to);

  Program &program;
  train::BatchSquaresOp op;
  mlir::Location loc;
  RankedTensorType type;
};

/// A value for each reduced element, at each of those it was made of.
Value SquaresWriter::stretched(Value reduced, RankedTensorType to) {
  llvm::SmallVector<int64_t> kept;
  for (int64_t dim = 0; dim < to.getRank(); ++dim)
    if (!llvm::is_contained(op.getDims(), dim)) kept.push_back(dim);
  return BroadcastOp::create(at(), loc, to, reduced, kept);
}

void SquaresWriter::write(Value operand, Value counts, std::array<std::string, 3> buffers,
                          std::vector<NamedResult> &results) {
  RankedTensorType whole = typeOf(operand);
  Value zero = splat(whole, 0);
  Value number = sum(CastOp::create(at(), loc, whole, counts));
  Value known = SelectOp::create(at(), loc, counts, operand, zero);
  Value mean = DivOp::create(at(), loc, sum(known), atLeastOne(number));
  Value rest = SubOp::create(at(), loc, operand, stretched(mean, whole));
  rest = SelectOp::create(at(), loc, counts, rest, zero);
  Value squares = sum(mul(rest, rest));

  Value oldNumber = program.argument(buffers[0], type);
  Value oldMean = program.argument(buffers[1], type);
  Value oldSquares = program.argument(buffers[2], type);
  Value all = add(oldNumber, number);
  Value share = DivOp::create(at(), loc, number, atLeastOne(all));
  Value distance = SubOp::create(at(), loc, mean, oldMean);
  Value between = mul(mul(distance, distance), mul(oldNumber, share));
  results.emplace_back(buffers[0], all);
  results.emplace_back(buffers[1], add(oldMean, mul(distance, share)));
  results.emplace_back(buffers[2], add(oldSquares, add(squares, between)));
}

mlir::LogicalResult writeSquares(SliceCopy &slice, Program &program, Cut &cut, Value isReal,
                                 std::vector<NamedResult> &results) {
  for (auto [index, op] : llvm::enumerate(cut.squares)) {
    auto operand = slice.copy(op.getOperand());
    if (failed(operand)) return mlir::failure();
    Value counts = spread(program.builder(), op.getLoc(), isReal, typeOf(*operand));
    if (op.getMask()) {
      auto mask = slice.copy(op.getMask());
      if (failed(mask)) return mlir::failure();
      counts = AndOp::create(program.builder(), op.getLoc(), counts, *mask);
    }
    SquaresWriter(program, op)
        .write(
            *operand, counts,
            {cut.buffer(index, "number"), cut.buffer(index, "mean"), cut.buffer(index, "squares")},
            results);
  }
  return mlir::success();
}

mlir::LogicalResult writeBatch(Program &whole, Program &program, Cut &cut) {
  mlir::OpBuilder &build = program.builder();
  mlir::Location loc = program.function().getLoc();
  auto rows = RankedTensorType::get({whole.rows()}, build.getF32Type());
  Value weight = program.argument("batch.weight", rows);
  Value zero = ConstantOp::create(build, loc, rows, 0.0);
  Value isReal = CompareOp::create(build, loc, CompareKind::Gt, weight, zero);
  SliceCopy slice(whole, program);
  std::vector<NamedResult> results;
  for (auto [index, reduce] : llvm::enumerate(cut.reductions)) {
    auto operand = slice.copy(reduce.getOperand());
    if (failed(operand)) return mlir::failure();
    Value masked = maskPadding(program, reduce, *operand, isReal);
    Value old = program.argument(cut.buffer(index), reduce.getType());
    Value sum = ReduceOp::create(program.builder(), reduce.getLoc(), reduce.getKind(), masked,
                                 reduce.getDims(), TreeAttr());
    results.emplace_back(cut.buffer(index),
                         combine(program.builder(), reduce.getLoc(), reduce.getKind(), old, sum));
  }
  if (failed(writeSquares(slice, program, cut, isReal, results))) return mlir::failure();
  Value count = ReduceOp::create(program.builder(), loc, ReduceKind::Add, weight,
                                 llvm::ArrayRef<int64_t>{0}, TreeAttr());
  Value old = program.argument("eval.count", countType(program.builder()));
  results.emplace_back("eval.count", AddOp::create(program.builder(), loc, old, count));
  if (Value row = program.findArgument(DeclaredState::EvaluationRow)) {
    Value seen = rowCount(program, loc, whole.rows());
    results.emplace_back(DeclaredState::EvaluationRow,
                         AddOp::create(program.builder(), loc, row, seen));
  }
  program.setResults(results);
  return mlir::success();
}

mlir::LogicalResult writeEnd(Program &whole, Program &program, Cut &cut) {
  SliceCopy slice(whole, program);
  for (auto [index, reduce] : llvm::enumerate(cut.reductions))
    slice.provide(reduce.getResult(), program.argument(cut.buffer(index), reduce.getType()));
  for (auto [index, op] : llvm::enumerate(cut.squares))
    slice.provide(op.getResult(), program.argument(cut.buffer(index, "squares"), op.getType()));
  for (auto count : whole.body().getOps<train::SampleCountOp>()) {
    Value value = program.argument("eval.count", countType(program.builder()));
    if (value.getType() != count.getType())
      value = CastOp::create(program.builder(), count.getLoc(), count.getType(), value);
    slice.provide(count.getResult(), value);
  }
  std::vector<NamedResult> results;
  for (const auto &[buffer, value] : whole.results()) {
    auto copied = slice.copy(value);
    if (failed(copied)) return mlir::failure();
    if (slice.readsBatch())
      return whole.function().emitError("`") << buffer << "` is not reduced over all samples";
    results.emplace_back(buffer, *copied);
  }
  program.setResults(results);
  program.dropUnusedArguments();
  return mlir::success();
}

void AccumulateMetrics::runOnOperation() {
  mlir::ModuleOp module = getOperation();
  mlir::func::FuncOp function = Program::find(module, "eval");
  if (!function) return;
  Program whole(function);
  Cut cut{llvm::to_vector(whole.body().getOps<train::BatchReduceOp>()),
          llvm::to_vector(whole.body().getOps<train::BatchSquaresOp>())};
  function.setName("eval.whole");
  Program begin = Program::create(module, "eval_begin", 0);
  Program batch = Program::create(module, "eval", whole.rows());
  Program end = Program::create(module, "eval_end", 0);
  if (failed(writeBatch(whole, batch, cut)) || failed(writeEnd(whole, end, cut)))
    return signalPassFailure();
  writeBegin(begin, cut, function.getLoc(), bool(batch.findArgument(DeclaredState::EvaluationRow)));
  function.erase();
}

} // namespace
} // namespace dlm::expand
