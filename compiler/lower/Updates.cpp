#include "compiler/lower/Updates.h"

#include <set>

namespace dlm::lower {

/// Appends a graph, whose numbers of nodes go on from those there.
static void append(sema::Graph &to, sema::Graph &from) {
  auto first = sema::NodeId(to.nodes.size());
  for (sema::Node &node : from.nodes) {
    for (sema::NodeId &operand : node.operands)
      operand += first;
    to.nodes.push_back(std::move(node));
  }
  for (const auto &[name, node] : from.results)
    to.results.emplace_back(name, node + first);
  for (sema::NextValue next : from.nexts) {
    next.value += first;
    to.nexts.push_back(next);
  }
  from = {};
}

void joinUpdates(sema::TypedProgram &program) {
  for (sema::Update &update : program.updates) {
    append(program.loss, update.loss);
    append(program.evaluationLoss, update.evaluationLoss);
    program.groups.insert(program.groups.end(), update.groups.begin(), update.groups.end());
    program.constants.insert(program.constants.end(), update.constants.begin(),
                             update.constants.end());
  }
}

std::vector<WaitingUpdate> waitingUpdates(const sema::TypedProgram &program) {
  std::vector<WaitingUpdate> waiting;
  std::set<std::string> changed;
  for (const sema::Update &update : program.updates) {
    bool isSecond = false;
    for (const sema::OptimizerGroup &group : update.groups)
      for (const std::string &path : group.parameters)
        isSecond |= !changed.insert(path).second;
    if (isSecond)
      waiting.push_back({update.span, "the update `" + update.name + "`",
                         "it changes parameters that an update before it changes, and their "
                         "optimizers' states would share a name"});
  }
  if (program.updates.empty() || program.loss.nexts.empty()) return waiting;
  waiting.push_back({program.loss.nexts[0].span, "a buffer that an update gives its next value",
                     "a step does not average what several updates give"});
  return waiting;
}

} // namespace dlm::lower
