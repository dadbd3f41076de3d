// Device code of products under the emulator against a plain chain of fma, bit for bit.
#include "test/equal/EmulatedProgram.h"
#include "test/equal/KernelTrial.h"

#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

using namespace mlir;
using dlm::emulator::Order;

namespace {

struct Product {
  int64_t m, n, k;
  bool isOdd = false; // at odd addresses
  int64_t batch = 1;
  std::string getText(bool transposeLhs, bool transposeRhs) const {
    auto ref = [&](int64_t count) {
      return "#plan.ref<@b at " + std::to_string(isOdd ? 4 : 0) + " for " +
             std::to_string(count * 4 * batch) + ">";
    };
    return "plan.contract " + std::to_string(m) + " x " + std::to_string(n) + " x " +
           std::to_string(k) + (transposeLhs ? " transpose_lhs" : "") +
           (transposeRhs ? " transpose_rhs" : "") +
           (batch > 1 ? " batch " + std::to_string(batch) : "") + " [" + ref(m * k) + ", " +
           ref(k * n) + ", " + ref(m * n) + "]\n";
  }
};

const Product Products[] = {
    {1, 1, 1},      {1, 1, 5003},          {1, 64, 16},           {64, 1, 17},
    {64, 64, 16},   {64, 64, 64},          {65, 63, 15},          {128, 128, 32},
    {4, 4, 4},      {8, 12, 20},           {7, 12, 13},           {12, 7, 36},
    {13, 16, 31},   {61, 67, 71},          {127, 131, 19},        {100, 10, 784},
    {64, 256, 100}, {130, 4, 129},         {16, 16, 16, true},    {64, 68, 20, true},
    {5, 3, 0},      {16, 64, 8, false, 3}, {67, 65, 9, false, 2}, {7, 4, 5, true, 3},
};

/// Ordinary values, or some that are not, or one whose every chain is -0.0.
enum class Kind { Ordinary, Special, NegativeZero, One };

Buffer makeMatrix(int64_t count, Kind kind, std::mt19937 &random) {
  Buffer buffer(count * 4);
  for (int64_t index = 0; index < count; ++index) {
    float value = float(random()) * 0x1p-31f - 1;
    if (kind == Kind::NegativeZero) value = -0.0f;
    if (kind == Kind::One) value = 1;
    if (kind == Kind::Special && random() % 97 == 0)
      value = std::array{NAN, INFINITY, -0.0f, 0.0f, 1e-42f, 3e38f}[random() % 6];
    std::memcpy(buffer.data() + index * 4, &value, 4);
  }
  return buffer;
}

Buffer multiply(plan::ContractOp product, const Buffer &lhs, const Buffer &rhs) {
  int64_t m = product.getM(), n = product.getN(), k = product.getK();
  auto at = [](const Buffer &buffer, int64_t index) {
    float value;
    std::memcpy(&value, buffer.data() + index * 4, 4);
    return value;
  };
  Buffer out(product.getBatch() * m * n * 4);
  for (int64_t place = 0; place < int64_t(out.size()) / 4; ++place) {
    int64_t one = place / (m * n), row = place / n % m, column = place % n;
    float sum = -0.0f;
    for (int64_t depth = 0; depth < k; ++depth)
      sum = std::fma(
          at(lhs, one * m * k + (product.getTransposeLhs() ? depth * m + row : row * k + depth)),
          at(rhs,
             one * k * n + (product.getTransposeRhs() ? column * k + depth : depth * n + column)),
          sum);
    std::memcpy(out.data() + place * 4, &sum, 4);
  }
  return out;
}

TEST(EmulatedProducts, EqualAChainOfFma) {
  MLIRContext context;
  context.loadDialect<plan::PlanDialect>();
  std::string text = "plan.arena @a <persistent> size 1073741824 align 256\n"
                     "plan.buffer @b : tensor<1xf32> in @a at 0 live 0 to 0 persistent\n"
                     "plan.program @p rows 0 reads [] {\n";
  for (const Product &product : Products)
    for (int transposed = 0; transposed < 4; ++transposed)
      text += product.getText(transposed & 1, transposed & 2);
  auto module = parseSourceString<ModuleOp>(text + "}\n", &context);
  ASSERT_TRUE(module);
  auto program = EmulatedProgram::create(*module);
  ASSERT_TRUE(program);
  std::mt19937 random(1);
  module->walk([&](plan::ContractOp product) {
    for (Kind kind : {Kind::Ordinary, Kind::Special, Kind::NegativeZero}) {
      int64_t m = product.getM(), n = product.getN(), k = product.getK(),
              batch = product.getBatch();
      Buffer lhs = makeMatrix(batch * m * k, kind, random);
      Buffer rhs = makeMatrix(batch * k * n, kind == Kind::NegativeZero ? Kind::One : kind, random);
      Buffer expected = multiply(product, lhs, rhs);
      auto check = [&](const EmulatedRun &how) {
        std::vector<Buffer> found =
            program->run(product, {lhs, rhs, Buffer(batch * m * n * 4)}, how);
        EXPECT_EQ(countDifferences(Float32Type::get(&context), expected, found[2]), 0)
            << batch << " of " << m << " x " << n << " x " << k
            << (product.getTransposeLhs() ? " tl" : "") << (product.getTransposeRhs() ? " tr" : "")
            << ", order " << int(how.order) << (how.isChecked ? ", checked" : "");
      };
      for (Order order : {Order::Sequential, Order::Reverse, Order::Random, Order::WarpSkew})
        check({false, order});
      if (kind == Kind::Ordinary) check({true});
    }
  });
}

} // namespace
