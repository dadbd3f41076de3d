// Only a division by the value itself is looked at: who adds something, or chooses another number
// by `where`, has thought of it.
#include "compiler/fit/ZeroDivisors.h"

#include "compiler/fit/FitColumns.h"

#include <algorithm>
#include <cstring>
#include <set>

namespace dlm::fit {

namespace {

using sema::Graph;
using sema::Node;
using sema::NodeId;

constexpr size_t NamedMax = 3;

/// The stored value that a node is, whatever its shape was made.
std::string storedBehind(const Graph &graph, NodeId id) {
  static const std::set<std::string> moves = {"broadcast", "reshape", "transpose"};
  while (moves.count(graph.nodes[id].op))
    id = graph.nodes[id].operands[0];
  const Node &node = graph.nodes[id];
  return node.op == "buffer" || node.op == "parameter" ? node.text : "";
}

bool dependsOn(const Graph &graph, NodeId id, const std::string &path) {
  std::vector<bool> isReached(size_t(id) + 1);
  isReached[size_t(id)] = true;
  for (NodeId each = id + 1; each-- > 0;) { // operands stand before their uses
    if (!isReached[size_t(each)]) continue;
    if (storedBehind(graph, each) == path) return true;
    for (NodeId operand : graph.nodes[each].operands)
      isReached[size_t(operand)] = true;
  }
  return false;
}

/// Whether the quotient is used only where a condition on the divisor chooses it.
bool isGuarded(const Graph &graph, NodeId quotient, const std::string &path) {
  return std::all_of(graph.nodes.begin(), graph.nodes.end(), [&](const Node &node) {
    if (!std::count(node.operands.begin(), node.operands.end(), quotient)) return true;
    return node.op == "select" && dependsOn(graph, node.operands[0], path);
  });
}

struct Zeros {
  std::string path;
  std::vector<std::string> columns; // with a 0; empty names if they are of no column
};

class ZeroSearch {
public:
  ZeroSearch(std::vector<Zeros> zeros, const sema::DataSource &data, DiagnosticEngine &diagnostics)
      : zeros(std::move(zeros)), data(data), diagnostics(diagnostics) {}

  void look(const Graph &graph) const {
    for (NodeId id = 0; id < NodeId(graph.nodes.size()); ++id) {
      const Node &node = graph.nodes[id];
      for (const auto &body : node.bodies)
        if (node.op != "fit") look(*body);
      if (node.op != "div") continue;
      std::string divisor = storedBehind(graph, node.operands[1]);
      for (const Zeros &each : zeros)
        if (each.path == divisor && !isGuarded(graph, id, divisor)) report(node, each);
    }
  }

private:
  void report(const Node &node, const Zeros &zero) const {
    std::string list;
    bool areColumns = !zero.columns.front().empty();
    size_t shown = areColumns ? std::min(zero.columns.size(), NamedMax) : 0;
    for (size_t i = 0; i < shown; ++i)
      list += (i ? ", \"" : "\"") + zero.columns[i] + "\"";
    if (areColumns && shown < zero.columns.size())
      list += " and " + std::to_string(zero.columns.size() - shown) + " more";
    std::string of =
        !areColumns ? ""
                    : (zero.columns.size() == 1 ? " for the column " : " for the columns ") + list;
    std::string name = zero.path.substr(zero.path.rfind('.') + 1);
    DiagnosticBuilder message = diagnostics.report(
        Kind::ConstantColumn, node.place(), "this divides by `" + zero.path + "`, which is 0" + of);
    message.note("it was computed from the " + std::to_string(data.trainCount) +
                 " training samples of `" + data.path + "`");
    std::string guard = "divide by `where(" + name + " > 0, " + name + ", 1)`";
    message.help(areColumns ? guard + ", or leave the column out: `drop = [" + list + "]`" : guard);
  }

  std::vector<Zeros> zeros;
  const sema::DataSource &data;
  DiagnosticEngine &diagnostics;
};

std::vector<Zeros> zerosOf(const std::vector<Fit> &fits, const lower::FittedValues &values,
                           const sema::DataSource &data) {
  std::vector<Zeros> zeros;
  for (const Fit &fit : fits) {
    if (fit.type.dtype != sema::DType::F32) continue;
    const std::vector<uint8_t> &bytes = values.bytes.at(fit.path);
    Zeros of{fit.path, {}};
    size_t count = bytes.size() / sizeof(float);
    for (size_t i = 0; i < count; ++i) {
      float value;
      std::memcpy(&value, bytes.data() + i * sizeof value, sizeof value);
      if (value != 0) continue;
      std::string column = columnOf(fit, data, i, count);
      if (!std::count(of.columns.begin(), of.columns.end(), column)) of.columns.push_back(column);
    }
    if (!of.columns.empty()) zeros.push_back(std::move(of));
  }
  return zeros;
}

} // namespace

void warnOfZeroDivisors(const sema::TypedProgram &program, const std::vector<Fit> &fits,
                        const lower::FittedValues &values, const sema::DataSource &data,
                        DiagnosticEngine &diagnostics) {
  std::vector<Zeros> zeros = zerosOf(fits, values, data);
  if (zeros.empty()) return;
  ZeroSearch search(std::move(zeros), data, diagnostics);
  search.look(program.loss);
  search.look(program.metrics);
  for (const sema::Update &update : program.updates)
    search.look(update.loss);
  if (program.predict) search.look(program.predict->graph);
  for (const sema::Command &command : program.commands)
    search.look(command.graph);
}

} // namespace dlm::fit
