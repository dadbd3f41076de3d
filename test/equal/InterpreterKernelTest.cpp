// Kernel bodies in the interpreter, against the same computation as tensor ops, and against the
// evaluator that was written from the text of the dialect alone: equal bit for bit.
#include "dialects/dlm/MathText.h"
#include "dialects/kernel/Kernel.h"
#include "test/equal/KernelCases.h"
#include "test/equal/KernelEvaluator.h"
#include "test/equal/TextProgram.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace dlm::test {
namespace {

TEST(InterpreterKernel, RowKernelEqualsTheTensorOps) {
  TextProgram program(R"(
    kernel.func @softmax_sum(%x: tensor<?x300xf32>, %b: tensor<300xf32>)
        -> (%y: tensor<?x300xf32>, %s: tensor<?xf32>) over <row, [?, 300]> {
      %0 = kernel.load %x affine_map<(d0, d1) -> (d0, d1)> : tensor<?x300xf32> -> f32
      %1 = kernel.load %b affine_map<(d0, d1) -> (d1)> : tensor<300xf32> -> f32
      %2 = arith.addf %0, %1 : f32
      %3 = kernel.reduce max %2 over 1 tree <128, 2048> : f32
      %4 = arith.subf %2, %3 : f32
      %5 = kernel.reduce add %4 over 1 tree <128, 2048> : f32
      kernel.store %4, %y affine_map<(d0, d1) -> (d0, d1)> : f32 -> tensor<?x300xf32>
      kernel.store %5, %s affine_map<(d0, d1) -> (d0)> : f32 -> tensor<?xf32>
    }
    func.func @f(%x: tensor<5x300xf32>, %b: tensor<300xf32>)
        -> (tensor<5x300xf32>, tensor<5xf32>) {
      %0:2 = kernel.launch @softmax_sum(%x, %b) extent 5
          : (tensor<5x300xf32>, tensor<300xf32>) -> (tensor<5x300xf32>, tensor<5xf32>)
      return %0#0, %0#1 : tensor<5x300xf32>, tensor<5xf32>
    })");
  TextProgram tensors(R"(
    func.func @f(%x: tensor<5x300xf32>, %b: tensor<300xf32>)
        -> (tensor<5x300xf32>, tensor<5xf32>) {
      %0 = dlm.broadcast %b dims [1] : tensor<300xf32> -> tensor<5x300xf32>
      %1 = dlm.add %x, %0 : tensor<5x300xf32>
      %2 = dlm.reduce max %1 dims [1] {tree = #dlm.tree<lanes = 128, chunk = 2048>}
          : tensor<5x300xf32> -> tensor<5xf32>
      %3 = dlm.broadcast %2 dims [0] : tensor<5xf32> -> tensor<5x300xf32>
      %4 = dlm.sub %1, %3 : tensor<5x300xf32>
      %5 = dlm.reduce add %4 dims [1] {tree = #dlm.tree<lanes = 128, chunk = 2048>}
          : tensor<5x300xf32> -> tensor<5xf32>
      return %4, %5 : tensor<5x300xf32>, tensor<5xf32>
    })");
  std::vector<Tensor> arguments = {floats({5, 300}, someFloats(1500, 30)),
                                   floats(someFloats(300, 31))};
  std::vector<Tensor> found = program.run(arguments), expected = tensors.run(arguments);
  ASSERT_EQ(found.size(), 2u);
  ASSERT_EQ(expected.size(), 2u);
  EXPECT_EQ(found[0].bytes, expected[0].bytes);
  EXPECT_EQ(found[1].bytes, expected[1].bytes);
}

TEST(InterpreterKernel, ColumnKernelReducesTheOuterDim) {
  TextProgram program(R"(
    kernel.func @sum(%x: tensor<?x7xf32>) -> (%y: tensor<7xf32>) over <column, [?, 7]> {
      %0 = kernel.load %x affine_map<(d0, d1) -> (d0, d1)> : tensor<?x7xf32> -> f32
      %1 = kernel.reduce add %0 over 0 tree <1, 64> : f32
      kernel.store %1, %y affine_map<(d0, d1) -> (d1)> : f32 -> tensor<7xf32>
    }
    func.func @f(%x: tensor<130x7xf32>) -> tensor<7xf32> {
      %0 = kernel.launch @sum(%x) extent 130 : (tensor<130x7xf32>) -> tensor<7xf32>
      return %0 : tensor<7xf32>
    })");
  Tensor x = floats({130, 7}, someFloats(910, 32));
  Tensor expected = runOp("dlm.reduce add %a0 dims [0] {tree = #dlm.tree<lanes = 1, chunk = 64>} : "
                          "tensor<130x7xf32> -> tensor<7xf32>",
                          {"tensor<130x7xf32>"}, "tensor<7xf32>", {x});
  EXPECT_EQ(program.run({x}).at(0).bytes, expected.bytes);
}

TEST(InterpreterKernel, LinearKernelDrawsTheSameRandomValues) {
  TextProgram program(R"(
    kernel.func @draw(%seed: tensor<i64>, %attempt: tensor<i64>) -> (%y: tensor<?xf32>)
        over <linear, [?]> {
      %0 = kernel.load %seed affine_map<(d0) -> ()> : tensor<i64> -> i64
      %1 = kernel.load %attempt affine_map<(d0) -> ()> : tensor<i64> -> i64
      %2 = kernel.iota 0 : i64
      %3 = kernel.random uniform(%0, %1, %2) site 9 : f32
      kernel.store %3, %y affine_map<(d0) -> (d0)> : f32 -> tensor<?xf32>
    }
    func.func @f(%seed: tensor<i64>, %attempt: tensor<i64>) -> tensor<3x5xf32> {
      %0 = kernel.launch @draw(%seed, %attempt) extent 15
          : (tensor<i64>, tensor<i64>) -> tensor<3x5xf32>
      return %0 : tensor<3x5xf32>
    })");
  std::vector<Tensor> arguments = {makeTensor<int64_t>(DType::I64, {}, {77}),
                                   makeTensor<int64_t>(DType::I64, {}, {2})};
  Tensor expected = runOp("dlm.random uniform %a0, %a1 site 9 : tensor<3x5xf32>",
                          {"tensor<i64>", "tensor<i64>"}, "tensor<3x5xf32>", arguments);
  std::vector<Tensor> found = program.run(arguments);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].bytes, expected.bytes);
}

TEST(InterpreterKernel, ContractEqualsMatmul) {
  TextProgram program(R"(
    func.func @f(%a: tensor<6x4xf32>, %b: tensor<6x5xf32>) -> tensor<4x5xf32> {
      %0 = kernel.contract %a transposed, %b : tensor<6x4xf32>, tensor<6x5xf32> -> tensor<4x5xf32>
      return %0 : tensor<4x5xf32>
    })");
  std::vector<Tensor> arguments = {floats({6, 4}, someFloats(24, 33)),
                                   floats({6, 5}, someFloats(30, 34))};
  Tensor expected = runOp("dlm.matmul %a0, %a1 transposeLhs : tensor<6x4xf32>, tensor<6x5xf32> -> "
                          "tensor<4x5xf32>",
                          {"tensor<6x4xf32>", "tensor<6x5xf32>"}, "tensor<4x5xf32>", arguments);
  EXPECT_EQ(program.run(arguments).at(0).bytes, expected.bytes);
}

/// Elements of `type` with NaNs, infinities and signed zeros among them; `size` stands for `?`.
Tensor fillingFor(mlir::RankedTensorType type, int64_t size, uint32_t site) {
  Tensor tensor;
  for (int64_t dim : type.getShape())
    tensor.shape.push_back(mlir::ShapedType::isDynamic(dim) ? size : dim);
  std::vector<float> values = someFloats(tensor.elementCount(), site, -4, 4);
  mlir::Type element = type.getElementType();
  if (element.isF32()) {
    const float special[] = {NAN, INFINITY, -INFINITY, -0.0f, 0.0f, 1e-42f, 3e38f};
    for (size_t i = 0; i < values.size(); i += 5 + i % 3)
      values[i] = special[i % 7];
    return floats(tensor.shape, values);
  }
  int width = element.getIntOrFloatBitWidth();
  DType dtype = width == 1    ? DType::Bool
                : width == 8  ? DType::U8
                : width == 32 ? DType::I32
                              : DType::I64;
  tensor = Tensor::zeros(dtype, tensor.shape);
  for (size_t i = 0; i < values.size(); ++i) {
    auto value = static_cast<int64_t>(values[i] * 25);
    if (width == 1) value &= 1;
    std::memcpy(tensor.bytes.data() + i * elementSizeBytes(dtype), &value, elementSizeBytes(dtype));
  }
  return tensor;
}

int64_t countDifferences(const Tensor &tensor, const Buffer &buffer) {
  int64_t differences = 0, size = elementSizeBytes(tensor.dtype);
  for (int64_t i = 0; i < tensor.elementCount(); ++i) {
    if (std::memcmp(tensor.bytes.data() + i * size, buffer.data() + i * size, size) == 0) continue;
    float other = 0;
    std::memcpy(&other, buffer.data() + i * size, std::min<size_t>(size, sizeof other));
    bool bothNaN =
        tensor.dtype == DType::F32 && std::isnan(tensor.as<float>()[i]) && std::isnan(other);
    differences += !bothNaN;
  }
  return differences;
}

void compareWithEvaluator(const KernelCase &kernelCase, int64_t size) {
  std::string text = kernelCase.text;
  for (size_t at; (at = text.find("$N")) != std::string::npos;)
    text.replace(at, 2, std::to_string(size));
  TextProgram program(text), expanded(text);
  ASSERT_TRUE(mlir::succeeded(expandElementaryFunctions(expanded.module())));
  auto func = *program.module().getOps<kernel::FuncOp>().begin();
  int64_t extent = func.getSpace().isDynamic() ? size : func.getSpace().getExtent(0, size);
  std::vector<Tensor> inputs;
  std::vector<Buffer> buffers;
  for (mlir::BlockArgument argument : func.getBlock().getArguments()) {
    auto type = mlir::cast<mlir::RankedTensorType>(argument.getType());
    Tensor tensor = fillingFor(type, size, argument.getArgNumber());
    buffers.emplace_back(tensor.bytes.begin(), tensor.bytes.end());
    if (argument.getArgNumber() < func.getInputs()) inputs.push_back(std::move(tensor));
  }
  std::vector<Buffer *> pointers;
  for (Buffer &buffer : buffers)
    pointers.push_back(&buffer);
  evaluateKernel(*expanded.module().getOps<kernel::FuncOp>().begin(), size, pointers);
  auto outputs = reference::interpretKernel(func, extent, inputs, Mode::F32);
  ASSERT_TRUE(outputs.isOk()) << outputs.status().message();
  for (size_t index = 0; index < outputs->size(); ++index)
    EXPECT_EQ(countDifferences((*outputs)[index], buffers[inputs.size() + index]), 0)
        << "output " << index << ", size " << size;
}

TEST(InterpreterKernel, EqualsTheEvaluatorOfKernelText) {
  for (const KernelCase *kernelCase = KernelCases; kernelCase->name; ++kernelCase) {
    SCOPED_TRACE(kernelCase->name);
    for (int64_t size : {1, 7, 129, 2049})
      if (size <= kernelCase->sizeMax) compareWithEvaluator(*kernelCase, size);
  }
}

} // namespace
} // namespace dlm::test
