// Generated kernels against the interpreter, bit for bit, where the naive evaluator of KernelsTest
// does not reach: elementary functions and normal random values.
#include "compiler/reference/Interpreter.h"
#include "dialects/kernel/Kernel.h"
#include "test/equal/CompiledKernel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

using namespace mlir;
using dlm::reference::Tensor;

namespace {

constexpr int64_t Count = 20011;

/// Compiles and interprets a kernel @k with one f32 output of `Count` elements; all NaNs are equal.
void expectEqual(const std::string &text, std::vector<Tensor> inputs) {
  MLIRContext context;
  context.loadDialect<kernel::KernelDialect, arith::ArithDialect, math::MathDialect,
                      func::FuncDialect>();
  auto module = parseSourceString<ModuleOp>(text, &context);
  ASSERT_TRUE(module);
  kernel::FuncOp func = *module->getOps<kernel::FuncOp>().begin();
  auto expected = dlm::reference::interpretKernel(func, Count, inputs, dlm::reference::Mode::F32);
  ASSERT_TRUE(expected.isOk());
  const float *wanted = (*expected)[0].as<float>();
  for (int64_t width : {16, 32, 64})
    for (std::string cpu : {"x86-64-v3", "native"}) {
      auto compiled = CompiledKernel::create(*module, width, cpu);
      ASSERT_TRUE(compiled);
      std::vector<float> found(Count);
      std::vector<void *> buffers;
      for (Tensor &input : inputs)
        buffers.push_back(input.bytes.data());
      buffers.push_back(found.data());
      DlmCtx ctx = {dlm::DlmAbiVersion, 0, Count, nullptr};
      compiled->getFunction()(&ctx, buffers.data(), 0, func.getSpace().getItems(Count));
      int64_t differences = 0;
      for (int64_t index = 0; index < Count; ++index)
        if (!(std::isnan(found[index]) && std::isnan(wanted[index])))
          differences += std::memcmp(&found[index], &wanted[index], 4) != 0;
      EXPECT_EQ(differences, 0) << cpu << " x " << width;
    }
}

/// Floats of all sizes and kinds.
Tensor makeAnyFloats(uint32_t seed) {
  std::mt19937 random(seed);
  Tensor tensor = Tensor::zeros(dlm::DType::F32, {Count});
  for (int64_t index = 0; index < Count; ++index) {
    uint32_t bits = random();
    float moderate = (float(bits) * 0x1p-32f - 0.5f) * 40;
    std::memcpy(tensor.as<float>() + index, index % 2 ? (void *)&bits : (void *)&moderate, 4);
  }
  return tensor;
}

class Functions : public testing::TestWithParam<const char *> {};

TEST_P(Functions, EqualTheInterpreter) {
  bool isBinary = std::string(GetParam()) == "powf";
  std::string load = " affine_map<(d0) -> (d0)> : tensor<?xf32> -> f32\n";
  expectEqual("kernel.func @k(%x: tensor<?xf32>, %y: tensor<?xf32>) -> (%o: tensor<?xf32>)"
              " over <linear, [?]> {\n %a = kernel.load %x" +
                  load + " %b = kernel.load %y" + load + " %r = math." + GetParam() + " %a" +
                  (isBinary ? ", %b" : "") + " : f32\n" +
                  " kernel.store %r, %o affine_map<(d0) -> (d0)> : f32 -> tensor<?xf32>\n}",
              {makeAnyFloats(1), makeAnyFloats(2)});
}

INSTANTIATE_TEST_SUITE_P(All, Functions,
                         testing::Values("exp", "log", "tanh", "erf", "sin", "cos", "powf", "sqrt",
                                         "floor", "ceil", "roundeven", "absf"),
                         [](const auto &info) { return std::string(info.param); });

TEST(Random, EqualsTheInterpreter) {
  for (std::string kind : {"uniform", "normal"}) {
    Tensor seed = Tensor::zeros(dlm::DType::I64, {}), attempt = seed;
    *seed.as<int64_t>() = 0x123456789abcdef;
    *attempt.as<int64_t>() = 0x1ffffffff;
    expectEqual("kernel.func @k(%s: tensor<i64>, %t: tensor<i64>) -> (%o: tensor<?xf32>)"
                " over <linear, [?]> {\n"
                " %a = kernel.load %s affine_map<(d0) -> ()> : tensor<i64> -> i64\n"
                " %b = kernel.load %t affine_map<(d0) -> ()> : tensor<i64> -> i64\n"
                " %i = kernel.iota 0 : i64\n"
                " %r = kernel.random " +
                    kind +
                    "(%a, %b, %i) site 4000000000 : f32\n"
                    " kernel.store %r, %o affine_map<(d0) -> (d0)> : f32 -> tensor<?xf32>\n}",
                {seed, attempt});
  }
}

} // namespace
