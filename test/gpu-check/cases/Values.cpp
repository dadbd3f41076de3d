// Floats in [-1, 1), or positive ones where those give NaN (a square root, a logarithm); integers
// in [0, 8), bytes in [0, 256).
#include "test/gpu-check/cases/Values.h"

#include "compiler/reference/Evaluation.h"
#include "runtime/base/Philox.h"

#include <limits>

namespace dlm::gpucheck {

using reference::Mode;
using reference::Tensor;

namespace {

enum class Values { Any, Positive, Special };

float specialValue(float uniform) {
  using Limits = std::numeric_limits<float>;
  const float values[] = {Limits::quiet_NaN(),
                          -Limits::quiet_NaN(),
                          Limits::infinity(),
                          -Limits::infinity(),
                          0.0f,
                          -0.0f,
                          1.0f,
                          Limits::max(),
                          Limits::denorm_min(),
                          -Limits::min()};
  return values[int(10 * uniform)];
}

float floatValue(RandomPlace place, Values values) {
  float uniform = randomUniform(place);
  if (values == Values::Positive) return 0.0625f + 0.9375f * uniform;
  place.attempt = 1; // another number
  if (values == Values::Special && randomUniform(place) < 0.125f) return specialValue(uniform);
  return 2 * uniform - 1;
}

void fillTensor(Tensor &tensor, uint64_t seed, uint32_t site, Values values) {
  for (int64_t i = 0; i < tensor.elementCount(); ++i) {
    RandomPlace place{seed, 0, site, uint64_t(i)};
    uint32_t bits = randomBits(place);
    switch (tensor.dtype) {
    case DType::F32:
      tensor.as<float>()[i] = floatValue(place, values);
      break;
    case DType::I32:
      // What is no class of a loss makes it NaN, as it should; so does a bool that says so.
      tensor.as<int32_t>()[i] = int32_t(values == Values::Positive ? bits >> 31 : bits >> 29);
      break;
    case DType::I64:
      tensor.as<int64_t>()[i] = int64_t(bits >> 29);
      break;
    case DType::U8:
      tensor.as<uint8_t>()[i] = uint8_t(bits >> 24);
      break;
    case DType::Bool:
      tensor.as<uint8_t>()[i] = uint8_t(values == Values::Positive ? 1 : bits >> 31);
      break;
    default:
      DLM_ASSERT(false, "an element type that no kernel reads");
    }
  }
}

Expected<std::vector<Tensor>> interpretTrial(const Trial &trial, std::vector<Tensor> inputs,
                                             Mode mode) {
  if (mode == Mode::F64)
    for (Tensor &input : inputs)
      if (input.dtype == DType::F32) input = withPrecision(std::move(input), DType::F64);
  if (trial.kernel) return reference::interpretKernel(trial.kernel, trial.extent, inputs, mode);
  reference::Product product;
  product.transposeLhs = trial.product.transposeLhs;
  product.transposeRhs = trial.product.transposeRhs;
  return std::vector<Tensor>{
      reference::multiply(inputs[0], inputs[1], product, trial.types.back(), mode)};
}

bool holdsNaN(const std::vector<Tensor> &tensors) {
  for (const Tensor &tensor : tensors)
    for (int64_t i = 0; tensor.dtype == DType::F64 && i < tensor.elementCount(); ++i)
      if (tensor.as<double>()[i] != tensor.as<double>()[i]) return true;
  return false;
}

} // namespace

Expected<TrialValues> computeValues(const Trial &trial, bool isSpecial, uint64_t seed) {
  TrialValues result;
  auto fill = [&](Values values) {
    result.inputs.clear();
    for (unsigned i = 0; i < trial.inputCount; ++i) {
      result.inputs.push_back(reference::tensorFor(trial.types[i], Mode::F32));
      fillTensor(result.inputs.back(), seed, i, values);
    }
  };
  fill(isSpecial ? Values::Special : Values::Any);
  for (bool isRepeated : {false, true}) {
    if (isSpecial) break;
    Expected<std::vector<Tensor>> exact = interpretTrial(trial, result.inputs, Mode::F64);
    if (!exact) return exact.status();
    result.exact = exact.take();
    if (!holdsNaN(result.exact)) break;
    if (isRepeated) return internalError(trial.kernelName() + ": NaN from positive numbers");
    fill(Values::Positive);
  }
  Expected<std::vector<Tensor>> outputs = interpretTrial(trial, result.inputs, Mode::F32);
  if (!outputs) return outputs.status();
  result.outputs = outputs.take();
  return result;
}

} // namespace dlm::gpucheck
