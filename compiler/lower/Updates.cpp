#include "compiler/lower/Updates.h"

#include "compiler/lower/GraphLowering.h"

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
  for (sema::NextValue &next : from.nexts)
    next.value += first;
  to.nexts.insert(to.nexts.end(), from.nexts.begin(), from.nexts.end());
  std::vector<sema::NextValue> nexts = std::move(from.nexts);
  from = {};
  from.nexts = std::move(nexts);
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
  if (program.updates.empty()) return waiting;
  for (const sema::NextValue &next : program.loss.nexts)
    if (isCarried(program.loss.nodes[next.value].type))
      waiting.push_back({next.span, "a buffer over the batch in an update",
                         "a step of several updates carries no rows from one batch to the next"});
  return waiting;
}

} // namespace dlm::lower
