// Matrix products: one chain of fused multiply-adds per element, from -0.0 in increasing k. The
// loops run over n innermost, which is fast and leaves every chain as it is.
#include "compiler/reference/Evaluation.h"
#include "compiler/reference/FoldTree.h"

#include <cmath>

// The library's fma is slow where the compiler may not use the instruction, so there is a second
// copy for machines that have it. Both compute the same: an fma has one correct result.
#if defined(__x86_64__)
#define DLM_FMA_CLONES __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define DLM_FMA_CLONES
#endif

namespace dlm::reference {

namespace {

DLM_FMA_CLONES void continueChains(float a, const float *b, float *chains, int64_t count) {
  for (int64_t n = 0; n < count; ++n)
    chains[n] = std::fma(a, b[n], chains[n]);
}

void continueChains(double a, const double *b, double *chains, int64_t count) {
  for (int64_t n = 0; n < count; ++n)
    chains[n] += a * b[n];
}

/// With the last two dims swapped.
Tensor transposed(const Tensor &matrices) {
  std::vector<int64_t> shape = matrices.shape, strides = rowMajorStrides(shape);
  std::swap(shape[shape.size() - 2], shape.back());
  std::swap(strides[strides.size() - 2], strides.back());
  return gather(matrices, shape, strides);
}

/// The matrices numbered `at` of each.
template <class T> struct Matrices {
  const T *a, *b;
  T *result;
};

template <class T>
void multiplyOne(Matrices<T> at, int64_t rows, int64_t depth, int64_t columns, int64_t splits) {
  int64_t range = (depth + splits - 1) / splits;
  std::vector<std::vector<T>> partial(splits);
  std::vector<T> values(splits);
  for (int64_t m = 0; m < rows; ++m) {
    for (int64_t s = 0; s < splits; ++s) {
      partial[s].assign(columns, T(-0.0));
      for (int64_t k = s * range; k < std::min((s + 1) * range, depth); ++k)
        continueChains(at.a[m * depth + k], at.b + k * columns, partial[s].data(), columns);
    }
    for (int64_t n = 0; n < columns; ++n) {
      for (int64_t s = 0; s < splits; ++s)
        values[s] = partial[s][n];
      at.result[m * columns + n] = foldByHalves(values, T(-0.0), [](T x, T y) { return x + y; });
    }
  }
}

template <class T>
void multiplyAs(const Tensor &a, const Tensor &b, int64_t splits, Tensor &result) {
  size_t rank = a.shape.size();
  int64_t rows = a.shape[rank - 2], depth = a.shape[rank - 1], columns = b.shape[rank - 1];
  int64_t count = 1;
  for (size_t dim = 0; dim + 2 < rank; ++dim)
    count *= a.shape[dim];
  for (int64_t i = 0; i < count; ++i)
    multiplyOne<T>({a.as<T>() + i * rows * depth, b.as<T>() + i * depth * columns,
                    result.as<T>() + i * rows * columns},
                   rows, depth, columns, splits);
}

} // namespace

Tensor multiply(const Tensor &lhs, const Tensor &rhs, Product product, mlir::Type resultType,
                Mode mode) {
  Tensor result = tensorFor(resultType, mode);
  const Tensor a = product.transposeLhs ? transposed(lhs) : lhs;
  const Tensor b = product.transposeRhs ? transposed(rhs) : rhs;
  if (mode == Mode::F32)
    multiplyAs<float>(a, b, product.splits, result);
  else
    multiplyAs<double>(a, b, 1, result);
  return result;
}

} // namespace dlm::reference
