// Gradients of loops, and gradients of those gradients, against central differences in f64.
#include "compiler/transforms/expand/Autodiff.h"
#include "dialects/dlm/Dlm.h"
#include "test/equal/TextProgram.h"

#include "mlir/IR/Verifier.h"
#include <gtest/gtest.h>

#include <cmath>

namespace dlm::test {
namespace {

/// The results of @f become the gradients of their sum, one for each argument of f32. Arguments
/// that no gradient reaches have none.
class GradientOfText {
public:
  GradientOfText(const std::string &text, int times) : program(text) {
    for (int i = 0; i < times; ++i)
      differentiate();
    EXPECT_TRUE(mlir::succeeded(mlir::verify(program.module())));
  }

  std::vector<Tensor> run(const std::vector<Tensor> &arguments) {
    return program.run(arguments, Mode::F64);
  }

  std::vector<unsigned> flows; // arguments that a gradient reaches, in order

private:
  void differentiate() {
    mlir::func::FuncOp func = program.func("f");
    mlir::Operation *end = func.getBody().front().getTerminator();
    mlir::OpBuilder builder(end);
    llvm::SmallVector<mlir::Value> outputs(end->getOperands()), inputs, present;
    for (mlir::Value argument : func.getArguments())
      if (mlir::cast<mlir::RankedTensorType>(argument.getType()).getElementType().isF32())
        inputs.push_back(argument);
    auto gradients = buildAll(builder, outputs, inputs);
    flows.clear();
    for (auto [input, gradient] : llvm::zip_equal(inputs, gradients)) {
      if (!gradient) continue;
      flows.push_back(mlir::cast<mlir::BlockArgument>(input).getArgNumber());
      present.push_back(gradient);
    }
    end->setOperands(present);
    func.setFunctionType(
        builder.getFunctionType(func.getArgumentTypes(), mlir::ValueRange(present).getTypes()));
  }

  static llvm::SmallVector<mlir::Value> buildAll(mlir::OpBuilder &builder, mlir::ValueRange outputs,
                                                 mlir::ValueRange inputs) {
    auto gradients = expand::buildGradients(builder, outputs, inputs);
    EXPECT_TRUE(mlir::succeeded(gradients));
    return mlir::succeeded(gradients) ? *gradients : llvm::SmallVector<mlir::Value>(inputs.size());
  }

  TextProgram program;
};

double sumOf(const std::vector<Tensor> &tensors) {
  double sum = 0;
  for (const Tensor &tensor : tensors)
    if (tensor.dtype == DType::F64)
      for (int64_t i = 0; i < tensor.elementCount(); ++i)
        sum += tensor.as<double>()[i];
  return sum;
}

std::vector<Tensor> argumentsOf(const std::string &text) {
  TextProgram program(text);
  std::vector<Tensor> arguments;
  for (mlir::Type type : program.func("f").getArgumentTypes()) {
    auto shaped = mlir::cast<mlir::RankedTensorType>(type);
    std::vector<float> values = someFloats(shaped.getNumElements(), arguments.size(), -1, 1);
    if (shaped.getElementType().isF32()) {
      arguments.push_back(
          reference::withPrecision(floats(shaped.getShape().vec(), values), DType::F64));
      continue;
    }
    std::vector<int32_t> whole;
    for (float value : values)
      whole.push_back(int32_t(value * 3));
    arguments.push_back(makeTensor(DType::I32, shaped.getShape().vec(), whole));
  }
  return arguments;
}

/// The `order`th gradient against differences of the one before.
void expectGradient(const std::string &text, std::vector<unsigned> reached, int order = 1) {
  SCOPED_TRACE(text);
  GradientOfText below(text, order - 1), gradient(text, order);
  EXPECT_EQ(gradient.flows, reached);
  std::vector<Tensor> arguments = argumentsOf(text), found = gradient.run(arguments);
  ASSERT_EQ(found.size(), gradient.flows.size());
  constexpr double Step = 1e-5;
  for (size_t n = 0; n < found.size(); ++n) {
    Tensor &argument = arguments[gradient.flows[n]];
    for (int64_t i = 0; i < argument.elementCount(); ++i) {
      double &place = argument.as<double>()[i], middle = place;
      place = middle + Step;
      double above = sumOf(below.run(arguments));
      place = middle - Step;
      double difference = (above - sumOf(below.run(arguments))) / (2 * Step);
      place = middle;
      EXPECT_NEAR(found[n].as<double>()[i], difference, 1e-7 * (1 + std::fabs(difference)))
          << "argument " << gradient.flows[n] << ", element " << i;
    }
  }
}

/// h' = tanh(h w + x), y = h' * h.
std::string recurrence(const std::string &direction, const std::string &given) {
  return R"(func.func @f(%x: tensor<5x2x3xf32>, %h: tensor<2x3xf32>, %w: tensor<3x3xf32>)
      -> )" +
         given + R"( {
    %0:2 = dlm.scan trips 5 )" +
         direction + R"( init(%h : tensor<2x3xf32>) over(%x : tensor<5x2x3xf32>)
        capture(%w : tensor<3x3xf32>) -> (tensor<2x3xf32>, tensor<5x2x3xf32>) {
    ^bb0(%k: tensor<i32>, %s: tensor<2x3xf32>, %each: tensor<2x3xf32>, %v: tensor<3x3xf32>):
      %1 = dlm.matmul %s, %v : tensor<2x3xf32>, tensor<3x3xf32> -> tensor<2x3xf32>
      %2 = dlm.add %1, %each : tensor<2x3xf32>
      %3 = dlm.tanh %2 : tensor<2x3xf32>
      %4 = dlm.mul %3, %s : tensor<2x3xf32>
      dlm.yield %3, %4 : tensor<2x3xf32>, tensor<2x3xf32>
    }
    return )";
}

TEST(LoopGradients, OfStatesAndOutputs) {
  for (std::string direction : {"", "reverse"}) {
    std::string both = "(tensor<2x3xf32>, tensor<5x2x3xf32>)";
    expectGradient(recurrence(direction, both) +
                       "%0#0, %0#1 : tensor<2x3xf32>, tensor<5x2x3xf32>\n}",
                   {0, 1, 2});
    expectGradient(recurrence(direction, "tensor<2x3xf32>") + "%0#0 : tensor<2x3xf32>\n}",
                   {0, 1, 2});
    expectGradient(recurrence(direction, "tensor<5x2x3xf32>") + "%0#1 : tensor<5x2x3xf32>\n}",
                   {0, 1, 2});
  }
}

TEST(LoopGradients, OfGradients) {
  for (std::string direction : {"", "reverse"})
    expectGradient(recurrence(direction, "tensor<5x2x3xf32>") + "%0#1 : tensor<5x2x3xf32>\n}",
                   {0, 1, 2}, 2);
}

/// A state of integers, an integer around the loop, a state that ends by a condition, the number
/// of the trip, one that is begun anew each time, and one that nothing moves.
TEST(LoopGradients, PassWhatHasNone) {
  expectGradient(R"(func.func @f(%x: tensor<6xf32>, %h: tensor<f32>, %n: tensor<i32>,
                                 %unused: tensor<f32>)
      -> (tensor<f32>, tensor<f32>, tensor<f32>, tensor<6xf32>) {
    %zero = dlm.constant dense<0> : tensor<i32>
    %no = dlm.constant dense<false> : tensor<i1>
    %0:6 = dlm.scan trips 6 init(%h, %h, %h, %zero, %no
          : tensor<f32>, tensor<f32>, tensor<f32>, tensor<i32>, tensor<i1>)
        over(%x : tensor<6xf32>) capture(%n, %h : tensor<i32>, tensor<f32>)
        -> (tensor<f32>, tensor<f32>, tensor<f32>, tensor<i32>, tensor<i1>, tensor<6xf32>) {
    ^bb0(%k: tensor<i32>, %s: tensor<f32>, %t: tensor<f32>, %u: tensor<f32>, %c: tensor<i32>,
         %done: tensor<i1>, %each: tensor<f32>, %m: tensor<i32>, %v: tensor<f32>):
      %1 = dlm.cast %c : tensor<i32> -> tensor<f32>
      %2 = dlm.mul %s, %each : tensor<f32>
      %3 = dlm.add %2, %1 : tensor<f32>
      %4 = dlm.select %done, %s, %3 : tensor<f32>
      %5 = dlm.add %c, %k : tensor<i32>
      %6 = dlm.mul %5, %m : tensor<i32>
      %four = dlm.constant dense<4> : tensor<i32>
      %7 = dlm.compare ge %k, %four : tensor<i32>
      %8 = dlm.mul %v, %t : tensor<f32>
      %9 = dlm.mul %8, %u : tensor<f32>
      dlm.yield %4, %each, %u, %6, %7, %9
          : tensor<f32>, tensor<f32>, tensor<f32>, tensor<i32>, tensor<i1>, tensor<f32>
    }
    return %0#0, %0#1, %0#2, %0#5 : tensor<f32>, tensor<f32>, tensor<f32>, tensor<6xf32>
  })",
                 {0, 1});
}

/// A state that begins as a constant and comes to depend on what is around.
TEST(LoopGradients, ReachWhatEntersLater) {
  for (int order : {1, 2})
    expectGradient(R"(func.func @f(%w: tensor<2xf32>) -> tensor<2xf32> {
    %zero = dlm.constant dense<0.5> : tensor<2xf32>
    %0:2 = dlm.scan trips 4 init(%zero, %zero : tensor<2xf32>, tensor<2xf32>) over()
        capture(%w : tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
    ^bb0(%k: tensor<i32>, %s: tensor<2xf32>, %t: tensor<2xf32>, %v: tensor<2xf32>):
      %1 = dlm.mul %t, %v : tensor<2xf32>
      %2 = dlm.add %s, %1 : tensor<2xf32>
      %3 = dlm.sin %2 : tensor<2xf32>
      dlm.yield %2, %3 : tensor<2xf32>, tensor<2xf32>
    }
    return %0#1 : tensor<2xf32>
  })",
                   {0}, order);
}

/// A running sum needs no state for its gradient: none is kept.
TEST(LoopGradients, KeepWhatTheyNeed) {
  std::string text = R"(func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
    %zero = dlm.constant dense<-0.0> : tensor<f32>
    %0:2 = dlm.scan trips 4 init(%zero : tensor<f32>) over(%x : tensor<4xf32>) capture()
        -> (tensor<f32>, tensor<4xf32>) {
    ^bb0(%k: tensor<i32>, %s: tensor<f32>, %each: tensor<f32>):
      %1 = dlm.add %s, %each : tensor<f32>
      dlm.yield %1, %1 : tensor<f32>, tensor<f32>
    }
    %1 = dlm.mul %0#1, %0#1 : tensor<4xf32>
    return %1 : tensor<4xf32>
  })";
  expectGradient(text, {0});
  TextProgram program(text);
  mlir::func::FuncOp func = program.func("f");
  mlir::OpBuilder builder(func.getBody().front().getTerminator());
  mlir::Value output = func.getBody().front().getTerminator()->getOperand(0);
  ASSERT_TRUE(mlir::succeeded(
      expand::buildGradients(builder, output, mlir::ValueRange(func.getArguments()))));
  std::vector<std::pair<bool, unsigned>> loops; // backwards, results
  func.walk([&](ScanOp scan) { loops.emplace_back(scan.getReverse(), scan->getNumResults()); });
  EXPECT_EQ(loops, (std::vector<std::pair<bool, unsigned>>{{false, 2}, {true, 2}}));
}

TEST(LoopGradients, OfLoopsInLoops) {
  for (int order : {1, 2})
    expectGradient(R"(func.func @f(%x: tensor<3x2xf32>, %h: tensor<f32>, %w: tensor<f32>)
      -> (tensor<f32>, tensor<3x2xf32>) {
    %0:2 = dlm.scan trips 3 init(%h : tensor<f32>) over(%x : tensor<3x2xf32>)
        capture(%w : tensor<f32>) -> (tensor<f32>, tensor<3x2xf32>) {
    ^bb0(%k: tensor<i32>, %s: tensor<f32>, %row: tensor<2xf32>, %v: tensor<f32>):
      %1:2 = dlm.scan trips 2 reverse init(%s : tensor<f32>) over(%row : tensor<2xf32>)
          capture(%v, %s : tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<2xf32>) {
      ^bb0(%l: tensor<i32>, %t: tensor<f32>, %each: tensor<f32>, %u: tensor<f32>, %o: tensor<f32>):
        %2 = dlm.mul %t, %u : tensor<f32>
        %3 = dlm.add %2, %each : tensor<f32>
        %4 = dlm.sin %3 : tensor<f32>
        %5 = dlm.mul %4, %o : tensor<f32>
        dlm.yield %4, %5 : tensor<f32>, tensor<f32>
      }
      %6 = dlm.mul %1#0, %v : tensor<f32>
      dlm.yield %6, %1#1 : tensor<f32>, tensor<2xf32>
    }
    return %0#0, %0#1 : tensor<f32>, tensor<3x2xf32>
  })",
                   {0, 1, 2}, order);
}

} // namespace
} // namespace dlm::test
