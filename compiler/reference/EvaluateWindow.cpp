// Windows that move over a tensor, and the sum that undoes them, element by element.
#include "compiler/reference/Evaluation.h"

#include <cstring>

namespace dlm::reference {

namespace {

/// How the parts of a tensor that are seen through windows belong to the whole: [outer, windows..,
/// places in a window.., inner] and [outer, places.., inner].
struct Moved {
  std::vector<int64_t> windows, inside, places;
  llvm::ArrayRef<int64_t> strides, dilations, low;
  int64_t outer = 1, inner = 1;

  template <class Op>
  Moved(Op op, const std::vector<int64_t> &whole, const std::vector<int64_t> &parts)
      : strides(op.getStrides()), dilations(op.getDilations()), low(op.getLow()) {
    size_t first = op.getDim(), count = strides.size();
    for (size_t dim = 0; dim < first; ++dim)
      outer *= whole[dim];
    for (size_t dim = first + count; dim < whole.size(); ++dim)
      inner *= whole[dim];
    windows.assign(parts.begin() + first, parts.begin() + first + count);
    inside.assign(parts.begin() + first + count, parts.begin() + first + 2 * count);
    places.assign(whole.begin() + first, whole.begin() + first + count);
  }

  static int64_t count(const std::vector<int64_t> &sizes) {
    int64_t count = 1;
    for (int64_t size : sizes)
      count *= size;
    return count;
  }

  /// Where place number `k` of window number `o` lies in the whole; -1 outside of it.
  int64_t placeOf(int64_t o, int64_t k) const {
    int64_t place = 0, scale = 1;
    for (size_t dim = windows.size(); dim-- > 0;) {
      int64_t at = o % windows[dim] * strides[dim] + k % inside[dim] * dilations[dim] - low[dim];
      if (at < 0 || at >= places[dim]) return -1;
      place += at * scale;
      scale *= places[dim];
      o /= windows[dim];
      k /= inside[dim];
    }
    return place;
  }

  /// Calls visit(element of the parts, element of the whole) for all that lie in it. For each
  /// element of the whole those of the parts come in rising order of k.
  template <class Visit> void forEach(Visit visit) const {
    int64_t all = count(windows), each = count(inside), whole = count(places);
    for (int64_t a = 0; a < outer; ++a)
      for (int64_t k = 0; k < each; ++k)
        for (int64_t o = 0; o < all; ++o) {
          int64_t place = placeOf(o, k);
          if (place < 0) continue;
          for (int64_t c = 0; c < inner; ++c)
            visit(((a * all + o) * each + k) * inner + c, (a * whole + place) * inner + c);
        }
  }
};

template <class T> void addUp(const Moved &moved, const Tensor &parts, Tensor &sums) {
  for (int64_t at = 0; at < sums.elementCount(); ++at)
    sums.as<T>()[at] = T(-0.0);
  moved.forEach([&](int64_t part, int64_t whole) { sums.as<T>()[whole] += parts.as<T>()[part]; });
}

} // namespace

Tensor evaluateWindows(WindowsOp op, Operands operands, Mode mode) {
  Tensor result = tensorFor(op.getType(), mode);
  size_t size = elementSizeBytes(result.dtype);
  Moved(op, operands[0]->shape, result.shape).forEach([&](int64_t part, int64_t whole) {
    std::memcpy(result.bytes.data() + part * size, operands[0]->bytes.data() + whole * size, size);
  });
  return result;
}

Tensor evaluateOverlapAdd(OverlapAddOp op, Operands operands, Mode mode) {
  Tensor result = tensorFor(op.getType(), mode);
  Moved moved(op, result.shape, operands[0]->shape);
  if (result.dtype == DType::F64)
    addUp<double>(moved, *operands[0], result);
  else
    addUp<float>(moved, *operands[0], result);
  return result;
}

} // namespace dlm::reference
