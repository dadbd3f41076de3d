// The text so far is the prompt and what was made. The model sees its last tokens, up to a window,
// in a row whose size is open: what stands behind it is in no sum, maximum or product, so a model
// that looks at what follows sees what is there and nothing else.
#include "compiler/lower/Generation.h"

#include "compiler/sema/tensor/GraphWalk.h"

#include <algorithm>
#include <map>
#include <vector>

namespace dlm::lower {

namespace {

using sema::Dim;
using sema::DType;
using sema::Extent;
using sema::Graph;
using sema::Node;
using sema::NodeId;
using sema::TensorType;

class Unfolding {
public:
  Unfolding(const Graph &from, const sema::Symbols &symbols) : from(from), symbols(symbols) {}

  UnfoldedGraph run() {
    for (const Node &node : from.nodes) {
      here = &node;
      Node copy = node;
      for (NodeId &operand : copy.operands)
        operand = ids[operand];
      ids.push_back(node.op == "generate" ? generated(node) : add(std::move(copy)));
      if (result.refused) return std::move(result);
    }
    for (const auto &[name, id] : from.results)
      result.graph.results.emplace_back(name, ids[id]);
    for (auto &[name, id] : hidden)
      result.graph.results.emplace_back(name, id);
    return std::move(result);
  }

private:
  NodeId refuse(const std::string &what, const std::string &reason) {
    result.refused = here;
    result.what = what;
    result.reason = reason;
    return 0;
  }

  NodeId add(Node node) {
    result.graph.nodes.push_back(std::move(node));
    return NodeId(result.graph.nodes.size() - 1);
  }

  NodeId write(const std::string &op, TensorType type, std::vector<NodeId> operands,
               std::vector<int64_t> ints = {}, const std::string &text = "") {
    Node node;
    node.op = op;
    node.type = std::move(type);
    node.operands = std::move(operands);
    node.ints = std::move(ints);
    node.text = text;
    node.span = here->span;
    node.shown = here->shown;
    node.layer = here->layer;
    return add(std::move(node));
  }

  const TensorType &typeOf(NodeId id) const { return result.graph.nodes[id].type; }

  // Of whole numbers; a scalar meets a row.
  NodeId number(int64_t value) {
    NodeId id = write("constant", {DType::I32, {}}, {});
    result.graph.nodes[id].number = double(value);
    return id;
  }
  NodeId spread(NodeId x, const std::vector<Dim> &dims) {
    return typeOf(x).dims.size() == dims.size() ? x
                                                : write("broadcast", {DType::I32, dims}, {x}, {});
  }
  NodeId compute(const std::string &op, NodeId a, NodeId b) {
    std::vector<Dim> dims = typeOf(a).dims.empty() ? typeOf(b).dims : typeOf(a).dims;
    return write(op, {DType::I32, dims}, {spread(a, dims), spread(b, dims)});
  }
  NodeId compare(const std::string &kind, NodeId a, NodeId b) {
    const std::vector<Dim> dims = typeOf(a).dims;
    return write("compare", {DType::Bool, dims}, {a, spread(b, dims)}, {}, kind);
  }
  NodeId reshape(NodeId x, std::vector<Dim> dims) {
    return write("reshape", {typeOf(x).dtype, std::move(dims)}, {x});
  }
  NodeId size(const Extent &extent) {
    NodeId id = write("size", {DType::I32, {}}, {});
    result.graph.nodes[id].extents = {extent};
    return id;
  }

  /// The most that a size can be. The checker has seen that there is such a number.
  int64_t largest(const Extent &extent) const {
    std::optional<sema::Number> most = sema::intervalOf(symbols, extent).upper;
    return most && most->isWhole() ? std::max<int64_t>(most->numerator, 1) : 0;
  }

  NodeId generated(const Node &node);
  NodeId windowOf(NodeId prompt, NodeId places, NodeId length);
  NodeId lastLogits(const Node &node, NodeId row, NodeId seen);
  NodeId inlined(const Graph &body, const std::map<std::string, NodeId> &slots);

  const Graph &from;
  const sema::Symbols &symbols;
  const Node *here = nullptr;
  std::vector<NodeId> ids;                            // by node of `from`
  std::vector<std::pair<std::string, NodeId>> hidden; // results
  std::vector<NodeId> captured;                       // of all functions, those of the next first
  size_t usedCaptures = 0;
  NodeId count = 0, made = 0; // how many ids there are, and they
  UnfoldedGraph result;
};

/// The result of a function. What it draws is drawn anew for each id.
NodeId Unfolding::inlined(const Graph &body, const std::map<std::string, NodeId> &slots) {
  auto isDraw = [](const Node &node) { return node.op == "random"; };
  std::vector<NodeId> at;
  for (Node node : body.nodes) {
    if (node.op == "slot") {
      at.push_back(slots.at(node.text));
      continue;
    }
    if (node.op == "capture") {
      at.push_back(captured[usedCaptures + size_t(std::stoul(node.text))]);
      continue;
    }
    for (NodeId &operand : node.operands)
      operand = at[operand];
    if (isDraw(node)) node.operands.push_back(count);
    if (node.op == "scan" && sema::hasInside(node, isDraw))
      sema::giveToStep(node, count, typeOf(count), isDraw,
                       [](Node &draw, NodeId each) { draw.operands.push_back(each); });
    at.push_back(add(std::move(node)));
  }
  return at[body.results[0].second];
}

/// The tokens at these places of the text: those of the prompt, then those that were made.
NodeId Unfolding::windowOf(NodeId prompt, NodeId places, NodeId length) {
  std::vector<Dim> dims = typeOf(places).dims;
  const Extent known = typeOf(prompt).dims[0].extent;
  NodeId inPrompt = compute("min", places, number(largest(known) - 1));
  NodeId inMade = compute("max", compute("sub", places, length), number(0));
  inMade = compute("min", inMade, number(result.madeMax - 1));
  NodeId first = write("gather", {DType::I32, dims}, {prompt, inPrompt}, {0});
  NodeId then = write("gather", {DType::I32, dims}, {made, inMade}, {0});
  return write("select", {DType::I32, dims}, {compare("lt", places, length), first, then});
}

/// What the model says of the last place of a row of which it sees so many.
NodeId Unfolding::lastLogits(const Node &node, NodeId row, NodeId seen) {
  const Graph &model = *node.bodies[0];
  std::map<std::string, NodeId> slots;
  for (const Node &leaf : model.nodes) {
    if (leaf.op != "slot" || slots.count(leaf.text)) continue;
    std::vector<Dim> dims = {Dim::whole(1), typeOf(row).dims[0]};
    NodeId tokens = leaf.text == "0"         ? reshape(row, dims)
                    : leaf.text == "segment" ? spread(number(0), dims)
                                             : write("iota", {DType::I32, dims}, {}, {1});
    slots[leaf.text] = write("open", leaf.type, {tokens, seen});
  }
  NodeId logits = inlined(model, slots);
  usedCaptures += size_t(node.ints[0]);
  std::vector<Dim> one = {Dim::whole(1), Dim::whole(1)};
  Dim classes = typeOf(logits).dims[2];
  NodeId last = spread(compute("sub", seen, number(1)), one);
  last = write("gather", {DType::F32, {one[0], one[1], classes}}, {logits, last}, {1});
  return reshape(last, {one[0], classes});
}

/// The ids with the one that is made now.
NodeId Unfolding::generated(const Node &node) {
  if (result.madeMax > 0) return refuse("a second `generate` in a command", "a call makes one id");
  TensorType prompt = from.nodes[node.operands[0]].type;
  bool isOneText = prompt.dims.size() == 1 || prompt.dims[0].extent == Extent::whole(1);
  if (!isOneText) return refuse("`generate` of several texts at once", "a call makes one id");
  if (prompt.dtype != DType::I32)
    return refuse("`generate` of ids that are no `i32`", "tokens are `i32`");
  int64_t window = largest(node.extents[1]);
  result.madeMax = largest(node.extents[0]);
  bool isKnown = window > 0 && !node.extents[1].isWhole() && result.madeMax > 0;
  if (!isKnown) return refuse("`generate` from a text of any length", "nothing bounds it");
  captured.clear();
  for (size_t i = 1; i < node.operands.size(); ++i)
    captured.push_back(ids[node.operands[i]]);
  Dim limit = Dim::whole(result.madeMax), length = prompt.dims.back();
  count = write("argument", {DType::I32, {}}, {}, {}, MadeName);
  made = write("argument", {DType::I32, {limit}}, {}, {}, std::string(MadeName) + ".ids");
  NodeId begin = ids[node.operands[0]];
  if (prompt.dims.size() > 1) begin = reshape(begin, {length});
  NodeId given = size(length.extent), total = compute("add", given, count);
  NodeId seen = compute("min", total, number(window));
  NodeId places = write("iota", {DType::I32, {Dim::whole(window)}}, {}, {0});
  places = compute("add", places, compute("sub", total, seen));
  NodeId logits = lastLogits(node, windowOf(begin, places, given), seen);
  bool hasPick = node.text.rfind("pick", 0) == 0,
       hasUntil = node.bodies.size() > size_t(1 + hasPick);
  NodeId next;
  if (hasPick) {
    next = inlined(*node.bodies[1], {{"0", logits}});
    usedCaptures += size_t(node.ints[1]);
  } else {
    next = write("argmax", {DType::I32, {Dim::whole(1)}}, {logits}, {1});
  }
  next = reshape(next, {});
  NodeId numbers = write("iota", {DType::I32, {limit}}, {}, {0});
  NodeId all = write("select", {DType::I32, {limit}},
                     {compare("eq", numbers, count), spread(next, {limit}), made});
  NodeId one = compute("add", count, number(1));
  NodeId isEnd = write("compare", {DType::Bool, {}}, {one, size(node.extents[0])}, {}, "ge");
  auto opened = [&](std::vector<Dim> dims) {
    std::vector<Dim> whole = dims;
    whole.back() = limit;
    NodeId ids = whole.size() > 1 ? reshape(all, whole) : all;
    return write("open", {DType::I32, std::move(dims)},
                 hasUntil ? std::vector<NodeId>{ids, one} : std::vector<NodeId>{ids});
  };
  if (hasUntil) {
    result.madeSymbol = node.extents[2].text();
    Dim open = {node.extents[2], "", false};
    NodeId ends = inlined(*node.bodies.back(), {{"0", opened({Dim::whole(1), open})}});
    isEnd = write("or", {DType::Bool, {}}, {isEnd, reshape(ends, {})});
  }
  hidden = {{NextName, next}, {EndName, isEnd}};
  return opened(node.type.dims);
}

} // namespace

UnfoldedGraph unfoldGeneration(const Graph &graph, const sema::Symbols &symbols) {
  return Unfolding(graph, symbols).run();
}

} // namespace dlm::lower
