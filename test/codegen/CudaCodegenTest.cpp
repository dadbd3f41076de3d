// Code for GPUs from device code written by hand: what PTX holds, what the exit verifier lets
// through, what the assembler is asked and what is said when it cannot.
#include "test/codegen/DeviceText.h"

#include "llvm/IR/Verifier.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

namespace {

std::string getPTX(const std::string &text) {
  llvm::Expected<std::string> ptx = test::makePTX(text);
  EXPECT_TRUE(bool(ptx)) << llvm::toString(ptx.takeError());
  return ptx ? *ptx : "";
}

/// Why a kernel with this body is refused; empty if it is not.
std::string getFault(const std::string &body) {
  llvm::Expected<std::string> ptx = test::makePTX(test::makeKernelText(body));
  return ptx ? "" : llvm::toString(ptx.takeError());
}

int count(llvm::StringRef text, llvm::StringRef part) { return int(text.count(part)); }

TEST(CudaCodegen, MakesSixteenByteAccessesOfNeighbours) {
  std::string ptx = getPTX(test::FourNeighboursText);
  EXPECT_EQ(count(ptx, "ld.global.nc.v4") + count(ptx, "ld.global.v4"), 1) << ptx;
  EXPECT_EQ(count(ptx, "st.global.v4"), 1) << ptx;
  EXPECT_EQ(count(ptx, "mul.rn.f32"), 4) << ptx;
  EXPECT_EQ(count(ptx, "add.rn.f32"), 4) << ptx;
  EXPECT_EQ(count(ptx, "fma"), 0) << ptx;
}

TEST(CudaCodegen, FoldsByShuffles) {
  std::string ptx = getPTX(test::RowText);
  EXPECT_EQ(count(ptx, "shfl.sync.down.b32"), 2) << ptx;
  EXPECT_EQ(count(ptx, "shfl.sync.idx.b32"), 1) << ptx;
  EXPECT_EQ(count(ptx, "sqrt.rn.f32"), 1) << ptx;
  EXPECT_EQ(count(ptx, "div.rn.f32"), 1) << ptx;
  EXPECT_EQ(count(ptx, "fma.rn.f32"), 1) << ptx;
}

TEST(CudaCodegen, WaitsAtBarriersAndAlignsSharedMemory) {
  std::string ptx = getPTX(test::SharedText);
  EXPECT_EQ(count(ptx, ".shared .align 16 .b8"), 1) << ptx;
  EXPECT_EQ(count(ptx, "bar"), 1) << ptx;
  EXPECT_EQ(count(ptx, "st.shared.b32") + count(ptx, "st.shared.f32"), 1) << ptx;
}

TEST(CudaCodegen, NamesTheOldestArchitectureAndTheBlockSize) {
  std::string ptx = getPTX(test::SharedText);
  EXPECT_EQ(count(ptx, ".target sm_80"), 1) << ptx;
  EXPECT_EQ(count(ptx, ".maxntid 256"), 1) << ptx;
  EXPECT_EQ(count(ptx, ".visible .entry shared("), 1) << ptx;
}

} // namespace
