// Generated kernels against a naive evaluation of their text, bit for bit: every vector width, two
// CPU targets, odd sizes, special values, and work items taken in pieces.
#include "test/equal/CompiledKernel.h"
#include "test/equal/KernelTrial.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <gtest/gtest.h>

using namespace mlir;

namespace {

std::vector<void *> getAddresses(std::vector<Buffer> &buffers) {
  std::vector<void *> addresses;
  for (Buffer &buffer : buffers)
    addresses.push_back(buffer.data());
  return addresses;
}

/// Runs the items in `pieces`, the last piece first, and compares.
void checkPieces(KernelTrial &trial, const CompiledKernel &kernel, int64_t pieces,
                 const std::string &what) {
  std::vector<Buffer> actual = trial.getBuffers();
  std::vector<void *> addresses = getAddresses(actual);
  DlmCtx context = {dlm::DlmAbiVersion, 0, trial.getExtent(), nullptr};
  int64_t items = trial.getItems();
  for (int64_t piece = pieces; piece-- > 0;)
    kernel.getFunction()(&context, addresses.data(), items * piece / pieces,
                         items * (piece + 1) / pieces);
  trial.check(actual, what + ", " + std::to_string(pieces) + " pieces");
}

/// The same with the first output in the memory of the first input, which it has the type of.
void checkInPlace(KernelTrial &trial, const CompiledKernel &kernel, const std::string &what) {
  std::vector<Buffer> actual = trial.getBuffers();
  std::vector<void *> addresses = getAddresses(actual);
  addresses[trial.getFunc().getInputs()] = addresses[0];
  DlmCtx context = {dlm::DlmAbiVersion, 0, trial.getExtent(), nullptr};
  kernel.getFunction()(&context, addresses.data(), 0, trial.getItems());
  trial.checkInPlace(actual[0], what);
}

class Kernels : public testing::TestWithParam<KernelCase> {};

TEST_P(Kernels, EqualTheirTextBitForBit) {
  MLIRContext context;
  context.loadDialect<kernel::KernelDialect, arith::ArithDialect, math::MathDialect,
                      func::FuncDialect>();
  const KernelCase &kernelCase = GetParam();
  bool isShared = std::string(kernelCase.text).find("$N") == std::string::npos;
  std::map<std::string, std::unique_ptr<CompiledKernel>> compiled;
  for (int64_t size : {1, 2, 7, 13, 31, 64, 127, 128, 129, 1000, 2048, 2049, 5003}) {
    if (size > kernelCase.sizeMax) break;
    KernelTrial trial(context, kernelCase, size);
    ASSERT_TRUE(trial.getModule());
    if (!isShared) compiled.clear();
    for (Filling filling : getFillings(kernelCase)) {
      trial.fill(filling);
      for (int64_t width : {16, 32, 64})
        for (std::string cpu : {"x86-64-v3", "native"}) {
          std::string what = cpu + " x " + std::to_string(width);
          std::unique_ptr<CompiledKernel> &kernel = compiled[what];
          if (!kernel) kernel = CompiledKernel::create(trial.getModule(), width, cpu);
          ASSERT_TRUE(kernel && kernel->getFunction()) << what;
          for (int64_t pieces : {1, 2, 3})
            ASSERT_NO_FATAL_FAILURE(checkPieces(trial, *kernel, pieces, what));
          if (kernelCase.inPlace) ASSERT_NO_FATAL_FAILURE(checkInPlace(trial, *kernel, what));
        }
    }
  }
}

std::vector<KernelCase> getCases() {
  std::vector<KernelCase> cases;
  for (const KernelCase *at = KernelCases; at->name; ++at)
    cases.push_back(*at);
  return cases;
}

INSTANTIATE_TEST_SUITE_P(All, Kernels, testing::ValuesIn(getCases()),
                         [](const auto &info) { return std::string(info.param.name); });

} // namespace
