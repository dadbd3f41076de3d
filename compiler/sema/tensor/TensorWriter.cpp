// See TensorWriter.h. A tensor of the free graph is copied into the current graph where it is
// used; a tensor of a hook never leaves it, since hooks give their results by name only.
#include "compiler/sema/tensor/TensorWriter.h"

#include "compiler/sema/value/Shapes.h"

#include <algorithm>
#include <cassert>
#include <set>

namespace dlm::sema {

TensorWriter::TensorWriter() { graphs.push_back(std::make_shared<GraphBuilder>(0)); }

NodeId TensorWriter::use(const Tensor &x) { return useAt(graphs.size() - 1, x); }

/// The tensor's node in the graph at this level. What belongs to a graph around it is captured, as
/// bodies of loops are graphs of their own.
NodeId TensorWriter::useAt(size_t level, const Tensor &x) {
  GraphBuilder &graph = *graphs[level];
  if (x.graph == graph.id) return x.node;
  if (x.graph == 0) return graph.copyFrom(free().graph, x.node);
  assert(level > 0 && "a tensor outlives its graph");
  NodeId outer = useAt(level - 1, x);
  return graph.capture(outer, graphs[level - 1]->node(outer));
}

const Node &TensorWriter::node(const Tensor &x) {
  return x.graph == 0 ? free().node(x.node) : current().node(use(x));
}

std::vector<const Node *> TensorWriter::leavesOf(const Tensor &x) const {
  size_t level = graphs.size() - 1;
  while (level > 0 && graphs[level]->id != x.graph)
    --level;
  std::vector<const Node *> leaves;
  std::vector<std::pair<size_t, NodeId>> open = {{level, x.node}};
  std::set<std::pair<size_t, NodeId>> seen;
  while (!open.empty()) {
    auto place = open.back();
    open.pop_back();
    if (!seen.insert(place).second) continue;
    const Node &node = graphs[place.first]->node(place.second);
    if (node.op == "capture")
      open.emplace_back(place.first - 1, graphs[place.first]->captured()[std::stoul(node.text)]);
    else if (node.operands.empty())
      leaves.push_back(&node);
    for (NodeId operand : node.operands)
      open.emplace_back(place.first, operand);
  }
  return leaves;
}

Tensor TensorWriter::emit(Node node, const std::vector<Tensor> &operands) {
  bool isLoose = !operands.empty() && node.type.dims.empty();
  ++nodesWritten;
  for (const Tensor &operand : operands) {
    node.operands.push_back(use(operand));
    isLoose &= operand.isLoose;
  }
  node.span = span;
  node.shown = report ? report->placeToShow(span) : span;
  node.layer = layer;
  node.marks = marks;
  node.recomputation = recomputation;
  TensorType type = node.type;
  return {current().id, current().add(std::move(node)), std::move(type), isLoose};
}

Tensor TensorWriter::leaf(const std::string &op, const std::string &text, const TensorType &type,
                          Span at) {
  return {current().id, current().leaf(op, text, type, at), type, false};
}

Tensor TensorWriter::freeLeaf(const std::string &op, const std::string &text,
                              const TensorType &type, Span at) {
  return {0, free().leaf(op, text, type, at), type, false};
}

Tensor TensorWriter::constant(double value, DType dtype, std::vector<Dim> dims) {
  Node node;
  node.op = "constant";
  node.type = {dtype, std::move(dims)};
  node.number = value;
  Tensor result = emit(std::move(node), {});
  result.isLoose = result.type.dims.empty();
  return result;
}

Tensor TensorWriter::pointwise(const std::string &op, const std::vector<Tensor> &operands,
                               DType dtype, const std::string &text) {
  Node node;
  node.op = op;
  node.text = text;
  node.type = {dtype, operands.front().type.dims};
  return emit(std::move(node), operands);
}

Tensor TensorWriter::binary(const std::string &op, const Tensor &a, const Tensor &b) {
  const std::vector<Dim> &dims = a.type.dims.empty() ? b.type.dims : a.type.dims;
  return pointwise(op, {stretch(a, dims), stretch(b, dims)}, a.type.dtype);
}

Tensor TensorWriter::cast(const Tensor &x, DType dtype) {
  return x.type.dtype == dtype ? x : pointwise("cast", {x}, dtype);
}

Tensor TensorWriter::stretch(const Tensor &x, const std::vector<Dim> &dims) {
  if (sameShape(x.type.dims, dims)) {
    Tensor renamed = x;
    renamed.type.dims = dims;
    return renamed;
  }
  Node node;
  node.op = "broadcast";
  node.type = {x.type.dtype, dims};
  for (size_t i = 0; i < x.type.dims.size(); ++i)
    node.ints.push_back(int64_t(dims.size() - x.type.dims.size() + i));
  return emit(std::move(node), {x});
}

Tensor TensorWriter::reshape(const Tensor &x, std::vector<Dim> dims) {
  if (sameShape(x.type.dims, dims)) {
    Tensor renamed = x;
    renamed.type.dims = std::move(dims);
    return renamed;
  }
  Node node;
  node.op = "reshape";
  node.type = {x.type.dtype, std::move(dims)};
  return emit(std::move(node), {x});
}

Tensor TensorWriter::transpose(const Tensor &x, const std::vector<int64_t> &permutation) {
  Node node;
  node.op = "transpose";
  node.ints = permutation;
  node.type.dtype = x.type.dtype;
  for (int64_t axis : permutation)
    node.type.dims.push_back(x.type.dims[axis]);
  return emit(std::move(node), {x});
}

Tensor TensorWriter::reduce(const std::string &kind, const Tensor &x,
                            const std::vector<int64_t> &axes, bool keep) {
  return reduceAll(kind, {x}, axes, keep);
}

Tensor TensorWriter::squaredDistances(const Tensor &x, const std::optional<Tensor> &mask,
                                      const std::vector<int64_t> &axes, bool keep) {
  std::vector<Tensor> operands = {x};
  if (mask) operands.push_back(*mask);
  return reduceAll("squares", operands, axes, keep);
}

Tensor TensorWriter::reduceAll(const std::string &kind, const std::vector<Tensor> &operands,
                               const std::vector<int64_t> &axes, bool keep) {
  const Tensor &x = operands[0];
  Node node;
  node.op = "reduce";
  node.text = kind;
  node.ints = axes;
  std::sort(node.ints.begin(), node.ints.end());
  node.type.dtype = x.type.dtype;
  std::vector<Dim> kept;
  for (size_t i = 0; i < x.type.dims.size(); ++i) {
    bool isReduced = std::binary_search(node.ints.begin(), node.ints.end(), int64_t(i));
    if (!isReduced)
      node.type.dims.push_back(x.type.dims[i]);
    else if (x.type.dims[i].extent.countsSamples())
      node.op = "batch_reduce";
    kept.push_back(isReduced ? Dim::one(x.type.dims[i].name) : x.type.dims[i]);
  }
  if (node.ints.empty()) return x;
  Tensor result = emit(std::move(node), operands);
  return keep ? reshape(result, std::move(kept)) : result;
}

Tensor TensorWriter::matmul(const Tensor &a, const Tensor &b) {
  Node node;
  node.op = "matmul";
  node.ints = {0, 0};
  node.type = {a.type.dtype, {a.type.dims[0], b.type.dims[1]}};
  return emit(std::move(node), {a, b});
}

Tensor TensorWriter::bytes(const std::string &text) {
  Node node;
  node.op = "dense";
  node.type = {DType::U8, {Dim::whole(int64_t(text.size()))}};
  for (unsigned char byte : text)
    node.numbers.push_back(byte);
  return emit(std::move(node), {});
}

Tensor TensorWriter::translate(const std::string &op, const std::string &source, const Tensor &x,
                               const TensorType &type) {
  Node node;
  node.op = op;
  node.text = source;
  node.type = type;
  return emit(std::move(node), {x});
}

Tensor TensorWriter::contract(const std::string &text, const Tensor &a, const Tensor &b,
                              std::vector<Dim> dims, bool isOverSamples) {
  Node node;
  node.op = isOverSamples ? "batch_contract" : "contract";
  node.text = text;
  node.type = {a.type.dtype, std::move(dims)};
  return emit(std::move(node), {a, b});
}

Tensor TensorWriter::concat(const std::vector<Tensor> &parts, int64_t axis) {
  if (parts.size() == 1) return parts.front();
  Node node;
  node.op = "concat";
  node.ints = {axis};
  node.type = parts.front().type;
  Extent size;
  for (const Tensor &part : parts)
    size = Extent::add(size, part.type.dims[axis].extent).value_or(size);
  node.type.dims[axis] = {size, "", false};
  return emit(std::move(node), parts);
}

Tensor TensorWriter::slice(const Tensor &x, std::vector<Extent> begins, std::vector<Dim> dims) {
  if (sameShape(x.type.dims, dims)) return reshape(x, std::move(dims));
  Node node;
  node.op = "slice";
  node.extents = std::move(begins);
  node.type = {x.type.dtype, std::move(dims)};
  return emit(std::move(node), {x});
}

Tensor TensorWriter::gather(const Tensor &x, const Tensor &ids, int64_t axis) {
  Node node;
  node.op = "gather";
  node.ints = {axis};
  node.type = {x.type.dtype, ids.type.dims};
  for (size_t i = 0; i < size_t(axis); ++i)
    if (node.type.dims[i].name.empty()) node.type.dims[i].name = x.type.dims[i].name;
  node.type.dims.insert(node.type.dims.end(), x.type.dims.begin() + axis + 1, x.type.dims.end());
  return emit(std::move(node), {x, ids});
}

Tensor TensorWriter::iota(const std::vector<Dim> &dims, int64_t axis, DType dtype) {
  Node node;
  node.op = "iota";
  node.ints = {axis};
  node.type = {dtype, dims};
  return emit(std::move(node), {});
}

Tensor TensorWriter::random(const std::string &text, const std::vector<Dim> &dims) {
  Node node;
  node.op = "random";
  node.text = text;
  node.type = {DType::F32, dims};
  return emit(std::move(node), {});
}

Tensor TensorWriter::sampleCount() { return leaf("sample_count", "", {DType::F32, {}}, span); }

GraphScope::GraphScope(TensorWriter &writer) : writer(writer) {
  builder = std::make_shared<GraphBuilder>(writer.graphCount++);
  writer.graphs.push_back(builder);
}

GraphScope::~GraphScope() { writer.graphs.pop_back(); }

} // namespace dlm::sema
