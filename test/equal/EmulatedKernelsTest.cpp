// Device code of kernels under the emulator against a naive evaluation of their text, bit for bit:
// odd sizes, special values, odd addresses, shared memory of an input and an output, every order of
// threads, and once with all checks.
#include "test/equal/EmulatedProgram.h"
#include "test/equal/KernelTrial.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;
using dlm::emulator::Order;

namespace {

const std::vector<int64_t> Sizes = {1,   2,   7,    13,   31,   64,   127, 128,
                                    129, 516, 1000, 2048, 2049, 4100, 5003};
/// Sizes that are also launched at addresses that are aligned to no more than an element.
const std::vector<int64_t> OddSizes = {13, 128, 1000, 2049};

/// A case's kernels and one launch of each size, in two programs: at even and at odd addresses.
class LaunchedCase {
public:
  LaunchedCase(MLIRContext &context, const KernelCase &kernelCase,
               const std::vector<int64_t> &sizes) {
    bool isShared = std::string(kernelCase.text).find("$N") == std::string::npos;
    for (int64_t size : sizes) {
      if (size > kernelCase.sizeMax) break;
      trials.push_back(std::make_unique<KernelTrial>(context, kernelCase, size));
      for (bool isOdd : {false, true}) {
        if (isOdd && !llvm::is_contained(OddSizes, size)) continue;
        std::string name =
            std::string(isOdd ? "odd" : "even") + (isShared ? "" : std::to_string(size));
        std::string text = makeKernelText(kernelCase, size);
        text.replace(text.find("@k("), 2, "@" + name);
        if (names.insert(name).second) kernels += text;
        launches += makeLaunch(*trials.back(), name, isOdd);
      }
    }
    module = parseSourceString<ModuleOp>(
        "plan.arena @a <persistent> size 1073741824 align 256\n"
        "plan.buffer @b : tensor<1xf32> in @a at 0 live 0 to 0 persistent\n" +
            kernels + "\nplan.program @p rows 0 reads [] {\n" + launches + "}\n",
        &context);
    if (module) program = EmulatedProgram::create(*module);
  }

  std::vector<std::unique_ptr<KernelTrial>> trials;
  OwningOpRef<ModuleOp> module;
  std::unique_ptr<EmulatedProgram> program;

private:
  static std::string makeLaunch(KernelTrial &trial, const std::string &name, bool isOdd) {
    std::string args;
    for (BlockArgument argument : trial.getFunc().getBlock().getArguments()) {
      Type element = getElementTypeOrSelf(argument.getType());
      int64_t bytes = (element.getIntOrFloatBitWidth() + 7) / 8;
      args += (args.empty() ? "" : ", ") +
              ("#plan.ref<@b at " + std::to_string(isOdd ? bytes : 0)) + " for " +
              std::to_string(bytes) + ">";
    }
    return "plan.launch @" + name + " items " + std::to_string(trial.getItems()) + " extent " +
           std::to_string(trial.getExtent()) + " [" + args + "]\n";
  }

  std::set<std::string> names;
  std::string kernels, launches;
};

void checkLaunch(KernelTrial &trial, EmulatedProgram &program, plan::LaunchOp launch,
                 bool mayShare) {
  auto run = [&](const EmulatedRun &how) { return program.run(launch, trial.getBuffers(), how); };
  size_t output = trial.getFunc().getInputs();
  std::string name = launch.getKernel().str();
  for (Order order : {Order::Sequential, Order::Reverse, Order::Random, Order::WarpSkew})
    ASSERT_NO_FATAL_FAILURE(
        trial.check(run({false, order}), name + " in order " + std::to_string(int(order))));
  ASSERT_NO_FATAL_FAILURE(trial.check(run({true}), name + " checked"));
  if (!mayShare) return;
  ASSERT_NO_FATAL_FAILURE(trial.checkInPlace(run({false, Order::WarpSkew, output})[0], name));
  ASSERT_NO_FATAL_FAILURE(trial.checkInPlace(run({true, Order::Reverse, output})[0], name));
}

void checkCase(const KernelCase &kernelCase, const std::vector<int64_t> &sizes) {
  MLIRContext context;
  context.loadDialect<kernel::KernelDialect, plan::PlanDialect, arith::ArithDialect,
                      math::MathDialect, func::FuncDialect>();
  LaunchedCase launched(context, kernelCase, sizes);
  ASSERT_TRUE(launched.program);
  auto programs = launched.module->getOps<plan::ProgramOp>();
  auto launches = (*programs.begin()).getOps<plan::LaunchOp>();
  auto launch = launches.begin();
  for (auto &trial : launched.trials) {
    std::vector<plan::LaunchOp> ofSize = {*launch++};
    if (llvm::is_contained(OddSizes, trial->getSize())) ofSize.push_back(*launch++);
    for (Filling filling : getFillings(kernelCase)) {
      trial->fill(filling);
      for (plan::LaunchOp one : ofSize)
        ASSERT_NO_FATAL_FAILURE(checkLaunch(*trial, *launched.program, one, kernelCase.inPlace));
    }
  }
}

class EmulatedKernels : public testing::TestWithParam<KernelCase> {};

TEST_P(EmulatedKernels, EqualTheirTextBitForBit) { checkCase(GetParam(), Sizes); }

std::vector<KernelCase> getEmulatedCases() {
  std::vector<KernelCase> cases;
  for (const KernelCase *at = KernelCases; at->name; ++at)
    cases.push_back(*at);
  return cases;
}

INSTANTIATE_TEST_SUITE_P(All, EmulatedKernels, testing::ValuesIn(getEmulatedCases()),
                         [](const auto &info) { return std::string(info.param.name); });

/// More chunks than a warp has lanes.
TEST(EmulatedKernels, FoldManyChunksInSharedMemory) {
  checkCase({"ManyChunks", R"(
kernel.func @k(%x: tensor<?xf32>) -> (%s: tensor<f32>, %a: tensor<i32>) over <row, [?]> {
  %0 = kernel.load %x affine_map<(d0) -> (d0)> : tensor<?xf32> -> f32
  %1 = kernel.reduce add %0 over 0 tree<128, 2048> : f32
  %2 = kernel.argmax %0 over 0 : i32
  kernel.store %1, %s affine_map<(d0) -> ()> : f32 -> tensor<f32>
  kernel.store %2, %a affine_map<(d0) -> ()> : i32 -> tensor<i32>
})",
             150001},
            {5, 2049, 65537, 150001});
}

/// More partials than shared memory is given to: they lie in scratch memory. 1,050,625 elements are
/// 513 chunks, so 1,024 places for each of nine accumulators.
TEST(EmulatedKernels, FoldManyChunksInScratchMemory) {
  checkCase({"ManyPartials", R"(
kernel.func @k(%x: tensor<?xf32>) -> (%s: tensor<f32>, %n: tensor<i64>) over <row, [?]> {
  %0 = kernel.load %x affine_map<(d0) -> (d0)> : tensor<?xf32> -> f32
  %i = kernel.iota 0 : i64
  %1 = kernel.reduce add %0 over 0 tree<128, 2048> : f32
  %2 = kernel.reduce max %0 over 0 tree<128, 2048> : f32
  %3 = kernel.reduce min %0 over 0 tree<128, 2048> : f32
  %4 = kernel.reduce add %i over 0 tree<128, 2048> : i64
  %5 = kernel.reduce max %i over 0 tree<128, 2048> : i64
  %6 = kernel.reduce min %i over 0 tree<128, 2048> : i64
  %7 = arith.addf %1, %2 : f32
  %8 = arith.addf %7, %3 : f32
  %9 = arith.addi %4, %5 : i64
  %10 = arith.addi %9, %6 : i64
  kernel.store %8, %s affine_map<(d0) -> ()> : f32 -> tensor<f32>
  kernel.store %10, %n affine_map<(d0) -> ()> : i64 -> tensor<i64>
})",
             1050625},
            {13, 1050625});
}

} // namespace
