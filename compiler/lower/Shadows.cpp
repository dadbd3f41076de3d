#include "compiler/lower/Shadows.h"

#include "compiler/sema/tensor/GraphWalk.h"
#include "compiler/sema/tensor/Markers.h"

#include <set>

namespace dlm::lower {

namespace {

/// The paths of what is stored for models of models.
void collect(const sema::Graph &graph, std::set<std::string> &paths) {
  sema::forEachNode(graph, [&](const sema::Node &node) {
    if (node.op == "shadow") paths.insert(node.text);
  });
}

} // namespace

std::vector<Shadow> shadowsOf(const sema::TypedProgram &program) {
  std::set<std::string> read;
  for (const sema::Graph *graph : {&program.loss, &program.evaluationLoss, &program.metrics})
    collect(*graph, read);
  if (program.predict) collect(program.predict->graph, read);
  for (const sema::Command &command : program.commands)
    collect(command.graph, read);
  std::vector<Shadow> shadows;
  auto add = [&](const auto &stored) {
    for (const sema::Marker &marker : program.markers) {
      std::string path = sema::storedPath(marker, stored.path);
      bool isAverage = marker.kind == "ema";
      if (path.empty() || read.erase(path) == 0) continue;
      shadows.push_back({path, stored.path, &stored.init, stored.type, marker.span,
                         isAverage ? std::optional(marker.decay) : std::nullopt});
    }
  };
  for (const sema::Parameter &parameter : program.parameters)
    add(parameter);
  for (const sema::Buffer &buffer : program.buffers)
    add(buffer);
  return shadows;
}

} // namespace dlm::lower
