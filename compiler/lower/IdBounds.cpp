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

/// A graph, which may be the step of a loop that stands in another.
struct Level {
  const Graph &graph;
  const Level *around = nullptr;
  NodeId loop = 0; // in the graph around

  const Node &node(NodeId id) const { return graph.nodes[id]; }
};
struct Place {
  const Level *level;
  NodeId id;

  const Node &node() const { return level->node(id); }
  Place operand(size_t index) const { return {level, node().operands[index]}; }
  bool operator==(const Place &other) const { return level == other.level && id == other.id; }
};

/// Where what a step uses from around its loop comes from; the place itself if it is no such.
Place captured(Place place) {
  while (place.node().op == "capture" && place.level->around) {
    Place loop = {place.level->around, place.level->loop};
    size_t others = size_t(loop.node().ints[0]) + (loop.node().ints[1] < 0 ? 2 : 1);
    place = loop.operand(others + std::stoul(place.node().text));
  }
  return place;
}

bool endsEarly(const Node &loop) {
  return loop.bodies[0]->results.size() > size_t(loop.ints[0] + loop.ints[2]);
}

/// What a loop goes over, if a place is an element of it; each is looked at if none ends the loop.
std::optional<Place> loopedOver(const Place &place) {
  if (place.node().op != "slot" || !place.level->around) return std::nullopt;
  Place loop = {place.level->around, place.level->loop};
  auto source = size_t(loop.node().ints[0]);
  bool isElement = loop.node().ints[1] >= 0 && std::stoul(place.node().text) == source;
  return isElement && !endsEarly(loop.node()) ? std::optional(loop.operand(source)) : std::nullopt;
}

/// The parts of a field that reach a place in the graph.
struct Ids {
  std::string field;
  std::vector<int64_t> begin, size;
};

/// The field, and which part of it, that a node is; nothing if that is not known for sure.
std::optional<Ids> idsAt(Place place) {
  std::vector<const Node *> slices; // those next to the field last
  for (;;) {
    place = captured(place);
    const Node &node = place.node();
    std::optional<Place> source = loopedOver(place);
    if (node.op == "slice")
      slices.push_back(&node);
    else if (source || node.op == "broadcast" || node.op == "reshape" || node.op == "transpose" ||
             node.op == "flip" || isCastOfIds(node, place.level->graph)) {
      // What stands behind such a step is no part of the field's own axes.
      if (!slices.empty()) return std::nullopt;
    } else
      break;
    place = source ? *source : place.operand(0);
  }
  const Node &input = place.node();
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
std::optional<double> constantAt(Place place) {
  for (place = captured(place);; place = captured(place.operand(0))) {
    const std::string &op = place.node().op;
    if (op != "broadcast" && op != "cast" && op != "reshape") break;
  }
  return place.node().op == "constant" ? std::optional(place.node().number) : std::nullopt;
}

/// A comparison of ids with a number.
struct Comparison {
  Place ids;
  double number;
};

std::optional<Comparison> comparisonAt(Place place, const char *how) {
  for (place = captured(place);; place = captured(place.operand(0))) {
    const std::string &op = place.node().op;
    if (op != "broadcast" && op != "reshape") break;
  }
  if (place.node().op != "compare" || place.node().text != how) return std::nullopt;
  std::optional<double> number = constantAt(place.operand(1));
  return number ? std::optional(Comparison{captured(place.operand(0)), *number}) : std::nullopt;
}

class BoundSearch {
public:
  BoundSearch(const Graph &graph, const SourceManager &sources, std::vector<IdBound> &found)
      : BoundSearch({graph}, nullptr, sources, found) {}

  void run() {
    const Graph &graph = level.graph;
    for (NodeId id = 0; id < graph.nodes.size(); ++id) {
      const Node &node = graph.nodes[id];
      if (node.op == "gather")
        lookAtTable(id, node);
      else if (node.op == "select")
        lookAtClasses(id, node);
      else if (node.op == "scan")
        BoundSearch({*node.bodies[0], &level, id}, this, sources, found).run();
    }
  }

private:
  BoundSearch(Level of, BoundSearch *outer, const SourceManager &sources,
              std::vector<IdBound> &found)
      : level(of), outer(outer), sources(sources), found(found), users(level.graph.nodes.size()) {
    for (NodeId id = 0; id < level.graph.nodes.size(); ++id)
      for (NodeId operand : level.node(id).operands)
        users[operand].push_back(id);
  }

  void lookAtTable(NodeId id, const Node &node) {
    const Node &table = level.node(node.operands[0]);
    const sema::Dim &rows = table.type.dims[size_t(node.ints[0])];
    if (!isReal(table.type.dtype) || !rows.isWhole()) return;
    add(id, {&level, node.operands[1]}, rows.size(),
        "table of " + std::to_string(rows.size()) + " rows");
  }

  /// `where(id >= 0 and id < classes, score, 0 / 0)`, as `cross_entropy` has it.
  void lookAtClasses(NodeId id, const Node &node) {
    Place condition = captured({&level, node.operands[0]});
    const Node &other = captured({&level, node.operands[2]}).node();
    if (condition.node().op != "and" || other.op != "div" || other.operands[0] != other.operands[1])
      return;
    std::optional<Comparison> low = comparisonAt(condition.operand(0), "ge");
    std::optional<Comparison> high = comparisonAt(condition.operand(1), "lt");
    if (!low || !high || !(low->ids == high->ids) || low->number != 0) return;
    add(id, high->ids, int64_t(high->number),
        "loss of " + std::to_string(int64_t(high->number)) + " classes");
  }

  void add(NodeId use, Place ids, int64_t below, const std::string &what) {
    std::optional<Ids> from = idsAt(ids);
    if (!from) return;
    for (BoundSearch *each = this; each; each = each->outer)
      each->seen.assign(each->level.graph.nodes.size(), false);
    std::optional<int64_t> ignored;
    bool isMasked = isLeftOut(use, *from, ignored);
    if (isMasked && !ignored) return;
    if (!isMasked) ignored.reset();
    IdBound bound{from->field, from->begin, from->size, below, ignored, ""};
    Span place = level.node(use).place();
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
    seen[id] = true;
    for (size_t i = 0; i < level.graph.results.size(); ++i)
      if (level.graph.results[i].second == id && !isLeftOutAround(i, ids, ignored)) return false;
    for (NodeId next : users[id]) {
      const Node &user = level.node(next);
      if (user.op == "select" && user.operands[0] != id) {
        const char *leavesOut = user.operands[1] == id ? "ne" : "eq";
        if (std::optional<int64_t> one = ignoredBy({&level, user.operands[0]}, leavesOut, ids))
          ignored = one;
        continue;
      }
      if (!staysInPlace(user) || (!seen[next] && !isLeftOut(next, ids, ignored))) return false;
    }
    return true;
  }

  /// The same from a result of the graph on: of a step, what becomes of it in the next trip and
  /// behind the loop.
  bool isLeftOutAround(size_t result, const Ids &ids, std::optional<int64_t> &ignored) {
    if (!outer) return false;
    const Node &loop = outer->level.node(level.loop);
    if (result >= size_t(loop.ints[0] + loop.ints[2])) return false; // ends the loop
    for (NodeId id = 0; id < level.graph.nodes.size(); ++id) {
      const Node &slot = level.node(id);
      bool isNext =
          slot.op == "slot" && result < size_t(loop.ints[0]) && std::stoul(slot.text) == result;
      if (isNext && !seen[id] && !isLeftOut(id, ids, ignored)) return false;
    }
    for (NodeId id : outer->users[level.loop]) {
      bool isSame = size_t(outer->level.node(id).ints[0]) == result;
      if (isSame && !outer->seen[id] && !outer->isLeftOut(id, ids, ignored)) return false;
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
  std::optional<int64_t> ignoredBy(Place mask, const char *how, const Ids &ids) const {
    std::optional<Comparison> unequal = comparisonAt(mask, how);
    if (!unequal) return std::nullopt;
    std::optional<Ids> compared = idsAt(unequal->ids);
    bool isSame = compared && compared->field == ids.field && compared->begin == ids.begin &&
                  compared->size == ids.size;
    return isSame ? std::optional(int64_t(unequal->number)) : std::nullopt;
  }

  Level level;
  BoundSearch *outer; // of the graph around
  const SourceManager &sources;
  std::vector<IdBound> &found;
  std::vector<std::vector<NodeId>> users;
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
