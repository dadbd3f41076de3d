// Recognises values that are probabilities already, where logits are wanted.
#pragma once

#include "compiler/sema/tensor/TensorWriter.h"

namespace dlm::sema {

/// Where the `softmax` stands that the tensor comes from, perhaps in another shape; an invalid
/// place if from none.
Span softmaxBehind(TensorWriter &tensors, const Tensor &x);

/// Whether it is what `sigmoid` of the library gives.
bool isSigmoid(TensorWriter &tensors, const Tensor &x);

} // namespace dlm::sema
