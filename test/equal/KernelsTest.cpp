// Generated kernels against a naive evaluation of their text, bit for bit: every vector width, two
// CPU targets, odd sizes, special values, and work items taken in pieces.
#include "test/equal/CompiledKernel.h"
#include "test/equal/KernelCases.h"
#include "test/equal/KernelEvaluator.h"

#include "dialects/dlm/MathText.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

using namespace mlir;

namespace {

/// What fills the inputs: ordinary values, or with NaNs, infinities, zeros and denormals among
/// them.
enum class Filling { Ordinary, Special };

class Trial {
public:
  Trial(MLIRContext &context, const KernelCase &kernelCase, int64_t size) : size(size) {
    std::string text = kernelCase.text;
    for (size_t at; (at = text.find("$N")) != std::string::npos;)
      text.replace(at, 2, std::to_string(size));
    module = parseSourceString<ModuleOp>(text, &context);
    if (!module) return;
    expanded = module->clone();
    EXPECT_TRUE(succeeded(dlm::expandElementaryFunctions(*expanded)));
    extent = getFunc().getSpace().getExtent(0, size);
  }

  ModuleOp getModule() { return *module; }

  void fill(Filling filling) {
    std::mt19937 random(size);
    buffers.clear();
    for (BlockArgument argument : getFunc().getBlock().getArguments())
      buffers.push_back(fillOne(cast<RankedTensorType>(argument.getType()), filling, random));
    expected = buffers;
    std::vector<Buffer *> pointers;
    for (Buffer &buffer : expected)
      pointers.push_back(&buffer);
    evaluateKernel(getFunc(), size, pointers);
  }

  /// Runs the items in `pieces`, the last piece first, and compares.
  void check(const CompiledKernel &kernel, int64_t pieces, const std::string &what) {
    std::vector<Buffer> actual = buffers;
    std::vector<void *> pointers;
    for (Buffer &buffer : actual)
      pointers.push_back(buffer.data());
    DlmCtx context = {dlm::DlmAbiVersion, 0, extent, nullptr};
    int64_t items = getFunc().getSpace().getItems(size);
    for (int64_t piece = pieces; piece-- > 0;)
      kernel.getFunction()(&context, pointers.data(), items * piece / pieces,
                           items * (piece + 1) / pieces);
    auto arguments = getFunc().getBlock().getArguments();
    for (size_t index = 0; index < actual.size(); ++index)
      ASSERT_EQ(countDifferences(cast<RankedTensorType>(arguments[index].getType()),
                                 expected[index], actual[index]),
                0)
          << what << ", argument " << index << ", size " << size << ", " << pieces << " pieces";
  }

  /// The same with the first output in the memory of the first input, which it has the type of.
  void checkInPlace(const CompiledKernel &kernel, const std::string &what) {
    auto arguments = getFunc().getBlock().getArguments();
    size_t output = getFunc().getInputs();
    ASSERT_EQ(arguments[0].getType(), arguments[output].getType());
    std::vector<Buffer> actual = buffers;
    std::vector<void *> pointers;
    for (Buffer &buffer : actual)
      pointers.push_back(buffer.data());
    pointers[output] = pointers[0];
    DlmCtx context = {dlm::DlmAbiVersion, 0, extent, nullptr};
    kernel.getFunction()(&context, pointers.data(), 0, getFunc().getSpace().getItems(size));
    auto type = cast<RankedTensorType>(arguments[0].getType());
    ASSERT_EQ(countDifferences(type, expected[output], actual[0]), 0)
        << what << " in place, size " << size;
  }

private:
  kernel::FuncOp getFunc() { return *expanded->getOps<kernel::FuncOp>().begin(); }

  Buffer fillOne(RankedTensorType type, Filling filling, std::mt19937 &random) {
    int64_t count = 1;
    for (int64_t dim : type.getShape())
      count *= ShapedType::isDynamic(dim) ? size : dim;
    Type element = type.getElementType();
    size_t bytes = (element.getIntOrFloatBitWidth() + 7) / 8;
    Buffer buffer(count * bytes);
    for (int64_t index = 0; index < count; ++index) {
      int64_t integer = element.isInteger(1)           ? random() % 2
                        : element.isUnsignedInteger(8) ? random() % 256
                                                       : int64_t(random() % 200) - 100;
      if (element.isF32()) {
        float real = float(random()) * 0x1p-29f - 4;
        if (filling == Filling::Special && random() % 5 == 0)
          real = std::array{NAN, INFINITY, -INFINITY, -0.0f, 0.0f, 1e-42f, 3e38f}[random() % 7];
        std::memcpy(buffer.data() + index * bytes, &real, bytes);
      } else {
        std::memcpy(buffer.data() + index * bytes, &integer, bytes);
      }
    }
    return buffer;
  }

  /// Elements that differ; all NaNs are one value.
  int64_t countDifferences(RankedTensorType type, const Buffer &left, const Buffer &right) {
    if (!type.getElementType().isF32()) return left != right;
    int64_t differences = 0;
    for (size_t at = 0; at < left.size(); at += 4) {
      float x, y;
      std::memcpy(&x, left.data() + at, 4);
      std::memcpy(&y, right.data() + at, 4);
      if (!(std::isnan(x) && std::isnan(y)) && std::memcmp(&x, &y, 4) != 0) {
        if (differences++ == 0)
          std::printf("first difference at %zu: %a expected, %a found\n", at / 4, x, y);
      }
    }
    return differences;
  }

  int64_t size, extent = 0;
  OwningOpRef<ModuleOp> module, expanded;
  std::vector<Buffer> buffers, expected;
};

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
    Trial trial(context, kernelCase, size);
    ASSERT_TRUE(trial.getModule());
    if (!isShared) compiled.clear();
    for (Filling filling : {Filling::Ordinary, Filling::Special}) {
      trial.fill(filling);
      for (int64_t width : {16, 32, 64})
        for (std::string cpu : {"x86-64-v3", "native"}) {
          std::string what = cpu + " x " + std::to_string(width);
          std::unique_ptr<CompiledKernel> &kernel = compiled[what];
          if (!kernel) kernel = CompiledKernel::create(trial.getModule(), width, cpu);
          ASSERT_TRUE(kernel && kernel->getFunction()) << what;
          for (int64_t pieces : {1, 2, 3})
            ASSERT_NO_FATAL_FAILURE(trial.check(*kernel, pieces, what));
          if (kernelCase.inPlace) ASSERT_NO_FATAL_FAILURE(trial.checkInPlace(*kernel, what));
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
