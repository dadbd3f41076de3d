// Inputs are drawn from a generator that the size alone seeds.
#include "test/equal/KernelTrial.h"

#include "dialects/dlm/MathText.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

using namespace mlir;

std::string makeKernelText(const KernelCase &kernelCase, int64_t size) {
  std::string text = kernelCase.text;
  for (size_t at; (at = text.find("$N")) != std::string::npos;)
    text.replace(at, 2, std::to_string(size));
  return text;
}

int64_t countDifferences(Type elementType, const Buffer &left, const Buffer &right) {
  if (!elementType.isF32()) return left != right;
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

std::vector<Filling> getFillings(const KernelCase &kernelCase) {
  std::vector<Filling> fillings = {Filling::Ordinary, Filling::Special};
  if (std::string(kernelCase.text).find("kernel.reduce m") != std::string::npos)
    fillings.push_back(Filling::Zeros);
  return fillings;
}

KernelTrial::KernelTrial(MLIRContext &context, const KernelCase &kernelCase, int64_t size)
    : size(size) {
  module = parseSourceString<ModuleOp>(makeKernelText(kernelCase, size), &context);
  if (!module) return;
  expanded = module->clone();
  EXPECT_TRUE(succeeded(dlm::expandElementaryFunctions(*expanded)));
  extent = getFunc().getSpace().getExtent(0, size);
}

void KernelTrial::fill(Filling filling) {
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

void KernelTrial::check(const std::vector<Buffer> &actual, const std::string &what) {
  auto arguments = getFunc().getBlock().getArguments();
  for (size_t index = 0; index < actual.size(); ++index)
    ASSERT_EQ(countDifferences(getElementTypeOrSelf(arguments[index].getType()), expected[index],
                               actual[index]),
              0)
        << what << ", argument " << index << ", size " << size;
}

void KernelTrial::checkInPlace(const Buffer &actual, const std::string &what) {
  auto arguments = getFunc().getBlock().getArguments();
  size_t output = getFunc().getInputs();
  ASSERT_EQ(arguments[0].getType(), arguments[output].getType());
  ASSERT_EQ(
      countDifferences(getElementTypeOrSelf(arguments[0].getType()), expected[output], actual), 0)
      << what << " in place, size " << size;
}

Buffer KernelTrial::fillOne(RankedTensorType type, Filling filling, std::mt19937 &random) {
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
      if (filling == Filling::Zeros) real = random() % 2 ? 0.0f : -0.0f;
      std::memcpy(buffer.data() + index * bytes, &real, bytes);
    } else {
      std::memcpy(buffer.data() + index * bytes, &integer, bytes);
    }
  }
  return buffer;
}
