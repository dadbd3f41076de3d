// Loops: the step, one trip after the other.
#include "compiler/reference/Evaluation.h"

#include <cstring>

namespace dlm::reference {

namespace {

/// Slice `number` along the first dim, without it.
Tensor sliceOf(const Tensor &stacked, int64_t number) {
  Tensor slice = Tensor::zeros(stacked.dtype, {stacked.shape.begin() + 1, stacked.shape.end()});
  std::memcpy(slice.bytes.data(), stacked.bytes.data() + number * int64_t(slice.bytes.size()),
              slice.bytes.size());
  return slice;
}

} // namespace

Expected<std::vector<Tensor>> evaluateScan(ScanOp op, Operands operands, Mode mode) {
  auto trips = int64_t(op.getTrips());
  size_t states = op.getInits().size(), sliced = states + op.getXs().size();
  std::vector<Tensor> results;
  for (const Tensor *init : operands.take_front(states))
    results.push_back(*init);
  for (mlir::Value stacked : op.getStacked())
    results.push_back(tensorFor(stacked.getType(), mode));
  for (int64_t trip = 0; trip < trips; ++trip) {
    int64_t number = op.getReverse() ? trips - 1 - trip : trip;
    std::vector<Tensor> arguments{Tensor::zeros(DType::I32, {})};
    *arguments[0].as<int32_t>() = int32_t(number);
    for (size_t i = 0; i < operands.size(); ++i)
      arguments.push_back(i < states   ? results[i]
                          : i < sliced ? sliceOf(*operands[i], number)
                                       : *operands[i]);
    auto given = evaluateBlock(*op.getBody(), std::move(arguments), mode);
    if (!given) return given.status();
    for (size_t i = 0; i < results.size(); ++i) {
      Tensor &part = (*given)[i];
      if (i < states)
        results[i] = std::move(part);
      else
        std::memcpy(results[i].bytes.data() + number * int64_t(part.bytes.size()),
                    part.bytes.data(), part.bytes.size());
    }
  }
  return results;
}

} // namespace dlm::reference
