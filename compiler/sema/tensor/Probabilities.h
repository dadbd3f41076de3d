// Recognises values that are probabilities already, where logits are wanted.
#pragma once

#include "compiler/sema/tensor/TensorWriter.h"

namespace dlm::sema {

/// Whether the tensor is what `softmax` gives, perhaps in another shape.
bool isSoftmax(TensorWriter &tensors, const Tensor &x);

/// Whether it is what `sigmoid` of the library gives.
bool isSigmoid(TensorWriter &tensors, const Tensor &x);

} // namespace dlm::sema
