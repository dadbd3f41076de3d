// A reduction that took an axis away which a later operation misses: what is wrong is written
// there, and not where the shapes meet.
#pragma once

#include "compiler/sema/tensor/TensorWriter.h"

#include <optional>
#include <string>
#include <vector>

namespace dlm::sema {

struct DroppedAxes {
  Span place;       // of the reduction
  std::string axes; // "the axis `T`", "the last axis"
  size_t count = 0; // of the axes
  std::string over; // the axis to reduce instead; empty: with `keep = true` the shapes fit
};

/// The reduction from which `x` is computed element by element, if the shapes would fit had it kept
/// its axes, or gone over one other axis.
std::optional<DroppedAxes> findDroppedAxes(TensorWriter &tensors, const Tensor &x,
                                           const std::vector<Dim> &other);

} // namespace dlm::sema
