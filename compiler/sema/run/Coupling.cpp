// Where samples of a batch meet: batches that `micro` splits and evaluations, which see a part of
// the samples at a time, cannot compute that. Each place is reported once, whichever of them sees
// it.
#include "compiler/sema/run/TrainBlock.h"
#include "compiler/sema/tensor/AcrossSamples.h"
#include "compiler/sema/value/Shapes.h"

#include <algorithm>

namespace dlm::sema {

namespace {

/// Whether the step of a loop has samples in it that it takes from the batch itself.
bool hasSamplesInStep(const Node &loop) {
  for (const auto &body : loop.bodies)
    for (const Node &node : body->nodes)
      if (hasBatchAxis(node.type.dims) || hasSamplesInStep(node)) return true;
  return false;
}

/// A node in which samples meet.
struct Meeting {
  const Node *node = nullptr; // null: they do not
  bool isWhole = false;       // a value of the whole batch meets single samples
};

/// The first place where samples meet each other, or what was reduced over all of them.
Meeting meetingOf(const Graph &graph) {
  auto hasSamples = [&](NodeId id) { return hasBatchAxis(graph.nodes[id].type.dims); };
  auto isOfBatch = [&](NodeId id) {
    return graph.nodes[id].grade == Grade::Coupled || graph.nodes[id].grade == Grade::Sum;
  };
  for (const Node &node : graph.nodes) {
    const std::vector<NodeId> &operands = node.operands;
    bool isReduction = node.op == "batch_reduce" || node.op == "batch_contract";
    bool hasRows =
        std::any_of(operands.begin(), operands.end(), hasSamples) || hasSamplesInStep(node);
    bool isJoined = hasBatchAxis(node.type.dims) || (hasRows && !isReduction);
    if (node.grade != Grade::Coupled || !isJoined) continue;
    return {&node, !hasRows || std::any_of(operands.begin(), operands.end(), isOfBatch)};
  }
  return {};
}

/// Whether what was reduced over the batch had other axes too, so that another may have been meant.
bool hadOtherAxes(const Graph &graph, const Node &meeting) {
  for (NodeId id : meeting.operands) {
    const Node *node = &graph.nodes[id];
    while (node->op != "batch_reduce" && !node->operands.empty())
      node = &graph.nodes[node->operands[0]];
    if (node->op == "batch_reduce" && graph.nodes[node->operands[0]].type.dims.size() > 1)
      return true;
  }
  return false;
}

/// A node of the library is shown at the call in the program, with its own line below.
void addLibraryLine(Report &message, const Node &node) {
  if (!(node.place() == node.span)) message.secondary(node.span, "");
}

/// `log_softmax(x, over = 1)[labels]`: an element of each row is meant, and rows are picked.
bool addWayOfRows(Report &message, const Graph &graph, const SourceManager &sources,
                  const Node &node) {
  if (node.op != "gather" || node.ints[0] != 0) return false;
  const std::vector<Dim> &dims = graph.nodes[node.operands[0]].type.dims;
  std::string text(sources.text(node.span));
  size_t open = std::string::npos;
  int depth = 0;
  for (size_t i = text.size(); i-- > 0 && open == std::string::npos;) {
    depth += (text[i] == ']') - (text[i] == '[');
    if (depth == 0) open = i; // also where there is no bracket: at the end
  }
  if (dims.size() != 2 || open == std::string::npos || text[open] != '[') return false;
  std::string rows = text.substr(0, open), ids = text.substr(open + 1, text.size() - open - 2);
  message.help("an index in the first place picks whole rows of the batch; an element of each row "
               "is `gather(" +
               rows + ", " + ids + ", over = 1)`");
  if (rows.rfind("log_softmax(", 0) == 0 || rows.rfind("log(", 0) == 0)
    message.help("the loss of classes is `cross_entropy(logits, " + ids + ")`");
  return true;
}

/// False if only one of them makes sense.
bool addWaysOut(Report &message, const Graph &graph, const SourceManager &sources,
                const Meeting &meeting) {
  if (addWayOfRows(message, graph, sources, *meeting.node)) return false;
  if (meeting.isWhole && hadOtherAxes(graph, *meeting.node))
    message.help("the batch is axis 0; `over = -1` is the last axis of each sample");
  message.help(groupsAdvice);
  return true;
}

} // namespace

/// A loss in which samples influence each other cannot be split into micro-batches.
void TrainBlock::checkCoupling(const Graph &graph) {
  const Settings &values = result.settings;
  if (values.micro == 0 || values.micro >= values.batch) return;
  GraphGrade grade = gradeOf(graph);
  if (!grade.cause) return;
  Meeting meeting = meetingOf(graph);
  bool isInLoop = grade.inner != grade.cause; // then the place in its step says more
  const Node &shown = meeting.node && !isInLoop ? *meeting.node : *grade.inner;
  meetings.insert({shown.span.begin, shown.span.end});
  if (meeting.node) meetings.insert({meeting.node->span.begin, meeting.node->span.end});
  Report message(report, Kind::CoupledBatch, shown.place(),
                 "samples of a batch influence each other here, and `micro` splits the batch");
  addLibraryLine(message, shown);
  message.secondary(settings.given["micro"], "micro-batches of " + std::to_string(values.micro) +
                                                 ", of a batch of " + std::to_string(values.batch));
  if (!meeting.node) message.help("leave `micro` out, so that each batch is computed whole");
  if (meeting.node && addWaysOut(message, graph, evaluator.sources, meeting))
    message.help("or leave `micro` out, and compute something else while evaluating: `if training "
                 "{ ... } else { ... }`");
}

/// An evaluation sees a part of the samples at a time: what was reduced is known at the end only,
/// and cannot go back into single samples, and samples cannot meet in any other way.
void TrainBlock::checkEvaluation(const Graph &graph, bool isLoss) {
  Meeting meeting = meetingOf(graph);
  if (!meeting.node) return;
  Span place = meeting.node->span;
  if (!meetings.insert({place.begin, place.end}).second) return;
  std::string what = meeting.isWhole ? "a value of all samples meets single ones here"
                                     : "samples influence each other here";
  Report message(report, Kind::CoupledBatch, meeting.node->place(),
                 what + ", and an evaluation sees a part of the samples at a time");
  addLibraryLine(message, *meeting.node);
  bool isOpen = addWaysOut(message, graph, evaluator.sources, meeting);
  if (evaluator.sources.text(meeting.node->place()).rfind("logsumexp(", 0) == 0)
    message.help("`c + log(sum(exp(x - c)))` sees each sample once, `c` being a number near the "
                 "largest `x`");
  if (isLoss && isOpen)
    message.help("or compute something else while evaluating: `if training { ... } else { ... }`");
}

} // namespace dlm::sema
