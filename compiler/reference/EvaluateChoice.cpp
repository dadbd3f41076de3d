// Ops that take parts of tensors, join them, or choose elements by index, element by element.
#include "compiler/reference/Evaluation.h"

#include <cstring>
#include <limits>

namespace dlm::reference {

namespace {

/// The index of element `number` of a row-major tensor.
std::vector<int64_t> indexOf(int64_t number, const std::vector<int64_t> &shape) {
  std::vector<int64_t> index(shape.size());
  for (size_t dim = shape.size(); dim-- > 0; number /= shape[dim])
    index[dim] = number % shape[dim];
  return index;
}

int64_t numberOf(const std::vector<int64_t> &index, const std::vector<int64_t> &shape) {
  int64_t number = 0;
  for (size_t dim = 0; dim < shape.size(); ++dim)
    number = number * shape[dim] + index[dim];
  return number;
}

void copyElement(const Tensor &from, int64_t source, Tensor &to, int64_t target) {
  size_t size = elementSizeBytes(to.dtype);
  std::memcpy(to.bytes.data() + target * size, from.bytes.data() + source * size, size);
}

/// `result` with each element from the place in `source` that `place` makes of its index.
template <class Place> Tensor take(const Tensor &source, std::vector<int64_t> shape, Place place) {
  Tensor result = Tensor::zeros(source.dtype, std::move(shape));
  for (int64_t number = 0; number < result.elementCount(); ++number) {
    std::vector<int64_t> index = indexOf(number, result.shape);
    place(index);
    copyElement(source, numberOf(index, source.shape), result, number);
  }
  return result;
}

/// Puts all of `part` into `whole`, `begins` further on.
void place(const Tensor &part, llvm::ArrayRef<int64_t> begins, Tensor &whole) {
  for (int64_t number = 0; number < part.elementCount(); ++number) {
    std::vector<int64_t> index = indexOf(number, part.shape);
    for (size_t dim = 0; dim < index.size(); ++dim)
      index[dim] += begins[dim];
    copyElement(part, number, whole, numberOf(index, whole.shape));
  }
}

/// A tensor all of one number.
Tensor filled(mlir::Type type, double value, Mode mode) {
  Tensor result = tensorFor(type, mode);
  for (int64_t at = 0; at < result.elementCount(); ++at)
    switch (result.dtype) {
    case DType::F64:
      result.as<double>()[at] = value;
      break;
    case DType::F32:
      result.as<float>()[at] = float(value);
      break;
    case DType::I64:
      result.as<int64_t>()[at] = int64_t(value);
      break;
    case DType::I32:
      result.as<int32_t>()[at] = int32_t(value);
      break;
    case DType::Bool:
      result.as<uint8_t>()[at] = value != 0;
      break;
    default:
      result.as<uint8_t>()[at] = uint8_t(value);
    }
  return result;
}

int64_t product(llvm::ArrayRef<int64_t> sizes) {
  int64_t count = 1;
  for (int64_t size : sizes)
    count *= size;
  return count;
}

/// A gather or scatter as one over three dims: ids are [groups, ids], what is chosen from is
/// [groups, places, inner].
struct Choice {
  int64_t groups, ids, places, inner;
  Choice(llvm::ArrayRef<int64_t> table, const Tensor &ids, int64_t dim)
      : groups(product(table.take_front(dim))), ids(ids.elementCount() / groups),
        places(table[dim]), inner(product(table.drop_front(dim + 1))) {}
};

/// Element `at` of a tensor of ids.
int64_t idOf(const Tensor &ids, int64_t at) {
  if (ids.dtype == DType::I64) return ids.as<int64_t>()[at];
  if (ids.dtype == DType::I32) return ids.as<int32_t>()[at];
  return ids.as<uint8_t>()[at];
}

template <class T> void addRows(const Tensor &values, const Tensor &ids, Choice c, Tensor &sums) {
  for (int64_t at = 0; at < sums.elementCount(); ++at)
    sums.as<T>()[at] = T(-0.0);
  for (int64_t number = 0; number < c.groups * c.ids; ++number) {
    int64_t id = idOf(ids, number), group = number / c.ids;
    if (id < 0 || id >= c.places) continue;
    for (int64_t j = 0; j < c.inner; ++j)
      sums.as<T>()[(group * c.places + id) * c.inner + j] += values.as<T>()[number * c.inner + j];
  }
}

} // namespace

void addByIds(const Tensor &values, const Tensor &ids, Tensor &sums) {
  Choice c(sums.shape, ids, 1);
  if (sums.dtype == DType::F64)
    addRows<double>(values, ids, c, sums);
  else
    addRows<float>(values, ids, c, sums);
}

Tensor evaluateSlice(SliceOp op, Operands operands) {
  return take(*operands[0], shapeOf(op.getType()), [&](std::vector<int64_t> &index) {
    for (auto [dim, begin] : llvm::enumerate(op.getBegins()))
      index[dim] += begin;
  });
}

Tensor evaluateFlip(FlipOp op, Operands operands) {
  const std::vector<int64_t> &shape = operands[0]->shape;
  return take(*operands[0], shape, [&](std::vector<int64_t> &index) {
    for (int64_t dim : op.getDims())
      index[dim] = shape[dim] - 1 - index[dim];
  });
}

Tensor evaluatePad(PadOp op, Operands operands, Mode mode) {
  Tensor result = filled(op.getType(), op.getValue().convertToDouble(), mode);
  place(*operands[0], op.getLow(), result);
  return result;
}

Tensor evaluateConcat(ConcatOp op, Operands operands, Mode mode) {
  Tensor result = tensorFor(op.getType(), mode);
  std::vector<int64_t> begins(result.shape.size(), 0);
  for (const Tensor *part : operands) {
    place(*part, begins, result);
    begins[op.getDim()] += part->shape[op.getDim()];
  }
  return result;
}

Tensor evaluateGather(GatherOp op, Operands operands, Mode mode) {
  const Tensor &table = *operands[0], &ids = *operands[1];
  bool isReal = mlir::isa<mlir::FloatType>(mlir::getElementTypeOrSelf(op.getType()));
  double none = isReal ? std::numeric_limits<double>::quiet_NaN() : 0;
  Tensor result = filled(op.getType(), none, mode);
  Choice c(table.shape, ids, op.getDim());
  for (int64_t number = 0; number < c.groups * c.ids; ++number) {
    int64_t id = idOf(ids, number);
    if (id < 0 || id >= c.places) continue;
    for (int64_t j = 0; j < c.inner; ++j)
      copyElement(table, (number / c.ids * c.places + id) * c.inner + j, result,
                  number * c.inner + j);
  }
  return result;
}

Tensor evaluateScatterAdd(ScatterAddOp op, Operands operands, Mode mode) {
  Tensor result = tensorFor(op.getType(), mode);
  std::vector<int64_t> shape = result.shape;
  Choice c(shape, *operands[1], op.getDim());
  result.shape = {c.groups, c.places, c.inner};
  addByIds(*operands[0], *operands[1], result);
  result.shape = shape;
  return result;
}

} // namespace dlm::reference
