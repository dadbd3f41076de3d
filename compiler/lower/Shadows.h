// What a run stores for copies and averages of models. The typed program names such a tensor by its
// own path; what it starts as, and follows, is a parameter or buffer of the model.
#pragma once

#include "compiler/sema/TypedProgram.h"

#include <optional>
#include <string>
#include <vector>

namespace dlm::lower {

struct Shadow {
  std::string path;        // "ema(net, decay = 0.99).weight"
  std::string of;          // "net.weight"
  const sema::Graph *init; // of what it shadows
  sema::TensorType type;
  Span span;
  std::optional<double> decay; // of an average
};

/// Those that a graph of the program reads, each once, in the order of the parameters and buffers
/// that they shadow.
std::vector<Shadow> shadowsOf(const sema::TypedProgram &program);

} // namespace dlm::lower
