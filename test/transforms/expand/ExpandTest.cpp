// What the expanded programs of a small network compute: gradients against differences,
// micro-batches against the whole, padding against its absence, a guarded step against none.
#include "compiler/lower/Lower.h"
#include "compiler/transforms/expand/Passes.h"
#include "compiler/transforms/pin/Passes.h"
#include "compiler/transforms/simplify/Passes.h"
#include "test/lower/SmallProgram.h"
#include "test/transforms/expand/BufferWorld.h"

#include "mlir/Pass/PassManager.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

namespace dlm {
namespace {

using reference::Mode;
using test::BufferWorld;

constexpr int64_t flatSize = 4 * 2048;

struct Segment {
  int64_t offset, count;
};
constexpr Segment segments[] = {{0, 30}, {2048, 5}, {4096, 20}, {6144, 4}};

class Expand : public testing::Test {
protected:
  Expand() { test::addSmallSource(sources); }

  /// The programs for a micro-batch and an evaluation batch of the given sizes.
  mlir::ModuleOp compile(int64_t micro, int64_t evalRows, double clipNorm = 0) {
    sema::TypedProgram program = test::smallProgram();
    program.settings.micro = micro;
    program.settings.clipNorm = clipNorm;
    lower::LowerOptions options;
    options.evalRowsMax = evalRows;
    modules.push_back(lower::lower(program, context, sources, options));
    EXPECT_TRUE(modules.back());
    mlir::PassManager passes(&context);
    expand::buildPipeline(passes);
    simplify::buildPipeline(passes);
    pin::buildPipeline(passes);
    simplify::buildPipeline(passes);
    EXPECT_TRUE(succeeded(passes.run(*modules.back())));
    return *modules.back();
  }

  /// Sets the batch to `rows` samples of a fixed sequence, beginning with sample `first`.
  static void setBatch(BufferWorld &world, int64_t first, int64_t rows) {
    std::vector<double> image, label;
    for (int64_t sample = first; sample < first + rows; ++sample) {
      for (int64_t pixel = 0; pixel < 6; ++pixel)
        image.push_back(double((sample * 37 + pixel * 91 + sample * pixel * 13) % 256));
      label.push_back(double((sample * 5 + 1) % 4));
    }
    world.set("batch.image", {rows, 2, 3}, image, DType::U8);
    world.set("batch.label", {rows}, label, DType::I32);
  }

  static void start(BufferWorld &world, double batchSize) {
    world.set("state.seed", {}, {3}, DType::I64);
    world.set("batch.size", {}, {batchSize});
    world.set("option.lr", {}, {0.1});
    world.run("init");
  }

  mlir::MLIRContext context;
  SourceManager sources;
  std::vector<mlir::OwningOpRef<mlir::ModuleOp>> modules;
};

TEST_F(Expand, InitFillsSegmentsAndLeavesThePaddingZero) {
  BufferWorld world(compile(8, 8), Mode::F32);
  start(world, 8);
  std::vector<double> params = world.get("params");
  ASSERT_EQ(int64_t(params.size()), flatSize);
  double sum = 0;
  for (int64_t i = 0; i < 30; ++i)
    sum += std::abs(params[i]);
  EXPECT_GT(sum, 10) << "30 numbers of a normal distribution";
  for (int64_t i = 30; i < 4096; ++i)
    EXPECT_EQ(params[i], 0);
  EXPECT_TRUE(std::signbit(world.get("grads")[0])) << "-0.0, the identity of addition";
  EXPECT_TRUE(std::signbit(world.scalar("loss.loss")));
  EXPECT_EQ(world.scalar("state.attempt"), 0);
}

TEST_F(Expand, GradientAgreesWithDifferences) {
  mlir::ModuleOp module = compile(8, 8);
  BufferWorld world(module, Mode::F64);
  start(world, 8);
  setBatch(world, 0, 8);
  BufferWorld base = world;
  world.run("grad");
  std::vector<double> gradient = world.get("grads"), params = world.get("params");
  const double step = 1e-5;
  for (Segment segment : segments) {
    for (int64_t i = segment.offset; i < segment.offset + segment.count; ++i) {
      auto lossAt = [&](double delta) {
        BufferWorld moved = base;
        std::vector<double> shifted = params;
        shifted[i] += delta;
        moved.set("params", {flatSize}, shifted);
        moved.run("grad");
        return moved.scalar("loss.loss");
      };
      double difference = (lossAt(step) - lossAt(-step)) / (2 * step);
      EXPECT_NEAR(gradient[i], difference, 1e-7 + 1e-6 * std::abs(difference)) << "element " << i;
    }
  }
  for (int64_t i = 30; i < 2048; ++i)
    EXPECT_EQ(gradient[i], 0) << "padding " << i;
}

TEST_F(Expand, MicroBatchesAddUpToTheBatch) {
  BufferWorld whole(compile(8, 8), Mode::F32);
  start(whole, 8);
  setBatch(whole, 0, 8);
  whole.run("grad");
  std::vector<double> expected = whole.get("grads");
  for (int64_t micro : {4, 2, 1}) {
    BufferWorld parts(compile(micro, 8), Mode::F32);
    start(parts, 8);
    EXPECT_EQ(parts.get("params"), whole.get("params"));
    for (int64_t first = 0; first < 8; first += micro) {
      setBatch(parts, first, micro);
      parts.run("grad");
    }
    EXPECT_NEAR(parts.scalar("loss.loss"), whole.scalar("loss.loss"), 1e-5) << micro;
    std::vector<double> gradient = parts.get("grads");
    for (int64_t i = 0; i < flatSize; ++i)
      ASSERT_NEAR(gradient[i], expected[i], 1e-6) << "micro " << micro << ", element " << i;
  }
}

TEST_F(Expand, UpdateMovesParametersCountsAndResets) {
  BufferWorld world(compile(8, 8), Mode::F32);
  start(world, 8);
  setBatch(world, 0, 8);
  std::vector<double> before = world.get("params");
  world.run("grad");
  std::vector<double> gradient = world.get("grads");
  double loss = world.scalar("loss.loss"), square = 0;
  for (double g : gradient)
    square += g * g;
  world.run("update");
  std::vector<double> after = world.get("params");
  for (int64_t i = 0; i < 30; ++i)
    EXPECT_NEAR(after[i], before[i] - 0.1 * gradient[i], 1e-6); // the velocity was zero
  EXPECT_EQ(world.scalar("state.ok"), 1);
  EXPECT_EQ(world.scalar("state.attempt"), 1);
  EXPECT_EQ(world.scalar("state.step"), 1);
  EXPECT_EQ(world.scalar("state.skipped"), 0);
  EXPECT_EQ(world.scalar("report.loss"), loss);
  EXPECT_NEAR(world.scalar("report.grad_norm"), std::sqrt(square), 1e-5);
  EXPECT_TRUE(std::signbit(world.scalar("loss.loss")));
  EXPECT_TRUE(std::signbit(world.get("grads")[0]));
}

TEST_F(Expand, ALongGradientIsShortenedAndNoOther) {
  mlir::ModuleOp module = compile(8, 8);
  BufferWorld free(module, Mode::F32);
  start(free, 8);
  setBatch(free, 0, 8);
  std::vector<double> before = free.get("params");
  free.run("grad");
  free.run("update");
  const double norm = free.scalar("report.grad_norm"), rate = 0.1;
  for (double limit : {norm / 3, norm * 2}) {
    BufferWorld world(compile(8, 8, limit), Mode::F32);
    start(world, 8);
    setBatch(world, 0, 8);
    world.run("grad");
    world.run("update");
    EXPECT_EQ(world.scalar("report.grad_norm"), norm) << "as it was";
    if (limit > norm) {
      EXPECT_EQ(world.buffers["params"].bytes, free.buffers["params"].bytes);
      continue;
    }
    double square = 0;
    std::vector<double> after = world.get("params"), moved = free.get("params");
    for (size_t i = 0; i < after.size(); ++i) {
      EXPECT_NEAR(after[i] - before[i], (moved[i] - before[i]) / 3, 1e-6);
      square += (after[i] - before[i]) * (after[i] - before[i]);
    }
    EXPECT_NEAR(std::sqrt(square), rate * limit, 1e-5);
  }
}

TEST_F(Expand, LossFallsOverSteps) {
  BufferWorld world(compile(8, 8), Mode::F32);
  start(world, 8);
  setBatch(world, 0, 8);
  double first = 0;
  for (int step = 0; step < 40; ++step) {
    world.run("grad");
    world.run("update");
    if (step == 0) first = world.scalar("report.loss");
  }
  EXPECT_LT(world.scalar("report.loss"), first / 2);
  EXPECT_EQ(world.scalar("state.step"), 40);
}

TEST_F(Expand, AStepThatIsNotFiniteIsSkipped) {
  for (const char *broken : {"loss.loss", "grads"}) {
    BufferWorld world(compile(8, 8), Mode::F32);
    start(world, 8);
    setBatch(world, 0, 8);
    world.run("grad");
    std::vector<double> bad = world.get(broken);
    bad.back() = broken[0] == 'l' ? std::numeric_limits<double>::infinity()
                                  : std::numeric_limits<double>::quiet_NaN();
    world.set(broken, world.buffers[broken].shape, bad);
    auto params = world.buffers["params"].bytes, velocity = world.buffers["opt.velocity"].bytes;
    world.run("update");
    EXPECT_EQ(world.buffers["params"].bytes, params) << broken;
    EXPECT_EQ(world.buffers["opt.velocity"].bytes, velocity) << broken;
    EXPECT_EQ(world.scalar("state.ok"), 0);
    EXPECT_EQ(world.scalar("state.attempt"), 1) << "the batch is consumed";
    EXPECT_EQ(world.scalar("state.step"), 0);
    EXPECT_EQ(world.scalar("state.skipped"), 1);
    EXPECT_TRUE(std::signbit(world.get("grads").back())) << "the next step starts clean";
  }
}

/// Evaluates samples [0, count) in batches of `rows`, the last one padded.
void evaluate(BufferWorld &world, int64_t count, int64_t rows,
              const std::function<void(int64_t, int64_t)> &setBatch) {
  world.run("eval_begin");
  for (int64_t first = 0; first < count; first += rows) {
    setBatch(first, rows);
    std::vector<double> weight;
    for (int64_t row = 0; row < rows; ++row)
      weight.push_back(first + row < count ? 1 : 0);
    world.set("batch.weight", {rows}, weight);
    world.run("eval");
  }
  world.run("eval_end");
}

TEST_F(Expand, EvaluationCountsEachSampleOnce) {
  BufferWorld whole(compile(8, 10), Mode::F32);
  start(whole, 8);
  evaluate(whole, 10, 10, [&](int64_t first, int64_t rows) { setBatch(whole, first, rows); });
  EXPECT_EQ(whole.scalar("eval.count"), 10);
  for (int64_t rows : {4, 3, 1}) {
    BufferWorld parts(compile(8, rows), Mode::F32);
    start(parts, 8);
    evaluate(parts, 10, rows, [&](int64_t first, int64_t n) { setBatch(parts, first, n); });
    EXPECT_EQ(parts.scalar("eval.count"), 10) << rows;
    EXPECT_EQ(parts.scalar("metric.accuracy"), whole.scalar("metric.accuracy")) << rows;
    EXPECT_NEAR(parts.scalar("metric.loss"), whole.scalar("metric.loss"), 1e-5) << rows;
  }
}

TEST_F(Expand, EvaluationLossIsTheTrainingLoss) {
  BufferWorld world(compile(8, 8), Mode::F32);
  start(world, 8);
  setBatch(world, 0, 8);
  world.run("grad");
  evaluate(world, 8, 8, [&](int64_t first, int64_t rows) { setBatch(world, first, rows); });
  EXPECT_NEAR(world.scalar("metric.loss"), world.scalar("loss.loss"), 1e-5);
}

} // namespace
} // namespace dlm
