// How parameters start: the nodes of an initialiser for a shape.
#pragma once

#include "compiler/sema/tensor/TensorWriter.h"

namespace dlm::sema {

/// Writes the nodes of the initial value into the current graph.
Tensor initialise(TensorWriter &tensors, const InitialiserObject &initialiser,
                  const std::vector<Dim> &dims);

} // namespace dlm::sema
