// Loops. The axis that a loop goes along is brought to the front, and that of its outputs back. A
// step is lowered into a block of its own, where it uses what stands around it as it is;
// `ScanOp::close` makes captures of that. What the run provides is asked for in front of the loop.
//
// A loop over a range begins to count at the first bound. One with `until` makes all its trips:
// a state more says that the loop has ended, and from then on the others stay as they are, and
// outputs are 0. What such a trip computes goes nowhere, but a gradient of 0 times infinity is no
// number: so it does what the first trip did, whose gradient is there anyway.
#include "compiler/lower/GraphLowering.h"
#include "dialects/dlm/Dlm.h"
#include "dialects/train/Train.h"

namespace dlm::lower {

using mlir::RankedTensorType;
using mlir::Value;

namespace {

RankedTensorType tensorTypeOf(Value value) { return mlir::cast<RankedTensorType>(value.getType()); }

/// A tensor with the axis in front of the others.
Value axisFirst(mlir::OpBuilder &build, mlir::Location loc, Value x, int64_t axis) {
  if (axis == 0) return x;
  llvm::SmallVector<int64_t> order{axis};
  for (int64_t dim = 0; dim < tensorTypeOf(x).getRank(); ++dim)
    if (dim != axis) order.push_back(dim);
  return TransposeOp::create(build, loc, x, order);
}

/// The first axis put in this place.
Value axisBack(mlir::OpBuilder &build, mlir::Location loc, Value x, int64_t axis) {
  if (axis == 0) return x;
  llvm::SmallVector<int64_t> order;
  for (int64_t dim = 0; dim < tensorTypeOf(x).getRank(); ++dim)
    order.push_back(dim == axis ? 0 : dim < axis ? dim + 1 : dim);
  return TransposeOp::create(build, loc, x, order);
}

/// `value` unless the loop has ended before this trip.
Value unlessDone(mlir::OpBuilder &build, mlir::Location loc, Value isDone, Value then,
                 Value value) {
  RankedTensorType type = tensorTypeOf(value);
  Value flags = isDone;
  if (type.getRank() > 0)
    flags = BroadcastOp::create(build, loc, mlir::cast<RankedTensorType>(boolTypeLike(type)),
                                isDone, llvm::ArrayRef<int64_t>());
  return SelectOp::create(build, loc, flags, then, value);
}

/// A value around a loop that no gradient is of.
Value asConstant(mlir::OpBuilder &build, mlir::Location loc, Value value) {
  if (value.getDefiningOp<ConstantOp>()) return value;
  return StopGradientOp::create(build, loc, value.getType(), value);
}

/// The first of the elements that a loop goes over.
Value firstOf(mlir::OpBuilder &build, mlir::Location loc, Value xs) {
  RankedTensorType type = tensorTypeOf(xs);
  llvm::SmallVector<int64_t> shape(type.getShape()), begins(shape.size(), 0);
  shape[0] = 1;
  Value part =
      SliceOp::create(build, loc, type.clone(shape), xs, build.getDenseI64ArrayAttr(begins));
  return ReshapeOp::create(build, loc, type.clone(llvm::ArrayRef(shape).drop_front()), part);
}

/// What the run provides is the same in each trip, and known in front of the loop only.
void moveLeavesOut(mlir::OpBuilder &build, mlir::Block &step) {
  for (mlir::Operation &op : llvm::make_early_inc_range(step))
    if (mlir::isa<train::TrainDialect>(op.getDialect()) && op.getNumOperands() == 0)
      op.moveBefore(build.getInsertionBlock(), build.getInsertionPoint());
}

} // namespace

/// A loop and what the step of it is made of.
struct LoopStep {
  mlir::Block block;
  Value number;                             // of the trip
  llvm::SmallVector<Value> slots, captures; // what stands for these leaves
  llvm::SmallVector<Value> first;           // what the slots are in the first trip, for `until`
  int64_t trips = 0;
  const LoopStep *around = nullptr;
  llvm::SmallVector<Value> next, outputs; // what it gives
};

Value GraphLowering::looping(const sema::Node &node) {
  if (node.op == "slot" && step) return step->slots[std::stoul(node.text)];
  if (node.op == "capture" && step) return step->captures[std::stoul(node.text)];
  if (node.op == "scan") return loop(node);
  if (node.op == "scan_result")
    return loopResults[&graph->nodes[node.operands[0]]][size_t(node.ints[0])];
  if (node.op == "cumsum") return runningSum(node);
  return {};
}

std::optional<int64_t> tripsOf(const sema::Graph &graph, const sema::Node &loop) {
  const sema::Node &begin = graph.nodes[loop.operands[size_t(loop.ints[0])]];
  const sema::Node &end = graph.nodes[loop.operands[size_t(loop.ints[0]) + 1]];
  if (begin.op != "constant" || end.op != "constant") return std::nullopt;
  return std::max<int64_t>(int64_t(end.number) - int64_t(begin.number), 0);
}

Value GraphLowering::loop(const sema::Node &node) {
  mlir::Location loc = at(node);
  auto states = size_t(node.ints[0]);
  int64_t axis = node.ints[1];
  llvm::SmallVector<Value> operands, inits, xs;
  for (sema::NodeId id : node.operands)
    operands.push_back(values[id]);
  inits.assign(operands.begin(), operands.begin() + int64_t(states));
  LoopStep made;
  made.around = step;
  made.captures.assign(operands.begin() + int64_t(states) + (axis < 0 ? 2 : 1), operands.end());
  if (axis >= 0) {
    xs.push_back(axisFirst(build, loc, operands[states], axis));
    made.trips = tensorTypeOf(xs[0]).getDimSize(0);
  } else if (auto trips = tripsOf(*graph, node)) {
    made.trips = *trips;
  } else {
    return {};
  }
  const sema::Graph &body = *node.bodies[0];
  bool hasUntil = body.results.size() > states + size_t(node.ints[2]);
  if (hasUntil && made.trips > 0) {
    for (Value init : inits)
      made.first.push_back(asConstant(build, loc, init));
    for (Value x : xs)
      made.first.push_back(asConstant(build, loc, firstOf(build, loc, x)));
    if (xs.empty()) made.first.push_back(operand(node, states));
  }
  if (hasUntil)
    inits.push_back(
        ConstantOp::create(build, loc, RankedTensorType::get({}, build.getI1Type()), 0));
  if (!lowerStep(node, made, inits, xs, hasUntil)) return {};
  moveLeavesOut(build, made.block);

  llvm::SmallVector<Value> &results = loopResults[&node];
  results.clear();
  if (made.trips == 0) {
    results.assign(inits.begin(), inits.begin() + int64_t(states));
    return results.front();
  }
  ScanOp scan = ScanOp::close(build, loc, made.trips, /*reverse=*/false, inits, xs, made.block,
                              made.next, made.outputs);
  results.append(scan->result_begin(), scan->result_begin() + int64_t(states));
  for (Value stacked : scan.getStacked())
    results.push_back(
        axisBack(build, loc, stacked,
                 std::min(tensorTypeOf(stacked).getRank() - 1, std::max(axis, int64_t(0)))));
  return results.front();
}

/// Fills the block of the step. False if it has an op that cannot be lowered.
bool GraphLowering::lowerStep(const sema::Node &node, LoopStep &made, mlir::ValueRange inits,
                              mlir::ValueRange xs, bool hasUntil) {
  mlir::Location loc = at(node);
  mlir::OpBuilder::InsertionGuard guard(build);
  build.setInsertionPointToEnd(&made.block);
  auto states = size_t(node.ints[0]);
  made.number = made.block.addArgument(RankedTensorType::get({}, build.getI32Type()), loc);
  for (Value init : inits)
    made.slots.push_back(made.block.addArgument(init.getType(), loc));
  Value isDone = hasUntil ? made.slots.pop_back_val() : Value();
  for (Value x : xs)
    made.slots.push_back(made.block.addArgument(
        tensorTypeOf(x).clone(tensorTypeOf(x).getShape().drop_front()), loc));
  if (xs.empty()) // begins at the first bound, which stands around the loop
    made.slots.push_back(AddOp::create(build, loc, made.number, operand(node, states)));

  llvm::SmallVector<Value> before(made.slots);
  for (size_t i = 0; i < made.first.size(); ++i)
    made.slots[i] = unlessDone(build, loc, isDone, made.first[i], made.slots[i]);

  std::vector<Value> around = std::move(values);
  const sema::Graph *outer = std::exchange(graph, node.bodies[0].get());
  step = &made;
  bool isWhole = lowerNodes();
  llvm::SmallVector<Value> given;
  if (isWhole)
    for (const auto &[name, id] : graph->results)
      given.push_back(values[id]);
  step = made.around;
  graph = outer;
  values = std::move(around);
  if (!isWhole) return false;

  Value ends = hasUntil ? given.pop_back_val() : Value();
  for (size_t i = 0; i < given.size(); ++i) {
    Value value = given[i];
    if (hasUntil) {
      Value rest = i < states ? before[i]
                              : ConstantOp::create(build, loc, tensorTypeOf(value), 0).getResult();
      value = unlessDone(build, loc, isDone, rest, value);
    }
    (i < states ? made.next : made.outputs).push_back(value);
  }
  if (hasUntil) made.next.push_back(OrOp::create(build, loc, isDone, ends));
  return true;
}

/// The number of the trip, of all loops around the present node; null outside of loops.
Value GraphLowering::tripNumber(mlir::Location loc) {
  Value number;
  auto i64 = RankedTensorType::get({}, build.getI64Type());
  int64_t each = 1;
  for (const LoopStep *loop = step; loop; loop = loop->around) {
    Value own = CastOp::create(build, loc, i64, loop->number);
    if (each > 1)
      own = MulOp::create(build, loc, own, ConstantOp::create(build, loc, i64, double(each)));
    number = number ? AddOp::create(build, loc, number, own) : own;
    each *= std::max<int64_t>(loop->trips, 1);
  }
  return number;
}

/// One chain from -0.0 on (NUMERICS.md, N11).
Value GraphLowering::runningSum(const sema::Node &node) {
  mlir::Location loc = at(node);
  int64_t axis = node.ints[0];
  Value xs = axisFirst(build, loc, operand(node, 0), axis);
  RankedTensorType whole = tensorTypeOf(xs);
  RankedTensorType type = whole.clone(whole.getShape().drop_front());
  mlir::Block block;
  block.addArgument(RankedTensorType::get({}, build.getI32Type()), loc);
  Value sum = block.addArgument(type, loc), each = block.addArgument(type, loc), next;
  {
    mlir::OpBuilder::InsertionGuard guard(build);
    build.setInsertionPointToEnd(&block);
    next = AddOp::create(build, loc, sum, each);
  }
  Value zero = ConstantOp::create(build, loc, type, -0.0);
  ScanOp scan = ScanOp::close(build, loc, whole.getDimSize(0), /*reverse=*/false, zero, xs, block,
                              next, next);
  return axisBack(build, loc, scan.getStacked()[0], axis);
}

} // namespace dlm::lower
