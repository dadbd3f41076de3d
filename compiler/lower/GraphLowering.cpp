// Node by node, in the order in which they stand. A node names its op by the mnemonic, so most need
// no case at all: an op without attributes is made from its name. The rest fall into families,
// each a function that returns null for a node of another family.
#include "compiler/lower/GraphLowering.h"

#include "compiler/lower/Contraction.h"
#include "compiler/lower/Fitted.h"
#include "compiler/sema/value/DTypes.h"
#include "compiler/transforms/expand/Recompute.h"
#include "dialects/train/Train.h"

#include "llvm/ADT/MapVector.h"

namespace dlm::lower {

using mlir::RankedTensorType;
using mlir::Value;

mlir::Type elementType(mlir::MLIRContext &context, sema::DType dtype) {
  const sema::DTypeRow &row = sema::dtypeRow(dtype);
  switch (row.kind) {
  case sema::DTypeKind::Bool:
  case sema::DTypeKind::Signed:
    return mlir::IntegerType::get(&context, unsigned(row.bits));
  case sema::DTypeKind::Unsigned:
    return mlir::IntegerType::get(&context, unsigned(row.bits), mlir::IntegerType::Unsigned);
  case sema::DTypeKind::Real:
    break;
  }
  if (dtype == sema::DType::BF16) return mlir::BFloat16Type::get(&context);
  if (dtype == sema::DType::F16) return mlir::Float16Type::get(&context);
  if (dtype == sema::DType::F64) return mlir::Float64Type::get(&context);
  return mlir::Float32Type::get(&context);
}

RankedTensorType tensorType(mlir::MLIRContext &context, const sema::TensorType &type, Sizes sizes) {
  llvm::SmallVector<int64_t> shape;
  for (const sema::Dim &dim : type.dims) {
    auto size =
        dim.extent.evaluate({{sema::batchSymbol, sizes.rows}, {sema::flatSymbol, sizes.flat}});
    shape.push_back(size && size->isWhole() ? size->numerator : sizes.rows);
  }
  return RankedTensorType::get(shape, elementType(context, type.dtype));
}

RankedTensorType GraphLowering::typeOf(const sema::Node &node) {
  return tensorType(*build.getContext(), node.type, sizes);
}

mlir::LogicalResult GraphLowering::lower(const sema::Graph &graph, mlir::Region &region) {
  mlir::OpBuilder::InsertionGuard guard(build);
  build.setInsertionPointToStart(&region.emplaceBlock());
  mlir::FailureOr<NamedValues> results = append(graph);
  if (failed(results)) return mlir::failure();
  yieldNamed(build, region.getLoc(), *results);
  return mlir::success();
}

/// The op behind which the builder stands.
static mlir::Operation *opBefore(mlir::OpBuilder &build) {
  mlir::Block *block = build.getInsertionBlock();
  mlir::Block::iterator at = build.getInsertionPoint();
  return at == block->begin() ? nullptr : &*std::prev(at);
}

/// Marks what was written for a node of a call that is computed again for gradients: the calls are
/// told apart by their numbers. Where there are no gradients, equal calls may be one. A loop keeps
/// its states, and the step backwards computes the others again anyway.
void GraphLowering::markRecomputed(mlir::Operation *before, const sema::Node &node) {
  if (part != GraphPart::Training || node.recomputation == 0 || step) return;
  mlir::Attribute number = build.getI64IntegerAttr(node.recomputation);
  for (mlir::Operation *op = opBefore(build); op != before; op = op->getPrevNode())
    if (!mlir::isa<ScanOp>(op)) op->setAttr(expand::RecomputeAttr, number);
}

mlir::FailureOr<GraphLowering::NamedValues> GraphLowering::append(const sema::Graph &of,
                                                                  const NamedValues &given) {
  inputs = given;
  graph = &of;
  if (!lowerNodes()) return mlir::failure();
  lowerNexts(of);
  NamedValues results;
  for (const auto &[name, id] : of.results)
    results.emplace_back(name, values[id]);
  return results;
}

/// Those of the graph, in their order. False, with an error at the place, if one has no op.
bool GraphLowering::lowerNodes() {
  values.clear();
  for (const sema::Node &node : graph->nodes) {
    mlir::Operation *before = opBefore(build);
    Value value = lowerNode(node);
    markRecomputed(before, node);
    if (!value) {
      mlir::emitError(at(node)) << "`" << node.op << "` has no op to be lowered to";
      return false;
    }
    values.push_back(value);
  }
  return true;
}

void yieldNamed(mlir::OpBuilder &build, mlir::Location loc,
                const GraphLowering::NamedValues &results) {
  llvm::SmallVector<llvm::StringRef> names;
  llvm::SmallVector<Value> operands;
  for (const auto &[name, value] : results) {
    names.push_back(name);
    operands.push_back(value);
  }
  train::YieldOp::create(build, loc, build.getStrArrayAttr(names), operands);
}

void GraphLowering::lowerNexts(const sema::Graph &graph) {
  if (graph.nexts.empty()) return;
  if (!updates || updates->empty()) return lowerNexts(graph, graph.nexts, "");
  for (const sema::Update &update : *updates)
    lowerNexts(graph, update.loss.nexts, update.name);
}

/// The next value of each buffer: the mean of what several calls give. One that goes over samples
/// is complete with the last micro-batch, so what is the same in each of them is shared out. Of one
/// of several updates it is the sum, of which a mean is made when all of them have given theirs.
void GraphLowering::lowerNexts(const sema::Graph &graph, const std::vector<sema::NextValue> &given,
                               llvm::StringRef update) {
  llvm::MapVector<llvm::StringRef, llvm::SmallVector<const sema::NextValue *>> buffers;
  for (const sema::NextValue &next : given)
    buffers[next.path].push_back(&next);
  auto isSame = [&](const sema::NextValue *next) {
    return graph.nodes[next->value].grade == sema::Grade::Constant;
  };
  for (auto &[path, nexts] : buffers) {
    bool isOfRows = isCarried(graph.nodes[nexts.front()->value].type);
    bool sums = isOfRows || !llvm::all_of(nexts, isSame);
    mlir::Location loc = at(graph.nodes[nexts.front()->value]);
    Value sum;
    for (const sema::NextValue *next : nexts) {
      Value value = values[next->value];
      if (sums && !isOfRows && isSame(next))
        value = train::ShareOp::create(build, loc, value.getType(), value);
      sum = sum ? Value(AddOp::create(build, loc, sum, value)) : value;
    }
    if (nexts.size() > 1 && update.empty()) {
      auto type = mlir::cast<RankedTensorType>(sum.getType());
      sum = DivOp::create(build, loc, sum, ConstantOp::create(build, loc, type, nexts.size()));
    }
    if (isOfRows) sum = asWholeBatch(loc, sum);
    auto next =
        train::NextOp::create(build, loc, path, sum, sums, mlir::StringAttr(), mlir::IntegerAttr());
    if (update.empty()) continue;
    next.setUpdate(update);
    next.setCalls(nexts.size());
  }
}

Value GraphLowering::lowerNode(const sema::Node &node) {
  for (auto family :
       {&GraphLowering::leaf, &GraphLowering::source, &GraphLowering::combining,
        &GraphLowering::moving, &GraphLowering::overSamples, &GraphLowering::ordering,
        &GraphLowering::windowing, &GraphLowering::looping, &GraphLowering::differentiating})
    if (Value value = (this->*family)(node)) return value;
  return plain(node);
}

/// What the run provides.
Value GraphLowering::leaf(const sema::Node &node) {
  mlir::Location loc = at(node);
  RankedTensorType type = typeOf(node);
  for (const auto &[name, value] : inputs)
    if (node.op == "input" && node.text == name) return value;
  if (node.op == "input") return train::InputOp::create(build, loc, type, node.text);
  if (node.op == "parameter") return train::ParameterOp::create(build, loc, type, node.text);
  if (node.op == "buffer" && isCarried(node.type)) return carriedRows(node);
  if (node.op == "buffer" || node.op == "shadow")
    return train::StoredOp::create(build, loc, type, node.text);
  if (node.op == "fit" || node.op == "weights")
    return train::FittedOp::create(build, loc, type, site + endOfFitted(node));
  if (node.op == "option") return train::OptionOp::create(build, loc, type, node.text);
  if (node.op == "argument" || node.op == "extent") return argument(node);
  if (node.op == "ambient")
    return train::AmbientOp::create(build, loc, type, node.text == "updates" ? "made" : node.text);
  if (node.op == "state") return train::StateOp::create(build, loc, type, node.text);
  if (node.op == "target") return train::TargetOp::create(build, loc, type);
  if (node.op == "gradient") return train::GradientOp::create(build, loc, type);
  if (node.op == "sample_count") return train::SampleCountOp::create(build, loc, type);
  return {};
}

/// An argument of a command is a number, whatever its type is. A whole one stands in the graph as
/// the extent of its symbol, which is called like it, or `COMMAND.NAME`.
Value GraphLowering::argument(const sema::Node &node) {
  llvm::StringRef name = node.text;
  if (command.empty()) return {};
  if (!node.type.dims.empty()) // the tokens of a text
    return train::ArgumentOp::create(build, at(node), typeOf(node), command + "." + name.str());
  if (node.op == "extent" && name.starts_with(command + "."))
    name = name.drop_front(command.size() + 1);
  mlir::Location loc = at(node);
  auto f32 = RankedTensorType::get({}, build.getF32Type());
  Value value = train::ArgumentOp::create(build, loc, f32, command + "." + name.str());
  RankedTensorType type = typeOf(node);
  if (type == f32) return value;
  if (node.type.dtype != sema::DType::Bool) return CastOp::create(build, loc, type, value);
  Value zero = ConstantOp::create(build, loc, f32, 0.0);
  return CompareOp::create(build, loc, type, CompareKind::Ne, value, zero);
}

/// What is made from nothing.
Value GraphLowering::source(const sema::Node &node) {
  mlir::Location loc = at(node);
  if (node.op == "constant") return ConstantOp::create(build, loc, typeOf(node), node.number);
  if (node.op == "dense") return dense(node);
  if (node.op == "iota") return iota(node);
  if (node.op == "random") return random(node);
  return {};
}

/// Ops with attributes.
Value GraphLowering::combining(const sema::Node &node) {
  mlir::Location loc = at(node);
  RankedTensorType type = typeOf(node);
  if (node.op == "compare") {
    auto kind = symbolizeCompareKind(node.text);
    return kind ? CompareOp::create(build, loc, type, *kind, operand(node, 0), operand(node, 1))
                : Value();
  }
  if (node.op == "broadcast")
    return BroadcastOp::create(build, loc, type, operand(node, 0), node.ints);
  if (node.op == "transpose")
    return TransposeOp::create(build, loc, type, operand(node, 0), node.ints);
  if (node.op == "matmul") {
    bool isLeftTurned = node.ints.size() > 0 && node.ints[0];
    bool isRightTurned = node.ints.size() > 1 && node.ints[1];
    if (type.getElementType().isF32())
      return MatmulOp::create(build, loc, type, operand(node, 0), operand(node, 1), isLeftTurned,
                              isRightTurned, ChainAttr());
    std::string text = isLeftTurned ? "ba," : "ab,";
    text += isRightTurned ? "cb->ac" : "bc->ac";
    return contract(build, loc, text, operand(node, 0), operand(node, 1));
  }
  if (node.op == "contract")
    return contract(build, loc, node.text, operand(node, 0), operand(node, 1));
  auto kind = symbolizeReduceKind(node.text);
  if (node.op == "reduce" && kind)
    return ReduceOp::create(build, loc, type, *kind, operand(node, 0), node.ints, TreeAttr(),
                            /*toFirst=*/node.number != 0);
  return {};
}

/// What takes parts, joins, or chooses by index.
Value GraphLowering::moving(const sema::Node &node) {
  mlir::Location loc = at(node);
  RankedTensorType type = typeOf(node);
  if (node.op == "slice") return slice(node);
  if (node.op == "pad") return pad(node);
  if (node.op == "dynamic_slice") return dynamicSlice(node);
  if (node.op == "flip") {
    llvm::SmallVector<int64_t> dims(node.ints.begin(), node.ints.end());
    llvm::sort(dims);
    return FlipOp::create(build, loc, type, operand(node, 0), build.getDenseI64ArrayAttr(dims));
  }
  if (node.op == "concat") {
    llvm::SmallVector<Value> parts;
    for (sema::NodeId id : node.operands)
      parts.push_back(values[id]);
    return ConcatOp::create(build, loc, type, parts, build.getI64IntegerAttr(node.ints[0]));
  }
  if (node.op == "gather")
    return GatherOp::create(build, loc, type, operand(node, 0), operand(node, 1),
                            build.getI64IntegerAttr(node.ints[0]));
  return {};
}

/// A part may begin at a place that depends on how many samples there are.
Value GraphLowering::slice(const sema::Node &node) {
  llvm::SmallVector<int64_t> begins;
  for (const sema::Extent &begin : node.extents) {
    auto number = begin.evaluate({{sema::batchSymbol, sizes.rows}});
    if (!number || !number->isWhole()) return {};
    begins.push_back(number->numerator);
  }
  return SliceOp::create(build, at(node), typeOf(node), operand(node, 0),
                         build.getDenseI64ArrayAttr(begins));
}

Value GraphLowering::pad(const sema::Node &node) {
  llvm::SmallVector<int64_t> low(node.type.dims.size(), 0);
  for (size_t at = 0; at + 2 < node.ints.size(); at += 3)
    low[node.ints[at]] += node.ints[at + 1];
  return PadOp::create(build, at(node), typeOf(node), operand(node, 0),
                       build.getDenseI64ArrayAttr(low), build.getF64FloatAttr(node.number));
}

/// Dim by dim a gather by the numbers from the start on: where they are no index, the result is
/// NaN.
Value GraphLowering::dynamicSlice(const sema::Node &node) {
  mlir::Location loc = at(node);
  Value x = operand(node, 0);
  for (int64_t dim = 0, rank = typeOf(node).getRank(); dim < rank; ++dim) {
    Value start = operand(node, size_t(dim) + 1);
    auto from = mlir::cast<RankedTensorType>(x.getType());
    int64_t size = typeOf(node).getDimSize(dim);
    auto constant = start.getDefiningOp<ConstantOp>();
    bool isAll = constant && size == from.getDimSize(dim) &&
                 constant.getValue() == splat(mlir::cast<RankedTensorType>(start.getType()), 0);
    if (isAll) continue;
    llvm::SmallVector<int64_t> shape(from.getShape().take_front(dim));
    shape.push_back(size);
    auto idType = RankedTensorType::get(shape, build.getI32Type());
    Value ids = IotaOp::create(build, loc, idType, dim);
    Value first = BroadcastOp::create(build, loc, idType, start, llvm::ArrayRef<int64_t>());
    ids = AddOp::create(build, loc, idType, ids, first);
    llvm::append_range(shape, from.getShape().drop_front(dim + 1));
    x = GatherOp::create(build, loc, from.clone(shape), x, ids, build.getI64IntegerAttr(dim));
  }
  return x;
}

/// An op that is its name, its operands and its type; null if there is none of that name, or if it
/// has attributes that only another family could give.
Value GraphLowering::plain(const sema::Node &node) {
  if (node.op == "share")
    return train::ShareOp::create(build, at(node), typeOf(node), operand(node, 0));
  mlir::OperationState state(at(node), "dlm." + node.op);
  if (!state.name.isRegistered() || !state.name.getAttributeNames().empty()) return {};
  for (sema::NodeId id : node.operands)
    state.operands.push_back(values[id]);
  state.addTypes(typeOf(node));
  return build.create(state)->getResult(0);
}

Value GraphLowering::dense(const sema::Node &node) {
  RankedTensorType type = typeOf(node);
  llvm::SmallVector<mlir::Attribute> numbers;
  for (double number : node.numbers)
    numbers.push_back(splat(RankedTensorType::get({}, type.getElementType()), number)
                          .getSplatValue<mlir::Attribute>());
  return ConstantOp::create(build, at(node), mlir::DenseElementsAttr::get(type, numbers));
}

} // namespace dlm::lower
