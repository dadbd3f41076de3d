// The packed product equals the chain of fused multiply-adds it promises, bit for bit, on every
// instruction set of this machine, for any split of its items.
#include "runtime/math/Contract.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <vector>

using namespace dlm;

namespace {

struct Problem {
  ContractShape shape;
  std::vector<float> lhs, rhs, out;
};

Problem makeProblem(const ContractShape &shape, uint32_t seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> values(-2, 2);
  Problem problem{shape, {}, {}, {}};
  problem.lhs.resize(size_t(shape.batch * shape.m * shape.k));
  problem.rhs.resize(size_t(shape.batch * shape.k * shape.n));
  problem.out.resize(size_t(shape.batch * shape.m * shape.n));
  for (std::vector<float> *values_ : {&problem.lhs, &problem.rhs, &problem.out})
    for (float &value : *values_)
      value = values(random);
  return problem;
}

/// The promise, spelled out.
void multiplyNaively(const ContractShape &shape, const float *lhs, const float *rhs, float *out) {
  for (int64_t i = 0; i < shape.m; ++i) {
    for (int64_t j = 0; j < shape.n; ++j) {
      float acc = shape.accumulate ? out[i * shape.n + j] : -0.0f;
      for (int64_t p = 0; p < shape.k; ++p)
        acc = std::fma(lhs[shape.transposeLhs ? p * shape.m + i : i * shape.k + p],
                       rhs[shape.transposeRhs ? j * shape.k + p : p * shape.n + j], acc);
      out[i * shape.n + j] = acc;
    }
  }
}

std::vector<float> naiveProduct(const Problem &problem) {
  const ContractShape &shape = problem.shape;
  std::vector<float> out = problem.out;
  for (int64_t at = 0; at < shape.batch; ++at)
    multiplyNaively(shape, problem.lhs.data() + at * shape.m * shape.k,
                    problem.rhs.data() + at * shape.k * shape.n,
                    out.data() + at * shape.m * shape.n);
  return out;
}

/// Runs the product in pieces of `chunk` items, the last piece first.
std::vector<float> packedProduct(const Problem &problem, const MicroKernels *kernels,
                                 int64_t chunk) {
  Expected<ContractPlan> plan = ContractPlan::make(problem.shape, kernels);
  EXPECT_TRUE(plan);
  std::vector<float> out = problem.out;
  std::vector<float> scratch(plan->scratchBytes() / sizeof(float) + 16,
                             std::numeric_limits<float>::quiet_NaN());
  auto address = reinterpret_cast<uintptr_t>(scratch.data());
  float *aligned = scratch.data() + (64 - address % 64) % 64 / sizeof(float);
  ContractOperands operands{problem.lhs.data(), problem.rhs.data(), out.data(), aligned};
  for (int phase = 0; phase < plan->phaseCount(); ++phase) {
    int64_t end = plan->itemCount(phase);
    while (end > 0) {
      int64_t begin = std::max<int64_t>(0, end - chunk);
      plan->run(phase, operands, begin, end);
      end = begin;
    }
  }
  return out;
}

std::vector<const MicroKernels *> kernelsOfThisMachine() {
  std::vector<const MicroKernels *> kernels;
  if (bestKernels()) kernels.push_back(&avx2Kernels());
  if (bestKernels() == &avx512Kernels()) kernels.push_back(&avx512Kernels());
  return kernels;
}

/// Same bits; any NaN equals any NaN, because payloads are not part of the contract.
bool sameBits(float a, float b) {
  return (std::isnan(a) && std::isnan(b)) || std::memcmp(&a, &b, sizeof(float)) == 0;
}

void expectEqual(const Problem &problem, int64_t chunk) {
  std::vector<float> expected = naiveProduct(problem);
  const ContractShape &s = problem.shape;
  for (const MicroKernels *kernels : kernelsOfThisMachine()) {
    std::vector<float> found = packedProduct(problem, kernels, chunk);
    for (size_t i = 0; i < expected.size(); ++i)
      ASSERT_TRUE(sameBits(expected[i], found[i]))
          << kernels->name << " " << s.batch << " of " << s.m << " x " << s.k << " x " << s.n
          << " transposed " << s.transposeLhs << s.transposeRhs << " accumulate " << s.accumulate
          << " element " << i << ": " << expected[i] << " and " << found[i];
  }
}

void expectEqualInAllForms(int64_t m, int64_t k, int64_t n, int64_t chunk) {
  for (int form = 0; form < 8; ++form)
    expectEqual(makeProblem({m, n, k, (form & 1) != 0, (form & 2) != 0, (form & 4) != 0},
                            uint32_t(m * 1000003 + k * 1009 + n * 31 + form)),
                chunk);
}

} // namespace

TEST(Contract, EqualsTheChainForAllSmallSizes) {
  for (int64_t m = 1; m <= 20; ++m)
    for (int64_t n = 1; n <= 20; ++n)
      for (int64_t k : {1, 2, 3, 5, 7, 8, 9, 16, 20})
        expectEqualInAllForms(m, k, n, 2);
}

TEST(Contract, EqualsTheChainForOddSizes) {
  const int64_t sizes[][3] = {{64, 10, 512}, {64, 512, 10},  {64, 784, 48}, {97, 64, 101},
                              {1, 1031, 1},  {1, 257, 67},   {113, 1, 33},  {127, 259, 31},
                              {13, 513, 17}, {225, 127, 65}, {29, 1025, 3}, {15, 2049, 33}};
  for (const auto &size : sizes)
    expectEqualInAllForms(size[0], size[1], size[2], 3);
}

TEST(Contract, EqualsTheChainOverSeveralRounds) {
  expectEqualInAllForms(3079, 5, 37, 7);
  expectEqualInAllForms(17, 3, 3203, 7);
  expectEqualInAllForms(19, 2053, 23, 7);
  expectEqual(makeProblem({3077, 3075, 9, false, true, false}, 5), 11);
}

TEST(Contract, ProductsSideBySideEqualTheChain) {
  const int64_t sizes[][3] = {{1, 1, 1},    {5, 7, 3}, {16, 32, 16}, {33, 17, 65},
                              {31, 50, 29}, {0, 3, 4}, {3, 0, 4}};
  for (const auto &size : sizes)
    for (int64_t batch : {2, 3, 11})
      for (int form = 0; form < 8; ++form)
        expectEqual(makeProblem({size[0], size[2], size[1], (form & 1) != 0, (form & 2) != 0,
                                 (form & 4) != 0, batch},
                                uint32_t(batch * 31 + form)),
                    2);
  // Too large for one worker each: one after the other.
  for (int form = 0; form < 2; ++form)
    expectEqual(makeProblem({331, 349, 353, form == 0, form == 1, false, 2}, 9), 3);
}

TEST(Contract, SmallProductsSideBySideAreOnePhase) {
  Expected<ContractPlan> small = ContractPlan::make({64, 64, 64, false, true, false, 8});
  EXPECT_EQ(small->phaseCount(), 1);
  EXPECT_EQ(small->itemCount(0), 8);
  EXPECT_TRUE(small->isOfWorkers());
  Expected<ContractPlan> large = ContractPlan::make({512, 512, 512, false, true, false, 8});
  EXPECT_EQ(large->phaseCount(),
            8 * ContractPlan::make({512, 512, 512, false, true})->phaseCount());
  EXPECT_FALSE(large->isOfWorkers());
  EXPECT_EQ(ContractPlan::make({8, 8, 8, false, false, false, 0})->phaseCount(), 0);
}

TEST(Contract, AnySplitGivesTheSameBits) {
  Problem problem = makeProblem({130, 150, 300}, 3);
  std::vector<float> whole = packedProduct(problem, bestKernels(), 1 << 20);
  for (int64_t chunk : {1, 2, 5, 13})
    EXPECT_EQ(packedProduct(problem, bestKernels(), chunk), whole);
}

TEST(Contract, ChainOfNothingIsNegativeZeroOrWhatStoodThere) {
  for (bool accumulate : {false, true}) {
    Problem problem = makeProblem({5, 37, 0, false, false, accumulate}, 1);
    for (const MicroKernels *kernels : kernelsOfThisMachine()) {
      std::vector<float> out = packedProduct(problem, kernels, 1);
      for (size_t i = 0; i < out.size(); ++i)
        EXPECT_TRUE(sameBits(out[i], accumulate ? problem.out[i] : -0.0f));
    }
  }
}

TEST(Contract, EmptyProductsHaveNoPhase) {
  EXPECT_EQ(ContractPlan::make({0, 5, 5})->phaseCount(), 0);
  EXPECT_EQ(ContractPlan::make({5, 0, 5})->phaseCount(), 0);
  EXPECT_EQ(ContractPlan::make({5, 0, 5})->scratchBytes(), 0u);
}

TEST(Contract, CarriesNanInfinityAndSignedZero) {
  const float special[] = {std::numeric_limits<float>::quiet_NaN(),
                           std::numeric_limits<float>::infinity(),
                           -std::numeric_limits<float>::infinity(),
                           -0.0f,
                           0.0f,
                           std::numeric_limits<float>::denorm_min(),
                           std::numeric_limits<float>::max()};
  for (int form = 0; form < 8; ++form) {
    Problem problem =
        makeProblem({43, 41, 19, (form & 1) != 0, (form & 2) != 0, (form & 4) != 0}, 9);
    std::mt19937 random(11);
    for (int i = 0; i < 60; ++i) {
      problem.lhs[random() % problem.lhs.size()] = special[random() % 7];
      problem.rhs[random() % problem.rhs.size()] = special[random() % 7];
    }
    expectEqual(problem, 2);
  }
}

TEST(Contract, RefusesSizesOutOfRangeAndOldProcessors) {
  EXPECT_FALSE(ContractPlan::make({-1, 2, 3}));
  EXPECT_FALSE(ContractPlan::make({int64_t(1) << 40, int64_t(1) << 40, 3}));
  Status old = ContractPlan::make({2, 2, 2}, nullptr).status();
  EXPECT_EQ(old.code(), Code::Unsupported);
  EXPECT_NE(old.message().find("AVX2"), std::string::npos);
}
