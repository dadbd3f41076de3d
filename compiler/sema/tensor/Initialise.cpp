// The fans of a shape [..., in, out] are `in` and `out`, each times the product of the leading
// dimensions (the window of a convolution).
//
//   xavier   Glorot and Bengio, 2010: uniform within gain * sqrt(6 / (fan in + fan out))
//   kaiming  He et al., 2015: normal with standard deviation sqrt(gain / fan in)
#include "compiler/sema/tensor/Initialise.h"

#include "compiler/sema/value/Shapes.h"

#include <cmath>

namespace dlm::sema {

namespace {

/// `factor * x + offset`, leaving out what does nothing.
Tensor scaled(TensorWriter &tensors, Tensor x, double factor, double offset) {
  if (factor != 1) x = tensors.binary("mul", x, tensors.constant(factor, DType::F32));
  return offset == 0 ? x : tensors.binary("add", x, tensors.constant(offset, DType::F32));
}

} // namespace

Tensor initialise(TensorWriter &tensors, const InitialiserObject &initialiser,
                  const std::vector<Dim> &dims) {
  if (initialiser.name == "constant") return tensors.constant(initialiser.first, DType::F32, dims);
  size_t rank = dims.size();
  double out = rank > 0 ? double(dims[rank - 1].size()) : 1;
  double in = rank > 1 ? double(dims[rank - 2].size()) : out;
  double window =
      elementCount(dims).value_or(Extent()).constantPart().toReal() / (rank > 1 ? in * out : out);
  if (initialiser.name == "normal")
    return scaled(tensors, tensors.random("normal", dims), initialiser.second, initialiser.first);
  if (initialiser.name == "kaiming")
    return scaled(tensors, tensors.random("normal", dims),
                  std::sqrt(initialiser.first / (window * in)), 0);
  double low = initialiser.first, high = initialiser.second;
  if (initialiser.name == "xavier") {
    high = initialiser.first * std::sqrt(6 / (window * (in + out)));
    low = -high;
  }
  return scaled(tensors, tensors.random("uniform", dims), high - low, low);
}

} // namespace dlm::sema
