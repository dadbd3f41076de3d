// The bytes of a launch, against numbers worked out by hand.
#include "compiler/codegen/plan/KernelCost.h"

#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/Math/IR/Math.h>
#include <mlir/Parser/Parser.h>

#include <gtest/gtest.h>

using namespace mlir;

namespace {

/// Read and written bytes of the one kernel in `text`.
std::pair<uint64_t, uint64_t> bytesOf(const std::string &text, int64_t extent) {
  MLIRContext context;
  context.loadDialect<kernel::KernelDialect, arith::ArithDialect, math::MathDialect>();
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  EXPECT_TRUE(module);
  if (!module) return {};
  dlm::LaunchBytes bytes = dlm::launchBytes(*module->getOps<kernel::FuncOp>().begin(), extent);
  return {bytes.read, bytes.written};
}

TEST(LaunchBytes, RowWithBias) {
  // x: 100 x 30 f32, bias: 30 f32, y as x.
  EXPECT_EQ(bytesOf(R"(
    kernel.func @bias(%x: tensor<?x30xf32>, %b: tensor<30xf32>) -> (%y: tensor<?x30xf32>)
        over <row, [?, 30]> {
      %0 = kernel.load %x affine_map<(d0, d1) -> (d0, d1)> : tensor<?x30xf32> -> f32
      %1 = kernel.load %b affine_map<(d0, d1) -> (d1)> : tensor<30xf32> -> f32
      %2 = arith.addf %0, %1 : f32
      kernel.store %2, %y affine_map<(d0, d1) -> (d0, d1)> : f32 -> tensor<?x30xf32>
    })",
                    100),
            std::pair(uint64_t(100 * 30 * 4 + 30 * 4), uint64_t(100 * 30 * 4)));
}

TEST(LaunchBytes, ElementsOfOneByte) {
  // u8 in, bool out.
  EXPECT_EQ(bytesOf(R"(
    kernel.func @isZero(%x: tensor<?xui8>) -> (%y: tensor<?xi1>) over <linear, [?]> {
      %0 = kernel.load %x affine_map<(d0) -> (d0)> : tensor<?xui8> -> i8
      %1 = arith.constant 0 : i8
      %2 = arith.cmpi eq, %0, %1 : i8
      kernel.store %2, %y affine_map<(d0) -> (d0)> : i1 -> tensor<?xi1>
    })",
                    5000),
            std::pair(uint64_t(5000), uint64_t(5000)));
}

TEST(LaunchBytes, ReductionAndBroadcastScalar) {
  // A column sum of 64 x 10 f32 with a scalar; 10 f32 out.
  EXPECT_EQ(bytesOf(R"(
    kernel.func @sum(%x: tensor<?x10xf32>, %s: tensor<f32>) -> (%y: tensor<10xf32>)
        over <column, [?, 10]> {
      %0 = kernel.load %x affine_map<(d0, d1) -> (d0, d1)> : tensor<?x10xf32> -> f32
      %1 = kernel.load %s affine_map<(d0, d1) -> ()> : tensor<f32> -> f32
      %2 = arith.mulf %0, %1 : f32
      %3 = kernel.reduce add %2 over 0 tree <1, 64> : f32
      kernel.store %3, %y affine_map<(d0, d1) -> (d1)> : f32 -> tensor<10xf32>
    })",
                    64),
            std::pair(uint64_t(64 * 10 * 4 + 4), uint64_t(10 * 4)));
}

TEST(LaunchBytes, TwoLoadsOfOneTensorShareElements) {
  // Row 0 (20 i64) and column 0 (7 i64) of one tensor: 26 elements, for one is in both.
  EXPECT_EQ(bytesOf(R"(
    kernel.func @cross(%x: tensor<?x20xi64>) -> (%y: tensor<?x20xi64>) over <row, [?, 20]> {
      %0 = kernel.load %x affine_map<(d0, d1) -> (0, d1)> : tensor<?x20xi64> -> i64
      %1 = kernel.load %x affine_map<(d0, d1) -> (d0, 0)> : tensor<?x20xi64> -> i64
      %2 = kernel.load %x affine_map<(d0, d1) -> (d0, 0)> : tensor<?x20xi64> -> i64
      %3 = arith.addi %0, %1 : i64
      %4 = arith.addi %3, %2 : i64
      kernel.store %4, %y affine_map<(d0, d1) -> (d0, d1)> : i64 -> tensor<?x20xi64>
    })",
                    7),
            std::pair(uint64_t(26 * 8), uint64_t(7 * 20 * 8)));
}

} // namespace
