// Known values of the interpreter: scalar semantics at the edges, moves, random numbers, and how
// far mode F32 is from mode F64.
#include "test/equal/TextProgram.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

namespace dlm::test {
namespace {

constexpr float Inf = std::numeric_limits<float>::infinity();
const float NaN = std::nanf("");

std::string vectorType(size_t size, const std::string &element) {
  return "tensor<" + std::to_string(size) + "x" + element + ">";
}

/// An op of floats to floats.
std::vector<float> onFloats(const std::string &name, const std::vector<std::vector<float>> &inputs,
                            Mode mode = Mode::F32) {
  std::string type = vectorType(inputs[0].size(), "f32"), op = "dlm." + name + " %a0";
  std::vector<Tensor> arguments;
  for (const std::vector<float> &input : inputs)
    arguments.push_back(floats(input));
  for (size_t i = 1; i < inputs.size(); ++i)
    op += ", %a" + std::to_string(i);
  std::vector<std::string> types(inputs.size(), type);
  Tensor result = runOp(op + " : " + type, types, type, arguments, mode);
  return valuesOf<float>(reference::withPrecision(result, DType::F32));
}

/// Equal bit for bit, but any NaN equals any NaN.
void expectSame(const std::vector<float> &found, const std::vector<float> &expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i) {
    if (std::isnan(expected[i])) {
      EXPECT_TRUE(std::isnan(found[i])) << "element " << i;
      continue;
    }
    EXPECT_EQ(found[i], expected[i]) << "element " << i;
    EXPECT_EQ(std::signbit(found[i]), std::signbit(expected[i])) << "element " << i;
  }
}

TEST(Interpreter, ReluPassesNaNAndNegativeZero) {
  expectSame(onFloats("relu", {{-1, 0, -0.0f, 2, NaN, -Inf}}), {0, 0, -0.0f, 2, NaN, 0});
}

TEST(Interpreter, SignKeepsZerosAndNaN) {
  expectSame(onFloats("sign", {{-3, 3, 0, -0.0f, NaN}}), {-1, 1, 0, -0.0f, NaN});
}

/// A move of the numbers 0, 1, 2, ...
std::vector<float> onNumbers(const std::string &op, std::vector<int64_t> shape,
                             const std::string &type, const std::string &resultType) {
  std::vector<float> numbers;
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  for (int64_t i = 0; i < count; ++i)
    numbers.push_back(float(i));
  Tensor result = runOp(op + " : " + type + (type == resultType ? "" : " -> " + resultType), {type},
                        resultType, {floats(shape, numbers)});
  return valuesOf<float>(result);
}

TEST(Interpreter, PartsOfTensors) {
  expectSame(onNumbers("dlm.slice %a0 begins [1, 2]", {3, 4}, "tensor<3x4xf32>", "tensor<2x1xf32>"),
             {6, 10});
  expectSame(
      onNumbers("dlm.pad %a0 low [1, 0] value 9.0", {1, 2}, "tensor<1x2xf32>", "tensor<3x3xf32>"),
      {9, 9, 9, 0, 1, 9, 9, 9, 9});
  expectSame(onNumbers("dlm.flip %a0 dims [1]", {2, 3}, "tensor<2x3xf32>", "tensor<2x3xf32>"),
             {2, 1, 0, 5, 4, 3});
}

/// Over 1, 2, 3: twice their sum on top of 10, what it was before each trip, and the numbers of
/// trips.
std::vector<Tensor> onLoop(const std::string &direction) {
  TextProgram program(R"(func.func @f(%x: tensor<3xf32>, %s: tensor<f32>, %c: tensor<f32>)
      -> (tensor<f32>, tensor<3xf32>, tensor<3xi32>) {
    %0:3 = dlm.scan trips 3 )" +
                      direction + R"( init(%s : tensor<f32>) over(%x : tensor<3xf32>)
        capture(%c : tensor<f32>) -> (tensor<f32>, tensor<3xf32>, tensor<3xi32>) {
    ^bb0(%k: tensor<i32>, %sum: tensor<f32>, %each: tensor<f32>, %scale: tensor<f32>):
      %1 = dlm.mul %each, %scale : tensor<f32>
      %2 = dlm.add %sum, %1 : tensor<f32>
      dlm.yield %2, %sum, %k : tensor<f32>, tensor<f32>, tensor<i32>
    }
    return %0#0, %0#1, %0#2 : tensor<f32>, tensor<3xf32>, tensor<3xi32>
  })");
  return program.run({floats({1, 2, 3}), floats({}, {10}), floats({}, {2})});
}

TEST(Interpreter, LoopsCarryTheirStates) {
  std::vector<Tensor> results = onLoop("");
  ASSERT_EQ(results.size(), 3u);
  EXPECT_EQ(valuesOf<float>(results[0]), std::vector<float>{22});
  EXPECT_EQ(valuesOf<float>(results[1]), (std::vector<float>{10, 12, 16}));
  EXPECT_EQ(valuesOf<int32_t>(results[2]), (std::vector<int32_t>{0, 1, 2}));
}

TEST(Interpreter, LoopsBackwardsBeginWithTheLastSlice) {
  std::vector<Tensor> results = onLoop("reverse");
  ASSERT_EQ(results.size(), 3u);
  EXPECT_EQ(valuesOf<float>(results[0]), std::vector<float>{22});
  EXPECT_EQ(valuesOf<float>(results[1]), (std::vector<float>{20, 16, 10}));
  EXPECT_EQ(valuesOf<int32_t>(results[2]), (std::vector<int32_t>{0, 1, 2}));
}

TEST(Interpreter, WindowsMoveAndSeeZerosOutside) {
  expectSame(onNumbers("dlm.windows %a0 dim 0 strides [2] dilations [1] low [1]", {4},
                       "tensor<4xf32>", "tensor<2x3xf32>"),
             {0, 0, 1, 1, 2, 3});
  expectSame(onNumbers("dlm.windows %a0 dim 0 strides [1] dilations [2] low [0]", {4},
                       "tensor<4xf32>", "tensor<3x2xf32>"),
             {0, 2, 1, 3, 2, 0});
  expectSame(onNumbers("dlm.windows %a0 dim 0 strides [1, 1] dilations [1, 1] low [0, 0]", {2, 3},
                       "tensor<2x3xf32>", "tensor<1x2x2x2xf32>"),
             {0, 1, 3, 4, 1, 2, 4, 5});
}

TEST(Interpreter, OverlapAddSumsWindowsWhereTheyMeet) {
  expectSame(onNumbers("dlm.overlap_add %a0 dim 0 strides [2] dilations [1] low [0]", {2, 3},
                       "tensor<2x3xf32>", "tensor<5xf32>"),
             {0, 1, 5, 4, 5});
  expectSame(onNumbers("dlm.overlap_add %a0 dim 0 strides [2] dilations [1] low [1]", {2, 3},
                       "tensor<2x3xf32>", "tensor<3xf32>"),
             {1, 5, 4});
}

TEST(Interpreter, ConcatPutsPartsBehindEachOther) {
  Tensor result = runOp("dlm.concat %a0, %a1 dim 1 : tensor<2x1xf32>, tensor<2x2xf32> -> "
                        "tensor<2x3xf32>",
                        {"tensor<2x1xf32>", "tensor<2x2xf32>"}, "tensor<2x3xf32>",
                        {floats({2, 1}, {1, 2}), floats({2, 2}, {3, 4, 5, 6})});
  expectSame(valuesOf<float>(result), {1, 3, 4, 2, 5, 6});
}

TEST(Interpreter, GatherOfWhatIsNoIndexIsNaN) {
  Tensor ids = makeTensor<int32_t>(DType::I32, {4}, {2, -1, 0, 3});
  Tensor result = runOp("dlm.gather %a0, %a1 dim 0 : tensor<3x2xf32>, tensor<4xi32> -> "
                        "tensor<4x2xf32>",
                        {"tensor<3x2xf32>", "tensor<4xi32>"}, "tensor<4x2xf32>",
                        {floats({3, 2}, {0, 1, 2, 3, 4, 5}), ids});
  expectSame(valuesOf<float>(result), {4, 5, NaN, NaN, 0, 1, NaN, NaN});
}

TEST(Interpreter, GatherTakesFromItsOwnGroup) {
  Tensor ids = makeTensor<int64_t>(DType::I64, {2, 1}, {1, 0});
  Tensor result = runOp("dlm.gather %a0, %a1 dim 1 : tensor<2x2xf32>, tensor<2x1xi64> -> "
                        "tensor<2x1xf32>",
                        {"tensor<2x2xf32>", "tensor<2x1xi64>"}, "tensor<2x1xf32>",
                        {floats({2, 2}, {1, 2, 3, 4}), ids});
  expectSame(valuesOf<float>(result), {2, 3});
}

/// 1e8 + 1 is 1e8 in f32: the order of the sum can be seen.
TEST(Interpreter, ScatterAddIsAChainInOrderFromNegativeZero) {
  Tensor ids = makeTensor<int32_t>(DType::I32, {5}, {1, 1, 7, 1, -1});
  Tensor result =
      runOp("dlm.scatter_add %a0, %a1 dim 0 : tensor<5xf32>, tensor<5xi32> -> tensor<3xf32>",
            {"tensor<5xf32>", "tensor<5xi32>"}, "tensor<3xf32>",
            {floats({5}, {1, 1e8f, 3, -1e8f, 5}), ids});
  expectSame(valuesOf<float>(result), {-0.0f, 0, -0.0f});
}

TEST(Interpreter, RoundTakesTiesToEven) {
  expectSame(onFloats("round", {{0.5f, 1.5f, 2.5f, -0.5f, -1.5f, 1e30f}}),
             {0, 2, 2, -0.0f, -2, 1e30f});
  expectSame(onFloats("floor", {{0.5f, -0.5f, 3}}), {0, -1, 3});
  expectSame(onFloats("ceil", {{0.5f, -0.5f, 3}}), {1, -0.0f, 3});
}

TEST(Interpreter, MaxAndMinPropagateNaN) {
  std::vector<float> a = {1, NaN, 1, 2, -0.0f}, b = {NaN, 1, 2, 1, 0.0f};
  expectSame(onFloats("max", {a, b}), {NaN, NaN, 2, 2, 0.0f});
  expectSame(onFloats("min", {a, b}), {NaN, NaN, 1, 1, 0.0f});
}

TEST(Interpreter, ArithmeticRoundsOncePerOp) {
  expectSame(onFloats("add", {{1, -0.0f}, {0x1p-25f, -0.0f}}), {1, -0.0f});
  expectSame(onFloats("div", {{1, 1, 0}, {3, 0, 0}}), {1.0f / 3.0f, Inf, NaN});
  expectSame(onFloats("rsqrt", {{4, 3, 0}}), {0.5f, 1.0f / std::sqrt(3.0f), Inf});
  expectSame(onFloats("neg", {{1, -0.0f}}), {-1, 0});
  expectSame(onFloats("abs", {{-1, -0.0f}}), {1, 0});
}

TEST(Interpreter, ComparesWithNaN) {
  Tensor x = floats({1, NaN, 2}), y = floats({1, NaN, 1});
  auto compare = [&](const std::string &kind) {
    std::string op = "dlm.compare " + kind + " %a0, %a1 : tensor<3xf32>";
    return valuesOf<uint8_t>(runOp(op, {"tensor<3xf32>", "tensor<3xf32>"}, "tensor<3xi1>", {x, y}));
  };
  using Bytes = std::vector<uint8_t>;
  EXPECT_EQ(compare("eq"), (Bytes{1, 0, 0}));
  EXPECT_EQ(compare("ne"), (Bytes{0, 1, 1}));
  EXPECT_EQ(compare("lt"), (Bytes{0, 0, 0}));
  EXPECT_EQ(compare("le"), (Bytes{1, 0, 0}));
  EXPECT_EQ(compare("gt"), (Bytes{0, 0, 1}));
  EXPECT_EQ(compare("ge"), (Bytes{1, 0, 1}));
}

TEST(Interpreter, ComparesBytesWithoutSign) {
  Tensor x = makeTensor<uint8_t>(DType::U8, {2}, {200, 1}), y = x;
  y.bytes = {100, 255};
  Tensor less = runOp("dlm.compare lt %a0, %a1 : tensor<2xui8>", {"tensor<2xui8>", "tensor<2xui8>"},
                      "tensor<2xi1>", {x, y});
  EXPECT_EQ(less.bytes, (std::vector<uint8_t>{0, 1}));
}

template <class T>
std::vector<T> castTo(const std::string &from, const std::string &to, const Tensor &x) {
  size_t count = x.elementCount();
  std::string fromType = vectorType(count, from), toType = vectorType(count, to);
  return valuesOf<T>(
      runOp("dlm.cast %a0 : " + fromType + " -> " + toType, {fromType}, toType, {x}));
}

TEST(Interpreter, CastsTruncateAndSaturate) {
  Tensor x = floats({1.9f, -1.9f, 3e9f, -3e9f, NaN});
  EXPECT_EQ(castTo<int32_t>("f32", "i32", x),
            (std::vector<int32_t>{1, -1, INT32_MAX, INT32_MIN, 0}));
  EXPECT_EQ(castTo<uint8_t>("f32", "ui8", floats({254.9f, 300, -1, NaN})),
            (std::vector<uint8_t>{254, 255, 0, 0}));
  EXPECT_EQ(castTo<uint8_t>("f32", "i1", floats({0, -0.0f, 0.5f, NaN})),
            (std::vector<uint8_t>{0, 0, 1, 1}));
}

TEST(Interpreter, CastsBytesAndBoolsWithoutSign) {
  Tensor bytes = makeTensor<uint8_t>(DType::U8, {2}, {0, 255});
  EXPECT_EQ(castTo<float>("ui8", "f32", bytes), (std::vector<float>{0, 255}));
  EXPECT_EQ(castTo<int64_t>("ui8", "i64", bytes), (std::vector<int64_t>{0, 255}));
  Tensor bools = makeTensor<uint8_t>(DType::Bool, {2}, {0, 1});
  EXPECT_EQ(castTo<int32_t>("i1", "i32", bools), (std::vector<int32_t>{0, 1}));
  EXPECT_EQ(castTo<float>("i1", "f32", bools), (std::vector<float>{0, 1}));
  Tensor wide = makeTensor<int64_t>(DType::I64, {2}, {-1, (1ll << 32) + 5});
  EXPECT_EQ(castTo<int32_t>("i64", "i32", wide), (std::vector<int32_t>{-1, 5}));
  EXPECT_EQ(castTo<float>("i64", "f32", wide), (std::vector<float>{-1, 4294967296.0f}));
}

TEST(Interpreter, DividesIntegersTowardZero) {
  Tensor x = makeTensor<int32_t>(DType::I32, {4}, {7, -7, 5, INT32_MIN}), y = x;
  y = makeTensor<int32_t>(DType::I32, {4}, {2, 2, -3, -1});
  Tensor q = runOp("dlm.div %a0, %a1 : tensor<4xi32>", {"tensor<4xi32>", "tensor<4xi32>"},
                   "tensor<4xi32>", {x, y});
  EXPECT_EQ(valuesOf<int32_t>(q), (std::vector<int32_t>{3, -3, -1, INT32_MIN}));
}

TEST(Interpreter, BroadcastsAndTransposes) {
  Tensor x = floats({2, 1}, {1, 2});
  Tensor wide = runOp("dlm.broadcast %a0 dims [1, 2] : tensor<2x1xf32> -> tensor<2x2x3xf32>",
                      {"tensor<2x1xf32>"}, "tensor<2x2x3xf32>", {x});
  EXPECT_EQ(valuesOf<float>(wide), (std::vector<float>{1, 1, 1, 2, 2, 2, 1, 1, 1, 2, 2, 2}));
  Tensor y = floats({2, 3}, {1, 2, 3, 4, 5, 6});
  Tensor turned = runOp("dlm.transpose %a0 permutation [1, 0] : tensor<2x3xf32> -> tensor<3x2xf32>",
                        {"tensor<2x3xf32>"}, "tensor<3x2xf32>", {y});
  EXPECT_EQ(valuesOf<float>(turned), (std::vector<float>{1, 4, 2, 5, 3, 6}));
}

TEST(Interpreter, PacksWithZeroGapsAndTakesSegmentsOut) {
  TextProgram program(R"(
    func.func @f(%a: tensor<2xf32>, %b: tensor<1xf32>) -> (tensor<6xf32>, tensor<2x1xf32>) {
      %0 = dlm.pack %a, %b offsets [1, 4] : tensor<2xf32>, tensor<1xf32> -> tensor<6xf32>
      %1 = dlm.segment %0 offset 1 : tensor<6xf32> -> tensor<2x1xf32>
      return %0, %1 : tensor<6xf32>, tensor<2x1xf32>
    })");
  std::vector<Tensor> results = program.run({floats({7, 8}), floats({9})});
  ASSERT_EQ(results.size(), 2u);
  expectSame(valuesOf<float>(results[0]), {0, 7, 8, 0, 9, 0});
  expectSame(valuesOf<float>(results[1]), {7, 8});
}

TEST(Interpreter, MakesConstantsAndIndices) {
  Tensor iota = runOp("dlm.iota dim 0 : tensor<3x2xi64>", {}, "tensor<3x2xi64>", {});
  EXPECT_EQ(valuesOf<int64_t>(iota), (std::vector<int64_t>{0, 0, 1, 1, 2, 2}));
  Tensor bools =
      runOp("dlm.constant dense<[true, false, true]> : tensor<3xi1>", {}, "tensor<3xi1>", {});
  EXPECT_EQ(bools.bytes, (std::vector<uint8_t>{1, 0, 1}));
  Tensor splat = runOp("dlm.constant dense<-0.0> : tensor<2xf32>", {}, "tensor<2xf32>", {});
  expectSame(valuesOf<float>(splat), {-0.0f, -0.0f});
}

Tensor counter(int64_t value) { return makeTensor<int64_t>(DType::I64, {}, {value}); }

TEST(Interpreter, UniformValuesAreTheKnownPhiloxWords) {
  // Random123, kat_vectors: philox4x32-10, counter 0, key 0.
  Tensor u = runOp("dlm.random uniform %a0, %a1 site 0 : tensor<4xf32>",
                   {"tensor<i64>", "tensor<i64>"}, "tensor<4xf32>", {counter(0), counter(0)});
  std::vector<float> expected;
  for (uint32_t word : {0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u})
    expected.push_back(static_cast<float>(word >> 8) * 0x1p-24f);
  expectSame(valuesOf<float>(u), expected);
}

TEST(Interpreter, NormalValuesHaveTheRightMoments) {
  for (Mode mode : {Mode::F32, Mode::F64}) {
    Tensor x = runOp("dlm.random normal %a0, %a1 site 5 : tensor<101x99xf32>",
                     {"tensor<i64>", "tensor<i64>"}, "tensor<101x99xf32>",
                     {counter(42), counter(3)}, mode);
    x = reference::withPrecision(x, DType::F64);
    double sum = 0, squares = 0, count = x.elementCount();
    for (double value : valuesOf<double>(x)) {
      sum += value;
      squares += value * value;
    }
    EXPECT_NEAR(sum / count, 0, 0.04); // four standard errors
    EXPECT_NEAR(squares / count, 1, 0.06);
  }
}

TEST(Interpreter, SitesAndAttemptsGiveOtherValues) {
  auto draw = [](const std::string &site, int64_t attempt) {
    return runOp("dlm.random uniform %a0, %a1 site " + site + " : tensor<8xf32>",
                 {"tensor<i64>", "tensor<i64>"}, "tensor<8xf32>", {counter(1), counter(attempt)});
  };
  EXPECT_EQ(draw("1", 0).bytes, draw("1", 0).bytes);
  EXPECT_NE(draw("1", 0).bytes, draw("2", 0).bytes);
  EXPECT_NE(draw("1", 0).bytes, draw("1", 1).bytes);
}

TEST(Interpreter, ValuesGoOnWhereTheFirstOneStands) {
  for (std::string kind : {"uniform", "normal"}) {
    auto draw = [&](int64_t size, int64_t first) {
      std::string type = "tensor<" + std::to_string(size) + "xf32>";
      return valuesOf<float>(runOp("dlm.random " + kind + " %a0, %a1 first %a2 site 3 : " + type,
                                   {"tensor<i64>", "tensor<i64>", "tensor<i64>"}, type,
                                   {counter(1), counter(2), counter(first)}));
    };
    std::vector<float> whole = draw(17, 0), rest = draw(12, 5);
    expectSame(std::vector<float>(whole.begin() + 5, whole.end()), rest);
  }
}

TEST(Interpreter, ProductsStandSideBySide) {
  Tensor a = makeTensor<float>(DType::F32, {2, 1, 2}, {1, 2, 3, 4});
  Tensor b = makeTensor<float>(DType::F32, {2, 2, 1}, {5, 6, 7, 8});
  Tensor c = runOp("dlm.matmul %a0, %a1 : tensor<2x1x2xf32>, tensor<2x2x1xf32> -> "
                   "tensor<2x1x1xf32>",
                   {"tensor<2x1x2xf32>", "tensor<2x2x1xf32>"}, "tensor<2x1x1xf32>", {a, b});
  expectSame(valuesOf<float>(c), {17, 53});
  Tensor outer = runOp("dlm.matmul %a0, %a0 transposeLhs : tensor<2x1x2xf32>, tensor<2x1x2xf32> -> "
                       "tensor<2x2x2xf32>",
                       {"tensor<2x1x2xf32>"}, "tensor<2x2x2xf32>", {a});
  expectSame(valuesOf<float>(outer), {1, 2, 2, 4, 9, 12, 12, 16});
}

TEST(Interpreter, ElementaryFunctionsAgreeInBothModes) {
  struct Range {
    std::string name;
    float low, high;
  };
  for (const Range &range : {Range{"exp", -20, 20}, Range{"log", 1e-3f, 100}, Range{"tanh", -5, 5},
                             Range{"erf", -4, 4}, Range{"sin", -30, 30}, Range{"cos", -30, 30},
                             Range{"sqrt", 0, 9}, Range{"rsqrt", 0.1f, 9}}) {
    std::vector<float> x = someFloats(1009, 20, range.low, range.high);
    std::vector<float> f32 = onFloats(range.name, {x}), f64 = onFloats(range.name, {x}, Mode::F64);
    for (size_t i = 0; i < x.size(); ++i)
      EXPECT_NEAR(f32[i], f64[i], 4 * 0x1p-24 * std::fmax(std::fabs(f64[i]), 0x1p-3f))
          << range.name << "(" << x[i] << ")";
  }
  std::vector<float> base = someFloats(1009, 21, 0.1f, 4), exponent = someFloats(1009, 22, -3, 3);
  std::vector<float> f32 = onFloats("pow", {base, exponent});
  std::vector<float> f64 = onFloats("pow", {base, exponent}, Mode::F64);
  for (size_t i = 0; i < base.size(); ++i)
    EXPECT_NEAR(f32[i], f64[i], 16 * 0x1p-24 * std::fabs(f64[i])) << base[i] << "^" << exponent[i];
}

TEST(Interpreter, RefusesArgumentsThatDoNotFit) {
  TextProgram program("func.func @f(%a: tensor<3xf32> {dlm.buffer = \"params\"}) { return }");
  auto results = reference::interpret(program.func("f"), {floats({1, 2})}, Mode::F32);
  ASSERT_FALSE(results.isOk());
  EXPECT_EQ(results.status().message(), "`params` is f32[2], @f takes f32[3]");
}

} // namespace
} // namespace dlm::test
