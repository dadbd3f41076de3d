// The kernels of the hand-made network. Plain loops; sums are chains in index order, so the bits do
// not depend on how the items are shared out.
#include "test/runtime/HandMadeMlp.h"

#include "runtime/base/Philox.h"

#include <cmath>

namespace dlm::test {

namespace {

template <class T> T *argument(void *const *buffers, int index) {
  return static_cast<T *>(buffers[index]);
}

/// Small uniform numbers everywhere; what lies in the padding never matters, its gradient is 0.
void initParams(const DlmCtx *ctx, void *const *buffers, int64_t, int64_t) {
  uint64_t seed = uint64_t(*argument<int64_t>(buffers, 0));
  auto *params = argument<float>(buffers, 1);
  for (int64_t i = 0; i < ctx->extent; ++i)
    params[i] = (randomUniform({seed, 0, 7, uint64_t(i)}) - 0.5f) * 0.1f;
}

void scaleImage(const DlmCtx *ctx, void *const *buffers, int64_t begin, int64_t end) {
  const auto *pixels = argument<uint8_t>(buffers, 0);
  auto *x = argument<float>(buffers, 1);
  for (int64_t i = begin * ctx->extent; i < end * ctx->extent; ++i)
    x[i] = float(pixels[i]) / 255.0f;
}

void biasRelu(const DlmCtx *ctx, void *const *buffers, int64_t begin, int64_t end) {
  const auto *bias = argument<float>(buffers, 0);
  auto *hidden = argument<float>(buffers, 1);
  for (int64_t row = begin; row < end; ++row) {
    for (int64_t i = 0; i < ctx->extent; ++i) {
      float value = hidden[row * ctx->extent + i] + bias[i];
      hidden[row * ctx->extent + i] = value < 0 ? 0 : value;
    }
  }
}

constexpr int64_t Classes = 10;

/// The probabilities of a row of logits plus bias; returns the log of their normaliser.
float softmax(const float *logits, const float *bias, float *out) {
  float largest = logits[0] + bias[0], sum = 0;
  for (int64_t j = 0; j < Classes; ++j)
    largest = logits[j] + bias[j] > largest ? logits[j] + bias[j] : largest;
  for (int64_t j = 0; j < Classes; ++j)
    sum += out[j] = std::exp(logits[j] + bias[j] - largest);
  for (int64_t j = 0; j < Classes; ++j)
    out[j] /= sum;
  return std::log(sum) + largest;
}

void crossEntropy(const DlmCtx *ctx, void *const *buffers, int64_t, int64_t) {
  const auto *logits = argument<float>(buffers, 0), *bias = argument<float>(buffers, 1);
  const auto *label = argument<int32_t>(buffers, 2);
  float batch = *argument<float>(buffers, 3);
  auto *loss = argument<float>(buffers, 4), *gradient = argument<float>(buffers, 5);
  for (int64_t row = 0; row < ctx->extent; ++row) {
    const float *x = logits + row * Classes;
    float *g = gradient + row * Classes;
    float norm = softmax(x, bias, g);
    *loss += (norm - (x[label[row]] + bias[label[row]])) / batch;
    g[label[row]] -= 1;
    for (int64_t j = 0; j < Classes; ++j)
      g[j] /= batch;
  }
}

void reluGrad(const DlmCtx *ctx, void *const *buffers, int64_t begin, int64_t end) {
  const auto *hidden = argument<float>(buffers, 0);
  auto *gradient = argument<float>(buffers, 1);
  for (int64_t i = begin * ctx->extent; i < end * ctx->extent; ++i)
    gradient[i] = hidden[i] > 0 ? gradient[i] : 0;
}

/// One item is a column. The extent holds both sizes: rows in the upper part, columns in the lower
/// 16 bits.
void addRows(const DlmCtx *ctx, void *const *buffers, int64_t begin, int64_t end) {
  const auto *rows = argument<float>(buffers, 0);
  auto *sum = argument<float>(buffers, 1);
  int64_t rowCount = ctx->extent >> 16, columns = ctx->extent & 0xFFFF;
  for (int64_t column = begin; column < end; ++column) {
    for (int64_t row = 0; row < rowCount; ++row)
      sum[column] += rows[row * columns + column];
  }
}

void checkStep(const DlmCtx *ctx, void *const *buffers, int64_t, int64_t) {
  const auto *grads = argument<float>(buffers, 0);
  float loss = *argument<float>(buffers, 1), sum = 0;
  for (int64_t i = 0; i < ctx->extent; ++i)
    sum += grads[i] * grads[i];
  float norm = std::sqrt(sum);
  *argument<float>(buffers, 2) = loss;
  *argument<float>(buffers, 3) = norm;
  *argument<int32_t>(buffers, 4) = norm - norm == 0 && loss - loss == 0;
}

/// A skipped step writes what was there.
void adamw(const DlmCtx *, void *const *buffers, int64_t begin, int64_t end) {
  auto *params = argument<float>(buffers, 0), *m = argument<float>(buffers, 1);
  auto *v = argument<float>(buffers, 2);
  const auto *grads = argument<float>(buffers, 3);
  float lr = *argument<float>(buffers, 4);
  if (!*argument<int32_t>(buffers, 5)) return;
  float step = float(*argument<int64_t>(buffers, 6) + 1);
  float unbiasM = 1 - std::pow(0.9f, step), unbiasV = 1 - std::pow(0.999f, step);
  for (int64_t i = begin * SegmentChunk; i < end * SegmentChunk; ++i) {
    m[i] = 0.9f * m[i] + 0.1f * grads[i];
    v[i] = 0.999f * v[i] + 0.001f * grads[i] * grads[i];
    params[i] -= lr * (m[i] / unbiasM) / (std::sqrt(v[i] / unbiasV) + 1e-8f);
  }
}

void countStep(const DlmCtx *, void *const *buffers, int64_t, int64_t) {
  int32_t ok = *argument<int32_t>(buffers, 0);
  *argument<int64_t>(buffers, 1) += 1;
  *argument<int64_t>(buffers, 2) += ok;
  *argument<int64_t>(buffers, 3) += !ok;
}

void measure(const DlmCtx *ctx, void *const *buffers, int64_t, int64_t) {
  const auto *logits = argument<float>(buffers, 0), *bias = argument<float>(buffers, 1);
  const auto *label = argument<int32_t>(buffers, 2);
  const auto *weight = argument<float>(buffers, 3);
  auto *sums = argument<float>(buffers, 4), *count = argument<float>(buffers, 5);
  float probabilities[Classes];
  for (int64_t row = 0; row < ctx->extent; ++row) {
    const float *x = logits + row * Classes;
    float norm = softmax(x, bias, probabilities);
    int64_t best = 0;
    for (int64_t j = 1; j < Classes; ++j)
      best = x[j] + bias[j] > x[best] + bias[best] ? j : best;
    sums[0] += weight[row] * (norm - (x[label[row]] + bias[label[row]]));
    sums[1] += weight[row] * (best == label[row] ? 1.0f : 0.0f);
    *count += weight[row];
  }
}

void finishMetrics(const DlmCtx *, void *const *buffers, int64_t, int64_t) {
  const auto *sums = argument<float>(buffers, 0);
  float count = *argument<float>(buffers, 1);
  *argument<float>(buffers, 2) = sums[0] / count;
  *argument<float>(buffers, 3) = sums[1] / count;
}

} // namespace

KernelTable mlpKernels() {
  KernelTable table;
  table.add("init_params", initParams);
  table.add("scale_image", scaleImage);
  table.add("bias_relu", biasRelu);
  table.add("cross_entropy", crossEntropy);
  table.add("relu_grad", reluGrad);
  table.add("add_rows", addRows);
  table.add("check_step", checkStep);
  table.add("adamw", adamw);
  table.add("count_step", countStep);
  table.add("measure", measure);
  table.add("finish_metrics", finishMetrics);
  return table;
}

} // namespace dlm::test
