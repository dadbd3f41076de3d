// Reductions and argmax. Groups are first brought into rows of neighbours; a row is then combined
// in the order its tree says, or as one chain where there is no tree.
#include "compiler/reference/Evaluation.h"
#include "compiler/reference/FoldTree.h"

#include "llvm/Support/ErrorHandling.h"

#include <limits>

namespace dlm::reference {

namespace {

struct Sum {
  template <class T> static T identity() { return std::is_floating_point_v<T> ? T(-0.0) : T(0); }
  template <class T> T operator()(T a, T b) const {
    if constexpr (std::is_integral_v<T>) {
      using U = std::make_unsigned_t<T>;
      return T(U(a) + U(b));
    } else {
      return a + b;
    }
  }
};

/// Two selects, as in dlm.max: NaN on either side wins.
struct Maximum {
  template <class T> static T identity() {
    using Limits = std::numeric_limits<T>;
    return std::is_floating_point_v<T> ? -Limits::infinity() : Limits::lowest();
  }
  template <class T> T operator()(T a, T b) const {
    T chosen = a > b ? a : b;
    return a != a ? a : chosen;
  }
};

struct Minimum {
  template <class T> static T identity() {
    using Limits = std::numeric_limits<T>;
    return std::is_floating_point_v<T> ? Limits::infinity() : Limits::max();
  }
  template <class T> T operator()(T a, T b) const {
    T chosen = a < b ? a : b;
    return a != a ? a : chosen;
  }
};

template <class T, class Combine>
void reduceRowsAs(const Tensor &source, int64_t length, Tree tree, Tensor &result) {
  for (int64_t row = 0, rows = result.elementCount(); row < rows; ++row) {
    const T *elements = source.as<T>() + row * length;
    T identity = Combine::template identity<T>();
    result.as<T>()[row] =
        tree.lanes == 0 ? foldChain(elements, length, identity, Combine())
                        : foldTree(elements, length, tree.lanes, tree.chunk, identity, Combine());
  }
}

template <class T>
void reduceRowsOf(ReduceKind kind, const Tensor &source, int64_t length, Tree tree,
                  Tensor &result) {
  switch (kind) {
  case ReduceKind::Add:
    return reduceRowsAs<T, Sum>(source, length, tree, result);
  case ReduceKind::Max:
    return reduceRowsAs<T, Maximum>(source, length, tree, result);
  case ReduceKind::Min:
    return reduceRowsAs<T, Minimum>(source, length, tree, result);
  }
}

template <class T> void argmaxRowsOf(const Tensor &source, int64_t length, Tensor &result) {
  for (int64_t row = 0, rows = result.elementCount(); row < rows; ++row) {
    const T *elements = source.as<T>() + row * length;
    T best = Maximum::identity<T>();
    int32_t at = 0;
    for (int64_t e = 0; e < length; ++e) {
      if (!(elements[e] > best)) continue;
      best = elements[e];
      at = static_cast<int32_t>(e);
    }
    result.as<int32_t>()[row] = at;
  }
}

} // namespace

void reduceRows(ReduceKind kind, const Tensor &source, int64_t length, Tree tree, Tensor &result) {
  switch (source.dtype) {
  case DType::F32:
    return reduceRowsOf<float>(kind, source, length, tree, result);
  case DType::F64:
    return reduceRowsOf<double>(kind, source, length, Tree(), result);
  case DType::I32:
    return reduceRowsOf<int32_t>(kind, source, length, tree, result);
  case DType::I64:
    return reduceRowsOf<int64_t>(kind, source, length, tree, result);
  default:
    llvm_unreachable("no reduction of this element type");
  }
}

void argmaxRows(const Tensor &source, int64_t length, Tensor &result) {
  switch (source.dtype) {
  case DType::F32:
    return argmaxRowsOf<float>(source, length, result);
  case DType::F64:
    return argmaxRowsOf<double>(source, length, result);
  case DType::I32:
    return argmaxRowsOf<int32_t>(source, length, result);
  case DType::I64:
    return argmaxRowsOf<int64_t>(source, length, result);
  default:
    llvm_unreachable("no argmax of this element type");
  }
}

Tensor groupsLast(const Tensor &source, llvm::ArrayRef<int64_t> dims) {
  std::vector<int64_t> order;
  for (int64_t dim = 0, rank = source.shape.size(); dim < rank; ++dim)
    if (!llvm::is_contained(dims, dim)) order.push_back(dim);
  order.insert(order.end(), dims.begin(), dims.end());
  std::vector<int64_t> shape, strides, sourceStrides = rowMajorStrides(source.shape);
  for (int64_t dim : order) {
    shape.push_back(source.shape[dim]);
    strides.push_back(sourceStrides[dim]);
  }
  return gather(source, shape, strides);
}

Tensor evaluateReduce(ReduceOp op, Operands operands, Mode mode) {
  int64_t length = 1;
  for (int64_t dim : op.getDims())
    length *= operands[0]->shape[dim];
  Tree tree;
  if (TreeAttr attr = op.getTreeAttr()) tree = {attr.getLanes(), attr.getChunk()};
  Tensor result = tensorFor(op.getType(), mode);
  reduceRows(op.getKind(), groupsLast(*operands[0], op.getDims()), length, tree, result);
  return result;
}

Tensor evaluateArgmax(ArgmaxOp op, Operands operands, Mode mode) {
  int64_t dim = op.getDim();
  Tensor result = tensorFor(op.getType(), mode);
  argmaxRows(groupsLast(*operands[0], dim), operands[0]->shape[dim], result);
  return result;
}

} // namespace dlm::reference
