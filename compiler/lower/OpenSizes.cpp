// Of a tensor, an element is right if its index along each axis is below the axis' size in this
// call, and anything otherwise. Every operation keeps that: most by themselves, as they work
// element by element or only move whole axes; the others are cases below, or have to wait.
#include "compiler/lower/OpenSizes.h"

#include "compiler/lower/Generation.h"
#include "compiler/lower/OpenElements.h"
#include "compiler/sema/tensor/GraphWalk.h"
#include "compiler/sema/value/Symbols.h"

#include <algorithm>
#include <map>

namespace dlm::lower {

namespace {

using sema::DType;
using sema::Extent;
using sema::Graph;
using sema::Node;
using sema::NodeId;

/// The most tokens of a text of which nothing but their number is looked at.
constexpr int64_t TokensMax = int64_t(1) << 40;

class SizeCloser {
public:
  SizeCloser(const sema::Command &command, const std::string &data, const sema::Symbols &symbols)
      : command(command), data(data), symbols(symbols) {
    for (const sema::CommandArgument &argument : command.arguments)
      if (!argument.symbol.empty()) result.arguments[argument.symbol] = argument.name;
    for (const Node &node : command.graph.nodes) {
      if (node.op != "encode" || node.text != data) continue;
      const Node &text = operand(node, 0);
      if (text.op == "argument") result.arguments[node.type.dims[0].extent.text()] = text.text;
    }
    for (const sema::TokenCount &count : command.tokenCounts) // also of ids that nothing uses
      if (count.source == data) result.arguments[count.symbol] = count.argument;
  }

  /// The value of a symbol is that of this argument.
  void nameArgument(const std::string &symbol, const std::string &argument) {
    result.arguments[symbol] = argument;
  }

  ClosedCommand run() {
    for (const Node &node : command.graph.nodes) {
      here = &node;
      ids.push_back(place(node));
      if (result.fault) return std::move(result);
    }
    for (const auto &[name, id] : command.graph.results) {
      const Node &node = command.graph.nodes[id];
      here = &node;
      std::optional<NodeId> value = node.op == "decode" ? ids[node.operands[0]] : ids[id];
      if (node.op == "decode" && node.text != data) refuseSource(node.text);
      if (!value && !result.fault)
        refuse("a text that is no text of tokens", "it does not go through a tokenizer");
      if (result.fault) return std::move(result);
      result.graph.results.emplace_back(name, *value);
    }
    for (const sema::CommandResult &each : command.results)
      for (const Extent &size : each.sizes)
        checkWritten(size);
    for (const sema::TokenCount &count : command.tokenCounts)
      if (count.source == data) result.texts.emplace(count.argument, largest(count.symbol));
    return std::move(result);
  }

private:
  /// The run has to find out a result's size from the arguments alone.
  void checkWritten(const Extent &size) {
    bool isKnown = size.constantPart().isWhole();
    for (const auto &[product, factor] : size.products()) {
      isKnown &= factor.isWhole();
      for (const std::string &symbol : product)
        isKnown &= result.arguments.count(symbol) != 0;
    }
    if (!isKnown) refuse("a result of the size `" + size.text() + "`", "it need not be whole");
  }

  std::nullopt_t refuse(const std::string &what, const std::string &reason) {
    if (!result.fault) result.fault = {here->place(), what, reason};
    return std::nullopt;
  }

  std::nullopt_t refuseSource(const std::string &source) {
    return refuse("the tokenizer of `" + source + "`",
                  "the executable has that of the data it is trained with, `" + data + "`");
  }

  std::nullopt_t refuseAxis(const std::string &what) {
    return refuse(what + " along a size that a call decides",
                  "that size is known at run time only");
  }

  /// The node of the closed graph; nothing for a text itself, which has no place there.
  std::optional<NodeId> place(const Node &node) {
    bool isText = node.op == "argument" && node.type.dtype == DType::U8;
    if (isText || node.op == "decode") return std::nullopt;
    if (node.op == "encode") return encode(node);
    if (node.op == "size") return valueOf(node.extents[0]);
    if (node.op == "open") return opened(node);
    if (node.op == "extent" && computed.count(node.text))
      return add(like("cast", node.type, {computed.at(node.text)}));
    for (NodeId operand : node.operands)
      if (!ids[operand]) return refuse("computing with a text", "a text only becomes tokens");
    Node copy = node;
    for (NodeId &operand : copy.operands)
      operand = *ids[operand];
    nameSizes(copy);
    if (result.fault) return std::nullopt;
    bool isTouched = isOpen(node.type) || sema::hasInside(node, isOfOpenSize);
    for (NodeId operand : node.operands)
      isTouched |= isOpen(command.graph.nodes[operand].type);
    isTouched |= node.op == "scan_result"; // whatever its own sizes are
    if (!isTouched) return add(std::move(copy));
    for (sema::Dim &dim : copy.type.dims)
      if (!close(dim)) return std::nullopt;
    return adapt(node, std::move(copy));
  }

  /// The tokens of a text that comes in.
  std::optional<NodeId> encode(const Node &node) {
    const Node &text = command.graph.nodes[node.operands[0]];
    if (node.text != data) return refuseSource(node.text);
    if (text.op != "argument")
      return refuse("`encode` of a text that is no argument", "no step makes tokens of it");
    Node leaf = node;
    leaf.op = "argument";
    leaf.text = text.text + ".ids";
    leaf.operands.clear();
    if (!close(leaf.type.dims[0])) return std::nullopt;
    result.texts[text.text] = leaf.type.dims[0].size();
    return add(std::move(leaf));
  }

  /// The operand itself, whose size is computed from here on.
  std::optional<NodeId> opened(const Node &node) {
    if (node.operands.size() > 1)
      computed[node.type.dims.back().extent.text()] = *ids[node.operands[1]];
    return ids[node.operands[0]];
  }

  /// The sizes that an operation reads as numbers, or those in it: of arguments, or computed here.
  void nameSizes(Node &node) {
    for (const auto &[symbol, id] : computed) {
      auto reads = [symbol = &symbol](const Node &each) {
        return each.op == "extent" && each.text == *symbol;
      };
      if (!sema::hasInside(node, reads)) continue;
      sema::giveToStep(node, id, {DType::I32, {}}, reads, [](Node &each, NodeId value) {
        each.op = "cast";
        each.operands = {value};
        each.text.clear();
      });
    }
    auto name = [&](Node &each) {
      if (each.op != "extent") return;
      if (!result.arguments.count(each.text)) refuseNumber(each.text);
      each.text = argumentOf(each.text);
    };
    name(node);
    sema::changeInside(node, name);
  }

  void refuseNumber(const std::string &symbol) {
    for (const sema::TokenCount &count : command.tokenCounts)
      if (count.symbol == symbol) refuseSource(count.source);
    refuse("a size as a number", "sizes that only the run knows are not told to a step");
  }

  /// The most that the number of a text's tokens can be.
  int64_t largest(const std::string &symbol) const {
    std::optional<sema::Number> most = sema::intervalOf(symbols, Extent::symbol(symbol)).upper;
    return most && most->isWhole() ? most->numerator : TokensMax;
  }

  /// The argument whose value, or whose number of tokens, a symbol is.
  std::string argumentOf(const std::string &symbol) const {
    auto found = result.arguments.find(symbol);
    return found == result.arguments.end() ? symbol : found->second;
  }

  NodeId add(Node node) {
    result.graph.nodes.push_back(std::move(node));
    return NodeId(result.graph.nodes.size() - 1);
  }

  /// Makes a size the largest that it can be.
  bool close(sema::Dim &dim) {
    if (dim.isWhole()) return true;
    std::optional<sema::Number> most = sema::intervalOf(symbols, dim.extent).upper;
    if (!most || !most->isWhole())
      return refuse("the size `" + dim.extent.text() + "`",
                    "nothing says how large it gets, as `require x.shape[0] <= 1024` does"),
             false;
    dim.extent = Extent::whole(std::max<int64_t>(most->numerator, 1));
    return true;
  }

  int64_t sizeOf(NodeId id, size_t axis) const {
    return result.graph.nodes[id].type.dims[axis].size();
  }

  Node like(const std::string &op, sema::TensorType type, std::vector<NodeId> operands) const {
    Node node;
    node.op = op;
    node.type = std::move(type);
    node.operands = std::move(operands);
    node.span = here->span;
    node.shown = here->shown;
    node.layer = here->layer;
    return node;
  }

  NodeId number(double value, DType dtype) {
    Node node = like("constant", {dtype, {}}, {});
    node.number = value;
    return add(std::move(node));
  }

  NodeId spread(NodeId x, const sema::TensorType &type, std::vector<int64_t> axes) {
    Node node = like("broadcast", {result.graph.nodes[x].type.dtype, type.dims}, {x});
    node.ints = std::move(axes);
    return add(std::move(node));
  }

  NodeId valueOf(const std::string &symbol) {
    if (auto found = computed.find(symbol); found != computed.end()) return found->second;
    Node leaf = like("extent", {DType::I32, {}}, {});
    leaf.text = argumentOf(symbol);
    return add(std::move(leaf));
  }

  /// A size in this call, as an i32.
  std::optional<NodeId> valueOf(const Extent &size) {
    std::optional<NodeId> sum;
    auto addTerm = [&](NodeId term) {
      sum = sum ? add(like("add", {DType::I32, {}}, {*sum, term})) : term;
    };
    for (const auto &[product, factor] : size.products()) {
      if (!factor.isWhole()) return refuseAxis("a part");
      std::optional<NodeId> term;
      if (factor.numerator != 1) term = number(double(factor.numerator), DType::I32);
      for (const std::string &name : product) {
        NodeId value = valueOf(name);
        term = term ? add(like("mul", {DType::I32, {}}, {*term, value})) : value;
      }
      addTerm(*term);
    }
    if (!size.constantPart().isWhole()) return refuseAxis("a part");
    if (!sum || size.constantPart().numerator != 0)
      addTerm(number(double(size.constantPart().numerator), DType::I32));
    return sum;
  }

  /// x, and `neutral` where an index along these axes is not below the size in this call. `of` is
  /// x in the command's graph.
  std::optional<NodeId> masked(NodeId x, const Node &of, const std::vector<int64_t> &axes,
                               double neutral) {
    for (int64_t axis : axes) {
      const sema::Dim &dim = of.type.dims[size_t(axis)];
      if (dim.isWhole()) continue;
      sema::TensorType type = result.graph.nodes[x].type;
      std::optional<NodeId> size = valueOf(dim.extent);
      if (!size) return std::nullopt;
      sema::TensorType row = {DType::I32, {type.dims[size_t(axis)]}};
      Node count = like("iota", row, {});
      count.ints = {0};
      NodeId indexes = add(std::move(count));
      Node below = like("compare", {DType::Bool, row.dims}, {indexes, spread(*size, row, {})});
      below.text = "lt";
      NodeId isThere = spread(add(std::move(below)), type, {axis});
      NodeId rest = spread(number(neutral, type.dtype), type, {});
      x = add(like("select", type, {isThere, x, rest}));
    }
    return x;
  }

  std::optional<NodeId> adapt(const Node &node, Node copy);
  std::optional<NodeId> reduce(const Node &node, Node copy, const std::string &kind);
  std::optional<NodeId> matmul(const Node &node, Node copy);
  std::optional<NodeId> contract(const Node &node, Node copy);
  std::optional<NodeId> reshape(const Node &node, Node copy);
  std::optional<NodeId> gather(const Node &node, Node copy);
  std::optional<NodeId> slice(const Node &node, Node copy);
  std::optional<NodeId> concat(const Node &node, Node copy);
  std::optional<NodeId> pad(const Node &node, Node copy);
  std::optional<NodeId> loop(const Node &node, Node copy);
  std::optional<NodeId> loopResult(const Node &node, Node copy);

  const Node &operand(const Node &node, size_t index) const {
    return command.graph.nodes[node.operands[index]];
  }

  const sema::Command &command;
  const std::string &data;
  const sema::Symbols &symbols;
  std::map<std::string, NodeId> computed; // symbols that no argument decides
  const Node *here = nullptr;
  std::vector<std::optional<NodeId>> ids; // in the closed graph, by node of the command's
  ClosedCommand result;
};

std::vector<int64_t> allAxes(const Node &node) {
  std::vector<int64_t> axes;
  for (size_t i = 0; i < node.type.dims.size(); ++i)
    axes.push_back(int64_t(i));
  return axes;
}

std::optional<NodeId> SizeCloser::adapt(const Node &node, Node copy) {
  const std::string &op = node.op;
  bool isWholeDivision = (op == "div" || op == "rem") && node.type.dtype != DType::F32;
  if (isWholeDivision) { // what stands behind a size may be 0
    std::optional<NodeId> divisor = masked(copy.operands[1], operand(node, 1), allAxes(node), 1);
    if (!divisor) return std::nullopt;
    copy.operands[1] = *divisor;
  }
  if (keepsElements(op)) return add(std::move(copy));
  if (op == "reduce") return reduce(node, std::move(copy), node.text);
  if (op == "argmax") return reduce(node, std::move(copy), "max");
  if (op == "argmin") return reduce(node, std::move(copy), "min");
  if (op == "matmul") return matmul(node, std::move(copy));
  if (op == "contract") return contract(node, std::move(copy));
  if (op == "reshape") return reshape(node, std::move(copy));
  if (op == "gather") return gather(node, std::move(copy));
  if (op == "slice") return slice(node, std::move(copy));
  if (op == "concat") return concat(node, std::move(copy));
  if (op == "pad") return pad(node, std::move(copy));
  if (op == "scan") return loop(node, std::move(copy));
  if (op == "scan_result") return loopResult(node, std::move(copy));
  bool goesAlong = op == "flip" || op == "order" || op == "top_k";
  if (!goesAlong) return refuse("`" + op + "` of a size that a call decides", "no kernel does it");
  size_t axes = op == "flip" ? node.ints.size() : 1;
  for (size_t i = 0; i < axes; ++i)
    if (!operand(node, 0).type.dims[size_t(node.ints[i])].isWhole())
      return refuseAxis("`" + std::string(op == "order" ? "sort" : op) + "`");
  return add(std::move(copy));
}

std::optional<NodeId> SizeCloser::reduce(const Node &node, Node copy, const std::string &kind) {
  const Node &x = operand(node, 0);
  std::optional<double> neutral = neutralOf(kind, x.type.dtype);
  if (!neutral) return refuseAxis("`" + kind + "` of such integers");
  std::optional<NodeId> rest = masked(copy.operands[0], x, node.ints, *neutral);
  if (!rest) return std::nullopt;
  copy.operands[0] = *rest;
  return add(std::move(copy));
}

/// Both sides: what is not a number times 0 is not 0.
std::optional<NodeId> SizeCloser::matmul(const Node &node, Node copy) {
  bool isLeftTurned = node.ints.size() > 0 && node.ints[0];
  bool isRightTurned = node.ints.size() > 1 && node.ints[1];
  for (size_t side : {0, 1}) {
    int64_t axis = side == 0 ? !isLeftTurned : isRightTurned;
    std::optional<NodeId> rest = masked(copy.operands[side], operand(node, side), {axis}, 0);
    if (!rest) return std::nullopt;
    copy.operands[side] = *rest;
  }
  return add(std::move(copy));
}

std::optional<NodeId> SizeCloser::contract(const Node &node, Node copy) {
  size_t comma = node.text.find(','), arrow = node.text.find("->");
  std::string sides[2] = {node.text.substr(0, comma),
                          node.text.substr(comma + 1, arrow - comma - 1)};
  for (size_t side : {0, 1}) {
    std::vector<int64_t> summed;
    for (size_t i = 0; i < sides[side].size(); ++i)
      if (node.text.find(sides[side][i], arrow + 2) == std::string::npos)
        summed.push_back(int64_t(i));
    std::optional<NodeId> rest = masked(copy.operands[side], operand(node, side), summed, 0);
    if (!rest) return std::nullopt;
    copy.operands[side] = *rest;
  }
  return add(std::move(copy));
}

/// Axes become one, or one several. Where an open one is among them it has to be the outermost, on
/// both sides: then the elements of a call come first, one after the other, as they do in all.
std::optional<NodeId> SizeCloser::reshape(const Node &node, Node copy) {
  const std::vector<sema::Dim> &from = operand(node, 0).type.dims, &to = node.type.dims;
  size_t i = 0, j = 0;
  auto boundOf = [&](const sema::Dim &dim) {
    sema::Dim bound = dim;
    return close(bound) ? double(bound.size()) : -1.0;
  };
  while (i < from.size() || j < to.size()) {
    size_t firstFrom = i, firstTo = j;
    std::optional<Extent> left = Extent::whole(1), right = Extent::whole(1);
    double leftBound = 1, rightBound = 1;
    do {
      bool isLeft = i < from.size() && (leftBound <= rightBound || j == to.size());
      if (!isLeft && j == to.size()) break;
      const sema::Dim &dim = isLeft ? from[i++] : to[j++];
      double bound = boundOf(dim);
      if (bound < 0) return std::nullopt;
      std::optional<Extent> &product = isLeft ? left : right;
      if (product) product = Extent::multiply(*product, dim.extent);
      (isLeft ? leftBound : rightBound) *= bound;
    } while (!left || !right || *left != *right);
    bool isSame = left && right && *left == *right && leftBound == rightBound;
    bool isAlone = i - firstFrom == 1 && j - firstTo == 1;
    isSame &= isAlone || (isOpenOutside(from, firstFrom, i) && isOpenOutside(to, firstTo, j));
    if (!isSame)
      return refuse("a reshape that moves a size that a call decides inwards",
                    "what stands behind it would come between");
  }
  return add(std::move(copy));
}

/// What stands behind the ids need not be one.
std::optional<NodeId> SizeCloser::gather(const Node &node, Node copy) {
  std::optional<NodeId> chosen =
      masked(copy.operands[1], operand(node, 1), allAxes(operand(node, 1)), 0);
  if (!chosen) return std::nullopt;
  copy.operands[1] = *chosen;
  return add(std::move(copy));
}

std::optional<NodeId> SizeCloser::slice(const Node &node, Node copy) {
  for (size_t axis = 0; axis < node.type.dims.size(); ++axis) {
    const Extent &begin = node.extents[axis];
    if (!begin.isWhole())
      return refuse("a part that begins where a call decides",
                    "the place is known at run time only");
    int64_t end = begin.asWhole() + copy.type.dims[axis].size();
    if (end > sizeOf(copy.operands[0], axis)) return refuseAxis("a part");
  }
  return add(std::move(copy));
}

std::optional<NodeId> SizeCloser::concat(const Node &node, Node copy) {
  auto axis = size_t(node.ints[0]);
  for (size_t i = 0; i + 1 < node.operands.size(); ++i)
    if (!operand(node, i).type.dims[axis].isWhole()) return refuseAxis("`concat`");
  return add(std::move(copy));
}

/// What stands behind a size comes to stand where the padding is.
std::optional<NodeId> SizeCloser::pad(const Node &node, Node copy) {
  std::vector<int64_t> axes;
  for (size_t i = 0; i < node.ints.size(); i += 3)
    axes.push_back(node.ints[i]);
  std::optional<NodeId> rest = masked(copy.operands[0], operand(node, 0), axes, node.number);
  if (!rest) return std::nullopt;
  copy.operands[0] = *rest;
  return add(std::move(copy));
}

/// Along such a size it makes the most trips that it can: what it gives before they are too many
/// is right. What stands behind the size need not be ids, so there are zeros.
std::optional<NodeId> SizeCloser::loop(const Node &node, Node copy) {
  if (sema::hasInside(node, isOfOpenSize))
    return refuse("a loop with a size in its step that a call decides",
                  "a step is planned for one size");
  if (!goesOn(node, command.graph)) return add(std::move(copy));
  auto source = size_t(node.ints[0]);
  std::optional<NodeId> xs =
      masked(copy.operands[source], operand(node, source), {node.ints[1]}, 0);
  if (!xs) return std::nullopt;
  copy.operands[source] = *xs;
  return add(std::move(copy));
}

std::optional<NodeId> SizeCloser::loopResult(const Node &node, Node copy) {
  const Node &of = operand(node, 0);
  if (node.ints[0] < of.ints[0] && goesOn(of, command.graph))
    return refuse("the last state of a loop along a size that a call decides",
                  "the loop goes on to the largest");
  return add(std::move(copy));
}

} // namespace

ClosedCommand closeSizes(const sema::Command &command, const std::string &data) {
  sema::Symbols symbols;
  for (const auto &[name, bounds] : command.bounds)
    symbols[name] = {bounds.first, bounds.second, {}, false, "", false};
  UnfoldedGraph unfolded = unfoldGeneration(command.graph, symbols);
  ClosedCommand closed;
  if (unfolded.refused) {
    closed.fault = {unfolded.refused->place(), unfolded.what, unfolded.reason};
    return closed;
  }
  sema::Command whole = command;
  whole.graph = std::move(unfolded.graph);
  SizeCloser closer(whole, data, symbols);
  if (!unfolded.madeSymbol.empty()) closer.nameArgument(unfolded.madeSymbol, MadeName);
  closed = closer.run();
  closed.madeMax = unfolded.madeMax;
  return closed;
}

} // namespace dlm::lower
