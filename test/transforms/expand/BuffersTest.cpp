// What becomes of buffers, of programs as people write them: micro-batches against the whole, a
// skipped step against none, groups that are normalised against the batch at once.
#include "compiler/diagnostics/Render.h"
#include "compiler/lower/Lower.h"
#include "compiler/lower/NotYet.h"
#include "compiler/sema/Check.h"
#include "compiler/syntax/Parser.h"
#include "compiler/transforms/expand/Passes.h"
#include "compiler/transforms/pin/Passes.h"
#include "compiler/transforms/simplify/Passes.h"
#include "test/sema/TinyData.h"
#include "test/transforms/expand/BufferWorld.h"

#include "mlir/Pass/PassManager.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace dlm {
namespace {

using reference::Mode;
using test::BufferWorld;

/// A train block `t` around models: its `let`s, and what the loss makes of `x`, [batch, 6].
std::string programOf(const std::string &models, const std::string &lets, const std::string &loss) {
  return "use nn, optim, data\nlet tiny = data.idx(\"tiny\")\n" + models + "\ntrain t {\n" + lets +
         "\n  data = tiny\n  batch = 12\n  fn loss(batch) {\n"
         "    let x = reshape(cast(batch.image, f32) / 16, [batch.size, 6])\n    " +
         loss + "\n  }\n  optimizer = optim.SGD(lr = 0.1)\n  duration = 3 steps\n}\n";
}

class Buffers : public testing::Test {
protected:
  mlir::ModuleOp compile(const std::string &text, int64_t micro, int64_t evalRows = 4) {
    std::string name = "p" + std::to_string(modules.size()) + ".dlm";
    DiagnosticEngine diagnostics(sources);
    auto tree = parseFile(sources, sources.addFile(name, text), diagnostics);
    std::optional<sema::TypedProgram> program;
    sema::CheckOptions options;
    options.purpose = sema::Purpose::Run;
    if (tree) program = sema::check(*tree, sources, diagnostics, options);
    if (program) lower::reportNotYet(*program, diagnostics);
    if (!program || diagnostics.hasErrors()) {
      ADD_FAILURE() << renderText(diagnostics);
      return {};
    }
    program->settings.micro = micro;
    program->data.trainCount = 12; // as many as an evaluation batch may hold
    lower::LowerOptions lowering;
    lowering.evalRowsMax = evalRows;
    modules.push_back(lower::lower(*program, context, sources, lowering));
    mlir::PassManager passes(&context);
    expand::buildPipeline(passes);
    simplify::buildPipeline(passes);
    pin::buildPipeline(passes);
    EXPECT_TRUE(modules.back() && succeeded(passes.run(*modules.back())));
    return *modules.back();
  }

  static void start(BufferWorld &world) {
    world.set("state.seed", {}, {3}, DType::I64);
    world.set("batch.size", {}, {12});
    world.run("init");
  }

  static void setBatch(BufferWorld &world, int64_t first, int64_t rows) {
    std::vector<double> image, label;
    for (int64_t sample = first; sample < first + rows; ++sample) {
      for (int64_t pixel = 0; pixel < 6; ++pixel)
        image.push_back(double((sample * 37 + pixel * 91 + sample * pixel * 13) % 256));
      label.push_back(double(sample % 3));
    }
    world.set("batch.image", {rows, 2, 3}, image, DType::U8);
    world.set("batch.label", {rows}, label, DType::I32);
  }

  /// Evaluates samples [0, count) in batches of `rows`, the last one padded.
  static void evaluate(BufferWorld &world, int64_t count, int64_t rows) {
    world.run("eval_begin");
    for (int64_t first = 0; first < count; first += rows) {
      setBatch(world, first, rows);
      std::vector<double> weight;
      for (int64_t row = 0; row < rows; ++row)
        weight.push_back(first + row < count ? 1 : 0);
      world.set("batch.weight", {rows}, weight);
      world.run("eval");
    }
    world.run("eval_end");
  }

  /// One step of 12 samples; `number` tells the batch from others.
  static void step(BufferWorld &world, int64_t micro, int64_t number, bool isBroken = false) {
    for (int64_t first = 0; first < 12; first += micro) {
      setBatch(world, first + 12 * number, micro);
      world.run("grad");
    }
    if (isBroken) world.set("loss.loss", {}, {std::numeric_limits<double>::infinity()});
    world.run("update");
  }

  sema::TinyData data;
  mlir::MLIRContext context;
  SourceManager sources;
  std::vector<mlir::OwningOpRef<mlir::ModuleOp>> modules;
};

const std::string running = programOf(R"(
model Centre() {
  buffer mean_of: f32[6] = ones
  buffer seen: i32[] = 5
  buffer third: f32[] = 1
  fn forward(x: f32[B, 6]) -> f32[B, 6] {
    next mean_of = 0.75 * mean_of + 0.25 * mean(x, over = B)
    next seen = seen + 2
    next third = third / 3
    x - mean_of
  }
})",
                                      "  let centre = Centre()\n  let net = nn.Linear(6, 3)",
                                      "cross_entropy(net(centre(x)), batch.label)");

TEST_F(Buffers, NextIsTheValueAfterTheStepHoweverTheBatchIsSplit) {
  BufferWorld whole(compile(running, 12), Mode::F32);
  start(whole);
  EXPECT_EQ(whole.get("buffer.centre.mean_of"), std::vector<double>(6, 1));
  step(whole, 12, 0);
  std::vector<double> sums(6, 0);
  for (int64_t sample = 0; sample < 12; ++sample)
    for (int64_t pixel = 0; pixel < 6; ++pixel)
      sums[pixel] += double((sample * 37 + pixel * 91 + sample * pixel * 13) % 256) / 16;
  for (size_t i = 0; i < 6; ++i)
    EXPECT_NEAR(whole.get("buffer.centre.mean_of")[i], 0.75 + 0.25 * sums[i] / 12, 1e-5);
  EXPECT_EQ(whole.scalar("buffer.centre.seen"), 7);
  step(whole, 12, 1);
  for (int64_t micro : {6, 4, 1}) {
    BufferWorld parts(compile(running, micro), Mode::F32);
    start(parts);
    step(parts, micro, 0);
    step(parts, micro, 1);
    EXPECT_EQ(parts.scalar("buffer.centre.seen"), 9);
    EXPECT_EQ(parts.get("buffer.centre.third"), whole.get("buffer.centre.third")) << "exactly";
    for (size_t i = 0; i < 6; ++i)
      EXPECT_NEAR(parts.get("buffer.centre.mean_of")[i], whole.get("buffer.centre.mean_of")[i],
                  1e-5);
  }
}

TEST_F(Buffers, AStepThatIsSkippedLeavesThem) {
  BufferWorld world(compile(running, 6), Mode::F32);
  start(world);
  step(world, 6, 0);
  auto mean = world.get("buffer.centre.mean_of");
  step(world, 6, 1, true);
  EXPECT_EQ(world.scalar("state.skipped"), 1);
  EXPECT_EQ(world.get("buffer.centre.mean_of"), mean);
  EXPECT_EQ(world.scalar("buffer.centre.seen"), 7);
  BufferWorld other(compile(running, 6), Mode::F32);
  start(other);
  step(other, 6, 0);
  step(other, 6, 2);
  step(world, 6, 2);
  EXPECT_EQ(world.get("buffer.centre.mean_of"), other.get("buffer.centre.mean_of"))
      << "the sum of the skipped step is gone";
}

/// Two calls in one step: the mean of what they give.
TEST_F(Buffers, ValuesOfSeveralCallsAreAveraged) {
  std::string text = programOf(R"(
model Level() {
  buffer level: f32[] = 0
  param scale: f32[] = ones
  fn forward(x) {
    next level = level + mean(x)
    scale * x
  }
})",
                               "  let a = Level()", "mean(a(x) ** 2) + mean(a(3 * x) ** 2)");
  for (int64_t micro : {12, 4}) {
    BufferWorld world(compile(text, micro), Mode::F32);
    start(world);
    step(world, micro, 0);
    double sum = 0;
    for (int64_t sample = 0; sample < 12; ++sample)
      for (int64_t pixel = 0; pixel < 6; ++pixel)
        sum += double((sample * 37 + pixel * 91 + sample * pixel * 13) % 256) / 16;
    EXPECT_NEAR(world.scalar("buffer.a.level"), 2 * sum / 72, 1e-4) << micro;
  }
}

TEST_F(Buffers, NormalisedGroupsDoNotDependOnTheSplit) {
  std::string lets = "  let norm = nn.BatchNorm(6, group = 4)\n  let net = nn.Linear(6, 3)";
  std::string loss = "cross_entropy(net(if training { norm(x) } else { x }), batch.label)";
  BufferWorld whole(compile(programOf("", lets, loss), 12), Mode::F32);
  start(whole);
  step(whole, 12, 0);
  std::vector<double> params = whole.get("params");
  std::vector<double> mean(6, 0);
  for (int64_t sample = 0; sample < 12; ++sample)
    for (int64_t pixel = 0; pixel < 6; ++pixel)
      mean[pixel] += double((sample * 37 + pixel * 91 + sample * pixel * 13) % 256) / 16 / 12;
  for (size_t i = 0; i < 6; ++i)
    EXPECT_NEAR(whole.get("buffer.norm.running_mean")[i], 0.1 * mean[i], 1e-5);
  BufferWorld parts(compile(programOf("", lets, loss), 4), Mode::F32);
  start(parts);
  step(parts, 4, 0);
  for (size_t i = 0; i < 6; ++i) {
    EXPECT_NEAR(parts.get("buffer.norm.running_mean")[i], 0.1 * mean[i], 1e-5);
    EXPECT_NEAR(parts.get("buffer.norm.running_var")[i], whole.get("buffer.norm.running_var")[i],
                1e-4);
  }
  for (size_t i = 0; i < params.size(); ++i)
    ASSERT_NEAR(parts.get("params")[i], params[i], 1e-5) << i;
}

/// An evaluation puts variances together from batches of any size; a mean that is large beside them
/// takes nothing away.
TEST_F(Buffers, VariancesArePutTogetherFromParts) {
  std::string text =
      programOf("", "  let net = nn.Linear(6, 3)", "cross_entropy(net(x), batch.label)");
  size_t end = text.rfind("  optimizer");
  text.insert(end, "  fn metrics(batch) {\n"
                   "    let x = reshape(cast(batch.image, f32) / 16, [batch.size, 6]) + 4000\n"
                   "    (spread = std(x), each = mean(var(x, over = 0, ddof = 1)),\n"
                   "     some = var(x, where = x > 4008), none_of = var(x, where = x < 0))\n  }\n");
  constexpr int64_t count = 11;
  std::vector<double> x;
  for (int64_t sample = 0; sample < count; ++sample)
    for (int64_t pixel = 0; pixel < 6; ++pixel)
      x.push_back(double((sample * 37 + pixel * 91 + sample * pixel * 13) % 256) / 16 + 4000);
  auto varianceOf = [](const std::vector<double> &values, double less) {
    double mean = 0, squares = 0;
    for (double value : values)
      mean += value / double(values.size());
    for (double value : values)
      squares += (value - mean) * (value - mean);
    return squares / (double(values.size()) - less);
  };
  double each = 0;
  for (size_t pixel = 0; pixel < 6; ++pixel) {
    std::vector<double> column;
    for (size_t i = pixel; i < x.size(); i += 6)
      column.push_back(x[i]);
    each += varianceOf(column, 1) / 6;
  }
  std::vector<double> some;
  for (double value : x)
    if (value > 4008) some.push_back(value);
  for (int64_t rows : {12, 4, 1}) {
    BufferWorld world(compile(text, 12, rows), Mode::F32);
    start(world);
    evaluate(world, count, rows);
    EXPECT_NEAR(world.scalar("metric.spread"), std::sqrt(varianceOf(x, 0)), 1e-3) << rows;
    EXPECT_NEAR(world.scalar("metric.each"), each, 1e-2) << rows;
    EXPECT_NEAR(world.scalar("metric.some"), varianceOf(some, 0), 1e-2) << rows;
    EXPECT_TRUE(std::isnan(world.scalar("metric.none_of"))) << "0 / 0, as a mean of nothing";
  }
}

/// Without groups the samples of the whole batch meet.
TEST_F(Buffers, AWholeBatchIsNormalised) {
  std::string lets = "  let norm = nn.BatchNorm(6)\n  let net = nn.Linear(6, 3)";
  std::string loss = "cross_entropy(net(norm(x)), batch.label)";
  BufferWorld world(compile(programOf("", lets, loss), 12), Mode::F32);
  start(world);
  double first = 0;
  for (int i = 0; i < 30; ++i) {
    step(world, 12, 0);
    if (i == 0) first = world.scalar("report.loss");
  }
  EXPECT_LT(world.scalar("report.loss"), 0.8 * first);
  EXPECT_NE(world.get("buffer.norm.running_var"), std::vector<double>(6, 1));
}

} // namespace
} // namespace dlm
