// Matrix products as device functions.
#pragma once

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/StringMap.h"

namespace kernel {

/// What one function of products is written for; sizes are numbers that a launch passes.
struct ProductVariant {
  bool transposeLhs, transposeRhs;
  bool isBatched; // of products side by side
  /// Elements in an access of each matrix: 4 or 1.
  int64_t lhsWidth, rhsWidth, outWidth;

  /// `product_nt_441`: not transposed, transposed; accesses of 4, 4 and 1 elements. `products_...`
  /// if they are side by side.
  std::string getName() const;
};

/// Threads of a block, and the blocks of one product.
constexpr int64_t ProductThreads = 256;
int64_t getProductGrid(int64_t m, int64_t n);

/// Writes the function out[m, n] = one fma chain over k, from -0.0; returns its shared memory in
/// bytes. Arguments: lhs, rhs, out, scratch, m, n, k.
int64_t emitProduct(mlir::gpu::GPUModuleOp device, const ProductVariant &variant);

} // namespace kernel
