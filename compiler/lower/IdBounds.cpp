// From the use of an id back to the field it is from, through what only moves it; and from what
// comes of it on to what leaves it out, if anything does.
#include "compiler/lower/IdBounds.h"

#include "compiler/sema/value/DTypes.h"

#include <algorithm>
#include <set>

namespace dlm::lower {

namespace {

using sema::Graph;
using sema::Node;
using sema::NodeId;

bool isWholeType(sema::DType dtype) {
  return dtype == sema::DType::U8 || dtype == sema::DType::I32 || dtype == sema::DType::I64;
}

bool isCastOfIds(const Node &node, const Graph &graph) {
  return node.op == "cast" && isWholeType(node.type.dtype) &&
         isWholeType(graph.nodes[node.operands[0]].type.dtype);
}

/// The parts of a field that reach a place in the graph.
struct Ids {
  std::string field;
  std::vector<int64_t> begin, size;
};

/// The field, and which part of it, that a node is; nothing if that is not known for sure.
std::optional<Ids> idsAt(const Graph &graph, NodeId id) {
  std::vector<const Node *> slices; // those next to the field last
  for (;;) {
    const Node &node = graph.nodes[id];
    if (node.op == "slice")
      slices.push_back(&node);
    else if (node.op == "broadcast" || node.op == "reshape" || node.op == "transpose" ||
             node.op == "flip" || isCastOfIds(node, graph)) {
      // What stands behind such a step is no part of the field's own axes.
      if (!slices.empty()) return std::nullopt;
    } else
      break;
    id = node.operands[0];
  }
  const Node &input = graph.nodes[id];
  if (input.op != "input" || !isWholeType(input.type.dtype)) return std::nullopt;
  Ids ids{input.text, {}, {}};
  for (size_t dim = 1; dim < input.type.dims.size(); ++dim) {
    if (!input.type.dims[dim].isWhole()) return std::nullopt;
    ids.begin.push_back(0);
    ids.size.push_back(input.type.dims[dim].size());
  }
  for (auto slice = slices.rbegin(); slice != slices.rend(); ++slice)
    for (size_t dim = 1; dim < input.type.dims.size(); ++dim) {
      const sema::Dim &kept = (*slice)->type.dims[dim];
      if (!(*slice)->extents[dim].isWhole() || !kept.isWhole()) return std::nullopt;
      ids.begin[dim - 1] += (*slice)->extents[dim].asWhole();
      ids.size[dim - 1] = kept.size();
    }
  return ids;
}

/// The number that a node is everywhere; nothing if it is not one.
std::optional<double> constantAt(const Graph &graph, NodeId id) {
  const Node *node = &graph.nodes[id];
  while (node->op == "broadcast" || node->op == "cast" || node->op == "reshape")
    node = &graph.nodes[node->operands[0]];
  return node->op == "constant" ? std::optional(node->number) : std::nullopt;
}

/// A comparison of ids with a number.
struct Comparison {
  NodeId ids;
  double number;
};

std::optional<Comparison> comparisonAt(const Graph &graph, NodeId id, const char *how) {
  const Node *node = &graph.nodes[id];
  while (node->op == "broadcast" || node->op == "reshape")
    node = &graph.nodes[node->operands[0]];
  if (node->op != "compare" || node->text != how) return std::nullopt;
  std::optional<double> number = constantAt(graph, node->operands[1]);
  return number ? std::optional(Comparison{node->operands[0], *number}) : std::nullopt;
}

class BoundSearch {
public:
  BoundSearch(const Graph &graph, const SourceManager &sources, std::vector<IdBound> &found)
      : graph(graph), sources(sources), found(found), users(graph.nodes.size()) {
    for (NodeId id = 0; id < graph.nodes.size(); ++id)
      for (NodeId operand : graph.nodes[id].operands)
        users[operand].push_back(id);
    for (const auto &[name, id] : graph.results)
      isResult.insert(id);
  }

  void run() {
    for (NodeId id = 0; id < graph.nodes.size(); ++id) {
      const Node &node = graph.nodes[id];
      if (node.op == "gather")
        lookAtTable(id, node);
      else if (node.op == "select")
        lookAtClasses(id, node);
    }
  }

private:
  void lookAtTable(NodeId id, const Node &node) {
    const Node &table = graph.nodes[node.operands[0]];
    const sema::Dim &rows = table.type.dims[size_t(node.ints[0])];
    if (!isReal(table.type.dtype) || !rows.isWhole()) return;
    add(id, node.operands[1], rows.size(), "table of " + std::to_string(rows.size()) + " rows");
  }

  /// `where(id >= 0 and id < classes, score, 0 / 0)`, as `cross_entropy` has it.
  void lookAtClasses(NodeId id, const Node &node) {
    const Node &condition = graph.nodes[node.operands[0]], &other = graph.nodes[node.operands[2]];
    if (condition.op != "and" || other.op != "div" || other.operands[0] != other.operands[1])
      return;
    std::optional<Comparison> low = comparisonAt(graph, condition.operands[0], "ge");
    std::optional<Comparison> high = comparisonAt(graph, condition.operands[1], "lt");
    if (!low || !high || low->ids != high->ids || low->number != 0) return;
    add(id, high->ids, int64_t(high->number),
        "loss of " + std::to_string(int64_t(high->number)) + " classes");
  }

  void add(NodeId use, NodeId ids, int64_t below, const std::string &what) {
    std::optional<Ids> from = idsAt(graph, ids);
    if (!from) return;
    seen.assign(graph.nodes.size(), false);
    std::optional<int64_t> ignored;
    bool isMasked = isLeftOut(use, *from, ignored);
    if (isMasked && !ignored) return;
    if (!isMasked) ignored.reset();
    IdBound bound{from->field, from->begin, from->size, below, ignored, ""};
    Span place = graph.nodes[use].place();
    bound.what = "the " + what;
    if (place.isValid() && place.file < sources.fileCount())
      bound.what += " at " + std::string(sources.path(place.file)) + ":" +
                    std::to_string(sources.line(place.file, place.begin));
    bool isKnown = std::any_of(found.begin(), found.end(), [&](const IdBound &each) {
      return each.field == bound.field && each.begin == bound.begin && each.size == bound.size &&
             each.below == bound.below && each.ignored == bound.ignored;
    });
    if (!isKnown) found.push_back(std::move(bound));
  }

  /// Whether `where` leaves out, on every way from a node to a result, what comes of ids that are
  /// none, before it meets other samples or a product. `ignored`: the mask leaves out one id.
  bool isLeftOut(NodeId id, const Ids &ids, std::optional<int64_t> &ignored) {
    if (isResult.count(id)) return false;
    seen[id] = true;
    for (NodeId next : users[id]) {
      const Node &user = graph.nodes[next];
      if (user.op == "select" && user.operands[0] != id) {
        const char *leavesOut = user.operands[1] == id ? "ne" : "eq";
        if (std::optional<int64_t> one = ignoredBy(user.operands[0], leavesOut, ids)) ignored = one;
        continue;
      }
      if (!staysInPlace(user) || (!seen[next] && !isLeftOut(next, ids, ignored))) return false;
    }
    return true;
  }

  static bool staysInPlace(const Node &node) {
    static const std::set<std::string> names = {
        "neg",     "abs",       "exp",   "log",   "sqrt",   "rsqrt",  "tanh",  "erf",
        "sin",     "cos",       "add",   "sub",   "mul",    "div",    "max",   "min",
        "pow",     "relu",      "cast",  "floor", "ceil",   "round",  "sign",  "broadcast",
        "reshape", "transpose", "slice", "flip",  "reduce", "concat", "select"};
    return names.count(node.op) != 0;
  }

  /// The id that a mask leaves out, if it leaves out no others; `how` it compares to do so.
  std::optional<int64_t> ignoredBy(NodeId mask, const char *how, const Ids &ids) const {
    std::optional<Comparison> unequal = comparisonAt(graph, mask, how);
    if (!unequal) return std::nullopt;
    std::optional<Ids> compared = idsAt(graph, unequal->ids);
    bool isSame = compared && compared->field == ids.field && compared->begin == ids.begin &&
                  compared->size == ids.size;
    return isSame ? std::optional(int64_t(unequal->number)) : std::nullopt;
  }

  const Graph &graph;
  const SourceManager &sources;
  std::vector<IdBound> &found;
  std::vector<std::vector<NodeId>> users;
  std::set<NodeId> isResult;
  std::vector<bool> seen;
};

/// Whether the reader of the files has compared the ids of a field with their number already.
bool isReadChecked(const IdBound &bound, const sema::DataSource &data) {
  if (!data.maps.empty()) return false;
  for (const sema::Field &field : data.fields) {
    bool isCompared = field.areTokens || field.name == "label" || data.kind == "csv";
    if (field.name == bound.field && isCompared && field.ids > 0 && field.ids <= bound.below)
      return true;
  }
  return false;
}

} // namespace

std::vector<IdBound> idBoundsOf(const sema::TypedProgram &program, const SourceManager &sources) {
  std::vector<IdBound> found;
  // What `fn predict` reads may be another kind of rows: those of training need not fit it.
  for (const Graph *graph : {&program.loss, &program.evaluationLoss, &program.metrics})
    BoundSearch(*graph, sources, found).run();
  found.erase(
      std::remove_if(found.begin(), found.end(),
                     [&](const IdBound &bound) { return isReadChecked(bound, program.data); }),
      found.end());
  return found;
}

} // namespace dlm::lower
