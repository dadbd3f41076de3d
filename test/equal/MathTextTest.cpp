// The elementary functions against the C library in double: over floats of all sizes for the error
// that Math.mlir promises, and at the special values.
#include "test/equal/CompiledKernel.h"

#include "dialects/kernel/Kernel.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

using namespace mlir;

namespace {

float fromBits(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, 4);
  return value;
}

/// One elementary function as a kernel over arrays.
class Elementary {
public:
  explicit Elementary(const std::string &op, bool isBinary = false) {
    MLIRContext context;
    context.loadDialect<kernel::KernelDialect, arith::ArithDialect, math::MathDialect>();
    std::string load = " affine_map<(d0) -> (d0)> : tensor<?xf32> -> f32\n";
    std::string text = "kernel.func @k(%x: tensor<?xf32>, %y: tensor<?xf32>) -> (%o: tensor<?xf32>)"
                       " over <linear, [?]> {\n %a = kernel.load %x" +
                       load + " %b = kernel.load %y" + load + " %r = math." + op + " %a" +
                       (isBinary ? ", %b" : "") + " : f32\n" +
                       " kernel.store %r, %o affine_map<(d0) -> (d0)> : f32 -> tensor<?xf32>\n}";
    auto module = parseSourceString<ModuleOp>(text, &context);
    compiled = CompiledKernel::create(*module, 16, "native");
  }

  std::vector<float> run(const std::vector<float> &x, const std::vector<float> &y) {
    std::vector<float> result(x.size());
    void *buffers[] = {const_cast<float *>(x.data()), const_cast<float *>(y.data()), result.data()};
    DlmCtx context = {dlm::DlmAbiVersion, 0, int64_t(x.size()), nullptr};
    compiled->getFunction()(&context, buffers, 0, (x.size() + 2047) / 2048);
    return result;
  }

private:
  std::unique_ptr<CompiledKernel> compiled;
};

/// Distance from the exact value in units of the last place of an f32 of its size.
double getUlps(float actual, double exact) {
  float nearest = float(exact);
  if (std::isnan(nearest) || std::isnan(actual))
    return std::isnan(nearest) && std::isnan(actual) ? 0 : HUGE_VAL;
  if (std::isinf(nearest) || std::isinf(actual)) return nearest == actual ? 0 : HUGE_VAL;
  int exponent = 0;
  std::frexp(nearest, &exponent);
  double ulp = std::ldexp(1.0, std::max(exponent - 24, -149));
  return std::fabs(double(actual) - exact) / ulp;
}

struct Worst {
  double ulps = 0;
  float x = 0, y = 0;
};

constexpr size_t BatchSize = 1 << 16;
// A prime: all exponents and mixed mantissas. For the bounds in Math.mlir 61 was used.
constexpr uint32_t Stride = 1009;

Worst tryAll(const std::string &op, double (*exact)(double), float sizeMax = INFINITY) {
  Elementary function(op);
  Worst worst;
  std::vector<float> x;
  auto flush = [&] {
    std::vector<float> result = function.run(x, x);
    for (size_t index = 0; index < x.size(); ++index) {
      double ulps = getUlps(result[index], exact(x[index]));
      if (ulps > worst.ulps) worst = {ulps, x[index], 0};
    }
    x.clear();
  };
  for (uint64_t bits = 0; bits < (uint64_t(1) << 32); bits += Stride) {
    float value = fromBits(bits);
    if (std::fabs(value) > sizeMax) continue;
    x.push_back(value);
    if (x.size() == BatchSize) flush();
  }
  for (uint32_t bits : {0u, 1u, 0x00800000u, 0x3F800000u, 0x7F7FFFFFu, 0x7F800000u, 0x7FC00000u})
    for (uint32_t sign : {0u, 0x80000000u})
      if (!(std::fabs(fromBits(bits)) > sizeMax)) x.push_back(fromBits(bits | sign));
  flush();
  std::printf("%s: %.3f ulp at %a\n", op.c_str(), worst.ulps, worst.x);
  return worst;
}

TEST(MathText, ExpIsWithinItsBound) { EXPECT_LT(tryAll("exp", std::exp).ulps, 1.0); }
TEST(MathText, LogIsWithinItsBound) { EXPECT_LT(tryAll("log", std::log).ulps, 0.9); }
TEST(MathText, TanhIsWithinItsBound) { EXPECT_LT(tryAll("tanh", std::tanh).ulps, 1.4); }
TEST(MathText, ErfIsWithinItsBound) { EXPECT_LT(tryAll("erf", std::erf).ulps, 1.1); }
TEST(MathText, SinIsWithinItsBound) { EXPECT_LT(tryAll("sin", std::sin, 0x1p20f).ulps, 1.6); }
TEST(MathText, CosIsWithinItsBound) { EXPECT_LT(tryAll("cos", std::cos, 0x1p20f).ulps, 1.6); }

TEST(MathText, PowIsWithinItsBound) {
  Elementary function("powf", /*isBinary=*/true);
  std::mt19937 random(7);
  Worst worst;
  std::vector<float> x, y;
  for (size_t batch = 0; batch < 64; ++batch) {
    x.clear();
    y.clear();
    for (size_t index = 0; index < BatchSize; ++index) {
      float base = fromBits(random());
      // Powers near those that give finite results, and a few of any size.
      double log = std::log(std::fabs(double(base)));
      double power = (double(random()) * 0x1p-31 - 1) * 104 / (log == 0 ? 1 : log);
      float any = index % 8 == 0   ? fromBits(random())
                  : index % 8 == 1 ? float(int(random() % 41) - 20)
                                   : float(power);
      x.push_back(index % 4 == 3 ? std::fabs(base) : base);
      y.push_back(any);
    }
    std::vector<float> result = function.run(x, y);
    for (size_t index = 0; index < x.size(); ++index) {
      double ulps = getUlps(result[index], std::pow(double(x[index]), double(y[index])));
      if (ulps > worst.ulps) worst = {ulps, x[index], y[index]};
    }
  }
  std::printf("powf: %.3f ulp at %a, %a\n", worst.ulps, worst.x, worst.y);
  EXPECT_LT(worst.ulps, 4.0);
}

TEST(MathText, PowTakesSpecialValuesAsC) {
  Elementary function("powf", /*isBinary=*/true);
  const std::vector<float> values = {0.0f,     -0.0f,       1.0f,        -1.0f,       2.0f,  -2.0f,
                                     0.5f,     -0.5f,       3.0f,        -3.0f,       2.5f,  -2.5f,
                                     INFINITY, -INFINITY,   NAN,         1e-42f,      3e38f, 0.999f,
                                     1.001f,   16777216.0f, 16777215.0f, -16777215.0f};
  std::vector<float> x, y;
  for (float base : values)
    for (float power : values) {
      x.push_back(base);
      y.push_back(power);
    }
  std::vector<float> result = function.run(x, y);
  for (size_t index = 0; index < x.size(); ++index) {
    double exact = std::pow(double(x[index]), double(y[index]));
    EXPECT_LT(getUlps(result[index], exact), 4.0) << x[index] << " to " << y[index];
    if (!std::isnan(exact))
      EXPECT_EQ(std::signbit(result[index]), std::signbit(float(exact)))
          << x[index] << " to " << y[index];
  }
}

TEST(MathText, ZerosKeepTheirSign) {
  for (const char *op : {"sin", "tanh", "erf"}) {
    std::vector<float> result = Elementary(op).run({-0.0f, 0.0f}, {0.0f, 0.0f});
    EXPECT_TRUE(std::signbit(result[0]) && result[0] == 0) << op;
    EXPECT_TRUE(!std::signbit(result[1]) && result[1] == 0) << op;
  }
}

TEST(MathText, TurnsBeyondTheReductionAreNaN) {
  for (const char *op : {"sin", "cos"}) {
    std::vector<float> result = Elementary(op).run({0x1.1p20f, -0x1.1p20f}, {0.0f, 0.0f});
    EXPECT_TRUE(std::isnan(result[0]) && std::isnan(result[1])) << op;
  }
}

} // namespace
