// The orders of sums, against loops written here by hand from the definition: #dlm.tree,
// #dlm.chain.
#include "test/equal/TextProgram.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace dlm::test {
namespace {

uint32_t bitsOf(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

/// The tree<128, 2048> sum, written out with fixed arrays.
float rowSumByHand(const std::vector<float> &x) {
  float chunks[8] = {-0.0f, -0.0f, -0.0f, -0.0f, -0.0f, -0.0f, -0.0f, -0.0f};
  size_t chunkCount = (x.size() + 2047) / 2048;
  for (size_t c = 0; c < chunkCount; ++c) {
    float lanes[128];
    for (float &lane : lanes)
      lane = -0.0f;
    for (size_t e = c * 2048; e < x.size() && e < (c + 1) * 2048; ++e)
      lanes[e % 128] = lanes[e % 128] + x[e];
    for (int half = 64; half >= 1; half /= 2)
      for (int lane = 0; lane < half; ++lane)
        lanes[lane] = lanes[lane] + lanes[lane + half];
    chunks[c] = lanes[0];
  }
  // Padding by -0.0 changes nothing, so eight stands for any power of two that is large enough.
  for (int half = 4; half >= 1; half /= 2)
    for (int c = 0; c < half; ++c)
      chunks[c] = chunks[c] + chunks[c + half];
  return chunks[0];
}

std::string reduceText(const std::string &kind, const std::string &dims, const std::string &tree,
                       const std::string &from, const std::string &to) {
  return "dlm.reduce " + kind + " %a0 dims " + dims + " {tree = #dlm.tree<" + tree +
         ">} : " + from + " -> " + to;
}

TEST(InterpreterReduce, SumsARowInTheOrderOfItsTree) {
  for (int64_t length : {1, 2, 63, 64, 127, 128, 129, 2047, 2048, 2049, 4096, 4097, 14500}) {
    std::vector<float> values = someFloats(length, 5);
    std::string type = "tensor<" + std::to_string(length) + "xf32>";
    Tensor sum = runOp(reduceText("add", "[0]", "lanes = 128, chunk = 2048", type, "tensor<f32>"),
                       {type}, "tensor<f32>", {floats(values)});
    EXPECT_EQ(bitsOf(*sum.as<float>()), bitsOf(rowSumByHand(values))) << "length " << length;
  }
}

TEST(InterpreterReduce, SumsColumnsInChainsOf64) {
  for (int64_t rows : {1, 63, 64, 65, 130}) {
    std::vector<float> values = someFloats(rows * 3, 6);
    std::string type = "tensor<" + std::to_string(rows) + "x3xf32>";
    Tensor sums = runOp(reduceText("add", "[0]", "lanes = 1, chunk = 64", type, "tensor<3xf32>"),
                        {type}, "tensor<3xf32>", {floats({rows, 3}, values)});
    for (int column = 0; column < 3; ++column) {
      float chain[4] = {-0.0f, -0.0f, -0.0f, -0.0f};
      for (int64_t row = 0; row < rows; ++row)
        chain[row / 64] += values[row * 3 + column];
      float expected = (chain[0] + chain[2]) + (chain[1] + chain[3]);
      EXPECT_EQ(bitsOf(sums.as<float>()[column]), bitsOf(expected)) << rows << " rows";
    }
  }
}

TEST(InterpreterReduce, LinearisesAGroupInLogicalOrder) {
  // Dims 0 and 2 of a 5 x 2 x 30 tensor: element e of the group of 150 is (e / 30, e % 30).
  std::vector<float> values = someFloats(300, 7), group;
  for (int outer = 0; outer < 5; ++outer)
    for (int inner = 0; inner < 30; ++inner)
      group.push_back(values[outer * 60 + 30 + inner]);
  Tensor sums = runOp(reduceText("add", "[0, 2]", "lanes = 128, chunk = 2048", "tensor<5x2x30xf32>",
                                 "tensor<2xf32>"),
                      {"tensor<5x2x30xf32>"}, "tensor<2xf32>", {floats({5, 2, 30}, values)});
  EXPECT_EQ(bitsOf(sums.as<float>()[1]), bitsOf(rowSumByHand(group)));
}

TEST(InterpreterReduce, WithoutATreeIsOneChain) {
  std::vector<float> values = someFloats(1000, 8);
  float expected = -0.0f;
  for (float value : values)
    expected += value;
  Tensor sum = runOp("dlm.reduce add %a0 dims [0] : tensor<1000xf32> -> tensor<f32>",
                     {"tensor<1000xf32>"}, "tensor<f32>", {floats(values)});
  EXPECT_EQ(bitsOf(*sum.as<float>()), bitsOf(expected));
}

TEST(InterpreterReduce, KeepsNegativeZeroAndPropagatesNaN) {
  auto reduce = [](const std::string &kind, std::vector<float> values) {
    std::string type = "tensor<" + std::to_string(values.size()) + "xf32>";
    std::string op = reduceText(kind, "[0]", "lanes = 128, chunk = 2048", type, "tensor<f32>");
    return *runOp(op, {type}, "tensor<f32>", {floats(values)}).as<float>();
  };
  EXPECT_EQ(bitsOf(reduce("add", {-0.0f, -0.0f})), bitsOf(-0.0f));
  for (std::string kind : {"max", "min"})
    for (int place = 0; place < 3; ++place) {
      std::vector<float> values = {1, 2, 3};
      values[place] = std::nanf("");
      EXPECT_TRUE(std::isnan(reduce(kind, values))) << kind << " at " << place;
    }
  EXPECT_EQ(reduce("max", {-INFINITY}), -INFINITY);
  EXPECT_EQ(reduce("min", {3, -2, 7}), -2);
}

TEST(InterpreterReduce, ReducesIntegers) {
  Tensor x = makeTensor<int32_t>(DType::I32, {4}, {5, -7, 2147483647, 4});
  auto reduce = [&](const std::string &kind) {
    return *runOp("dlm.reduce " + kind + " %a0 dims [0] : tensor<4xi32> -> tensor<i32>",
                  {"tensor<4xi32>"}, "tensor<i32>", {x})
                .as<int32_t>();
  };
  EXPECT_EQ(reduce("add"), -2147483647); // 2^31 + 1, wrapped
  EXPECT_EQ(reduce("max"), 2147483647);
  EXPECT_EQ(reduce("min"), -7);
}

TEST(InterpreterReduce, ArgmaxTakesTheLowestIndexAndPassesOverNaN) {
  float nan = std::nanf("");
  Tensor x = floats({5, 3}, {1, 3, 3, nan, 2, 2, nan, nan, nan, -5, nan, -4, 0, -0.0f, 0});
  Tensor at = runOp("dlm.argmax %a0 dim 1 : tensor<5x3xf32> -> tensor<5xi32>", {"tensor<5x3xf32>"},
                    "tensor<5xi32>", {x});
  EXPECT_EQ(valuesOf<int32_t>(at), (std::vector<int32_t>{1, 1, 0, 2, 0}));
}

std::vector<float> chainsByHand(const std::vector<float> &a, const std::vector<float> &b, int rows,
                                int depth, int columns, int begin, int end) {
  std::vector<float> result;
  for (int m = 0; m < rows; ++m)
    for (int n = 0; n < columns; ++n) {
      float chain = -0.0f;
      for (int k = begin; k < end; ++k)
        chain = std::fma(a[m * depth + k], b[k * columns + n], chain);
      result.push_back(chain);
    }
  return result;
}

TEST(InterpreterReduce, MultipliesInOneChainOfFusedMultiplyAdds) {
  std::vector<float> a = someFloats(5 * 37, 9), b = someFloats(37 * 3, 10);
  Tensor c = runOp("dlm.matmul %a0, %a1 : tensor<5x37xf32>, tensor<37x3xf32> -> tensor<5x3xf32>",
                   {"tensor<5x37xf32>", "tensor<37x3xf32>"}, "tensor<5x3xf32>",
                   {floats({5, 37}, a), floats({37, 3}, b)});
  EXPECT_EQ(valuesOf<float>(c), chainsByHand(a, b, 5, 37, 3, 0, 37));
}

TEST(InterpreterReduce, FoldsTheSplitsOfAChainByHalves) {
  std::vector<float> a = someFloats(2 * 10, 11), b = someFloats(10 * 3, 12);
  Tensor c = runOp("dlm.matmul %a0, %a1 {chain = #dlm.chain<splits = 3>} : tensor<2x10xf32>, "
                   "tensor<10x3xf32> -> tensor<2x3xf32>",
                   {"tensor<2x10xf32>", "tensor<10x3xf32>"}, "tensor<2x3xf32>",
                   {floats({2, 10}, a), floats({10, 3}, b)});
  // Ranges of ceil(10 / 3) = 4: [0, 4) [4, 8) [8, 10); padded to four, 0 meets 2, 1 meets padding.
  std::vector<float> p0 = chainsByHand(a, b, 2, 10, 3, 0, 4);
  std::vector<float> p1 = chainsByHand(a, b, 2, 10, 3, 4, 8);
  std::vector<float> p2 = chainsByHand(a, b, 2, 10, 3, 8, 10);
  for (int i = 0; i < 6; ++i)
    EXPECT_EQ(c.as<float>()[i], (p0[i] + p2[i]) + (p1[i] + -0.0f));
}

TEST(InterpreterReduce, TransposedOperandsGiveTheSameProduct) {
  std::vector<float> a = someFloats(4 * 6, 13), b = someFloats(6 * 5, 14);
  std::vector<float> at(24), bt(30);
  for (int i = 0; i < 4; ++i)
    for (int k = 0; k < 6; ++k)
      at[k * 4 + i] = a[i * 6 + k];
  for (int k = 0; k < 6; ++k)
    for (int j = 0; j < 5; ++j)
      bt[j * 6 + k] = b[k * 5 + j];
  Tensor plain = runOp("dlm.matmul %a0, %a1 : tensor<4x6xf32>, tensor<6x5xf32> -> tensor<4x5xf32>",
                       {"tensor<4x6xf32>", "tensor<6x5xf32>"}, "tensor<4x5xf32>",
                       {floats({4, 6}, a), floats({6, 5}, b)});
  Tensor both = runOp("dlm.matmul %a0, %a1 transposeLhs transposeRhs : tensor<6x4xf32>, "
                      "tensor<5x6xf32> -> tensor<4x5xf32>",
                      {"tensor<6x4xf32>", "tensor<5x6xf32>"}, "tensor<4x5xf32>",
                      {floats({6, 4}, at), floats({5, 6}, bt)});
  EXPECT_EQ(plain.bytes, both.bytes);
}

} // namespace
} // namespace dlm::test
