// The same faults in code that the compiler makes: the tiled product, and a softmax over rows so
// long that a block shares each. Both come out of the conversion and of the optimiser as they go
// into an executable; the fault is one changed instruction.
#include "compiler/codegen/cuda/CudaCodegen.h"
#include "compiler/conversion/KernelToGPU/KernelToGPU.h"
#include "dialects/kernel/Kernel.h"
#include "dialects/plan/Plan.h"
#include "test/codegen/FaultTrial.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Parser/Parser.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace mlir;
using dlm::emulator::Fault;
using dlm::emulator::Order;

namespace {

const Names All = {"sequential", "reverse", "random", "warp-skew"};

/// The device code of a program of one instruction with one stage.
struct GeneratedCode {
  std::unique_ptr<llvm::LLVMContext> context = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> device;
  std::string name;
  LaunchSize size = {0, 0};
  std::vector<uint64_t> numbers;
};

GeneratedCode generate(const std::string &kernels, const std::string &instruction) {
  GeneratedCode result;
  MLIRContext context;
  context.loadDialect<kernel::KernelDialect, plan::PlanDialect, arith::ArithDialect,
                      math::MathDialect, func::FuncDialect>();
  auto module = parseSourceString<ModuleOp>(
      "plan.arena @a <persistent> size 1073741824 align 256\n"
      "plan.buffer @b : tensor<1xf32> in @a at 0 live 0 to 0 persistent\n" +
          kernels + "\nplan.program @p rows 0 reads [] {\n" + instruction + "}\n",
      &context);
  OwningOpRef<ModuleOp> code = module ? kernel::convertKernelsToGPU(*module) : nullptr;
  llvm::Error error = code ? dlm::lowerToNVVM(*code) : llvm::createStringError("conversion failed");
  auto device = error ? llvm::Expected<std::unique_ptr<llvm::Module>>(std::move(error))
                      : dlm::makeDeviceModule(*code, *result.context);
  if (!device) {
    ADD_FAILURE() << llvm::toString(device.takeError());
    return result;
  }
  result.device = std::move(*device);
  module->walk([&](Operation *op) {
    auto stages = op->getAttrOfType<ArrayAttr>("stages");
    if (!stages) return;
    auto stage = cast<plan::StageAttr>(stages[0]);
    auto function = module->lookupSymbol<plan::FunctionOp>(stage.getFunction());
    result.name = function.getSymName().str();
    result.size = {uint32_t(stage.getGrid()), uint32_t(function.getBlockSize())};
    result.numbers.assign(stage.getNumbers().begin(), stage.getNumbers().end());
  });
  return result;
}

std::string makeRef(int64_t elements) {
  return "#plan.ref<@b at 0 for " + std::to_string(elements * 4) + ">";
}

std::vector<float> makeValues(size_t count, uint32_t seed) {
  std::vector<float> values(count);
  for (float &value : values) {
    seed = seed * 1664525 + 1013904223;
    value = float(int32_t(seed)) * 0x1p-31f;
  }
  return values;
}

constexpr int64_t M = 68, N = 72, K = 40;

std::vector<float> multiply(const std::vector<float> &lhs, const std::vector<float> &rhs) {
  std::vector<float> out(M * N);
  for (int64_t row = 0; row < M; ++row)
    for (int64_t column = 0; column < N; ++column) {
      float sum = -0.0f;
      for (int64_t depth = 0; depth < K; ++depth)
        sum = std::fma(lhs[row * K + depth], rhs[depth * N + column], sum);
      out[row * N + column] = sum;
    }
  return out;
}

struct GeneratedTrial {
  std::string name;
  LaunchSize size;
  FaultTrial trial;
};

GeneratedTrial makeProductTrial() {
  GeneratedCode code = generate("", "plan.contract 68 x 72 x 40 [" + makeRef(M * K) + ", " +
                                        makeRef(K * N) + ", " + makeRef(M * N) + "]\n");
  std::vector<float> lhs = makeValues(M * K, 1), rhs = makeValues(K * N, 2);
  std::vector<float> expected = multiply(lhs, rhs);
  auto run = [=, name = code.name, numbers = code.numbers](EmulatedDevice &device, LaunchSize size,
                                                           Order order) {
    float *out = device.allocate<float>(M * N);
    std::vector<uint64_t> parameters = {asParameter(device.upload(lhs)),
                                        asParameter(device.upload(rhs)), asParameter(out), 0};
    parameters.insert(parameters.end(), numbers.begin(), numbers.end());
    return device.launch(name, size.grid, size.block, parameters, order) &&
           std::equal(expected.begin(), expected.end(), out);
  };
  return {code.name, code.size,
          FaultTrial(std::move(code.context), std::move(code.device), code.size, run)};
}

const char Softmax[] = R"(
kernel.func @softmax(%x: tensor<2x5003xf32>) -> (%o: tensor<2x5003xf32>) over <row, [2, 5003]> {
  %a = kernel.load %x affine_map<(d0, d1) -> (d0, d1)> : tensor<2x5003xf32> -> f32
  %m = kernel.reduce max %a over 1 tree<128, 2048> : f32
  %c = arith.subf %a, %m : f32
  %e = math.exp %c : f32
  %s = kernel.reduce add %e over 1 tree<128, 2048> : f32
  %0 = arith.divf %e, %s : f32
  kernel.store %0, %o affine_map<(d0, d1) -> (d0, d1)> : f32 -> tensor<2x5003xf32>
})";

/// The right answer is that of the kernel itself, which other tests compare with its text.
GeneratedTrial makeSoftmaxTrial() {
  GeneratedCode code = generate(Softmax, "plan.launch @softmax items 2 extent 1 [" +
                                             makeRef(10006) + ", " + makeRef(10006) + "]\n");
  auto launch = [name = code.name, numbers = code.numbers, input = makeValues(10006, 3)](
                    EmulatedDevice &device, LaunchSize size, Order order) -> const float * {
    float *out = device.allocate<float>(input.size());
    std::vector<uint64_t> parameters = {asParameter(device.upload(input)), asParameter(out), 0};
    parameters.insert(parameters.end(), numbers.begin(), numbers.end());
    return device.launch(name, size.grid, size.block, parameters, order) ? out : nullptr;
  };
  auto plain = EmulatedDevice::create(*code.device, false);
  const float *out = plain ? launch(*plain, code.size, Order::Sequential) : nullptr;
  std::vector<float> expected;
  if (out) expected.assign(out, out + 10006);
  EXPECT_FALSE(expected.empty());
  auto run = [=](EmulatedDevice &device, LaunchSize size, Order order) {
    const float *result = launch(device, size, order);
    return result && std::equal(expected.begin(), expected.end(), result);
  };
  return {code.name, code.size,
          FaultTrial(std::move(code.context), std::move(code.device), code.size, run)};
}

/// A fault made for the kernel of a trial.
template <class... Arguments>
Plant bindPlant(const GeneratedTrial &trial,
                void (*plant)(llvm::Module &, const std::string &, Arguments...),
                std::common_type_t<Arguments>... arguments) {
  return [=, name = trial.name](llvm::Module &module) { plant(module, name, arguments...); };
}

TEST(GeneratedFaults, KernelsWithoutAFaultAreCleanAndRight) {
  makeProductTrial().trial.expectCleanAndRight();
  makeSoftmaxTrial().trial.expectCleanAndRight();
}

TEST(GeneratedFaults, MissingBarrierBeforeARead) {
  GeneratedTrial product = makeProductTrial(), softmax = makeSoftmaxTrial();
  Plant plant = bindPlant(product, removeBarrier, 0);
  product.trial.expectNamed(plant, Fault::Race, "shared variable");
  EXPECT_EQ(product.trial.ordersThatShow(plant), All);
  for (unsigned number : {0, 1}) {
    plant = bindPlant(softmax, removeBarrier, number);
    softmax.trial.expectNamed(plant, Fault::Race, "shared variable");
    EXPECT_EQ(softmax.trial.ordersThatShow(plant), All);
  }
}

TEST(GeneratedFaults, MissingBarrierBeforeAWriteAfterARead) {
  GeneratedTrial product = makeProductTrial();
  Plant plant = bindPlant(product, removeBarrier, 1);
  product.trial.expectNamed(plant, Fault::Race, "shared variable");
  EXPECT_EQ(product.trial.ordersThatShow(plant), All);
}

TEST(GeneratedFaults, BoundsOffByOne) {
  GeneratedTrial product = makeProductTrial();
  for (unsigned number : {0, 1, 3, 4, 5})
    product.trial.expectNamed(bindPlant(product, loosenBound, number), Fault::OutOfBounds,
                              "allocation");
  // One ends the loop over k, whose steps of 16 miss 40; one guards the second row of a thread's
  // four, and 68 is never that row. Nothing changes.
  for (unsigned number : {2, 6})
    EXPECT_EQ(product.trial.ordersThatShow(bindPlant(product, loosenBound, number)), Names{});
}

TEST(GeneratedFaults, UninitialisedSharedMemory) {
  GeneratedTrial product = makeProductTrial(), softmax = makeSoftmaxTrial();
  product.trial.expectNamed(bindPlant(product, removeSharedStore, 0), Fault::Uninitialised,
                            "shared variable");
  softmax.trial.expectNamed(bindPlant(softmax, removeSharedStore, 0), Fault::Uninitialised,
                            "shared variable");
}

TEST(GeneratedFaults, RaceBetweenWarps) {
  GeneratedTrial softmax = makeSoftmaxTrial();
  softmax.trial.expectNamed(bindPlant(softmax, mergeSharedStore, 0, 1), Fault::Race,
                            "shared variable");
}

TEST(GeneratedFaults, MisalignedVectorAccess) {
  makeProductTrial().trial.expectNamed(
      [](llvm::Module &module) { lowerSharedAlignment(module, 4); }, Fault::Misaligned,
      "shared variable");
}

TEST(GeneratedFaults, DivergentBarrier) {
  GeneratedTrial product = makeProductTrial(), softmax = makeSoftmaxTrial();
  for (unsigned number : {0, 1}) {
    product.trial.expectNamed(bindPlant(product, guardBarrier, number, 128),
                              Fault::DivergentBarrier, "barrier");
    softmax.trial.expectNamed(bindPlant(softmax, guardBarrier, number, 32), Fault::DivergentBarrier,
                              "barrier");
  }
}

TEST(GeneratedFaults, WrongLaunchSize) {
  GeneratedTrial product = makeProductTrial();
  product.trial.expectNamed({product.size.grid, product.size.block * 2}, Fault::LaunchSize, "512");
  product.trial.expectNamed({0, product.size.block}, Fault::LaunchSize, "grid");
  product.trial.expectNamed({product.size.grid, product.size.block / 2}, Fault::Uninitialised,
                            "shared variable");
}

} // namespace
