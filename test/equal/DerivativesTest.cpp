// Every op that says it is differentiable, against central differences in f64. The list of ops
// comes from the dialect's registry, so an op without a case fails. A case is the text of one op;
// the loss is a fixed weighted sum of its result, so that the gradient of the result is the
// weights. What these gradients are made of is differentiated again, by the reverse walk.
#include "compiler/transforms/expand/Autodiff.h"
#include "dialects/dlm/Dlm.h"
#include "test/equal/TextProgram.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/IRMapping.h"
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

namespace dlm::test {
namespace {

struct Case {
  std::string op;                 // the op under test, its result is %r and its operands %a0 ...
  std::vector<std::string> types; // of %a0 ...
  std::string resultType;
  float low = -1.5f; // range of random float operands, away from where the op is
  float high = 1.5f; // not differentiable or not defined
  bool isLinear = false;
};

using Cases = std::map<std::string, std::vector<Case>>;

void addUnary(Cases &cases, const std::string &name, float low = -1.5f, float high = 1.5f) {
  for (std::string type : {"tensor<f32>", "tensor<1xf32>", "tensor<13xf32>", "tensor<3x5xf32>"})
    cases["dlm." + name].push_back({"dlm." + name + " %a0 : " + type, {type}, type, low, high});
}

void addBinary(Cases &cases, const std::string &name, float low = -1.5f, float high = 1.5f) {
  for (std::string type : {"tensor<f32>", "tensor<1xf32>", "tensor<13xf32>", "tensor<3x5xf32>"})
    cases["dlm." + name].push_back(
        {"dlm." + name + " %a0, %a1 : " + type, {type, type}, type, low, high});
}

void addElementwise(Cases &cases) {
  for (const char *name : {"neg", "exp", "tanh", "erf", "sin", "cos"})
    addUnary(cases, name);
  for (const char *name : {"log", "sqrt", "rsqrt"})
    addUnary(cases, name, 0.3f, 3.0f);
  for (const char *name : {"abs", "relu"}) { // away from the kink, on both sides
    addUnary(cases, name, 0.1f, 2.0f);
    addUnary(cases, name, -2.0f, -0.1f);
  }
  for (const char *name : {"add", "sub", "mul", "max", "min"})
    addBinary(cases, name);
  for (const char *name : {"div", "pow"})
    addBinary(cases, name, 0.3f, 2.0f);
  cases["dlm.select"] = {{"dlm.select %a0, %a1, %a2 : tensor<7xf32>",
                          {"tensor<7xi1>", "tensor<7xf32>", "tensor<7xf32>"},
                          "tensor<7xf32>"}};
  cases["dlm.cast"] = {
      {"dlm.cast %a0 : tensor<7xf32> -> tensor<7xf32>", {"tensor<7xf32>"}, "tensor<7xf32>"}};
}

void addMoves(Cases &cases) {
  auto linear = [&](const std::string &name, std::string op, std::vector<std::string> types,
                    std::string resultType) {
    cases[name].push_back({"dlm." + op, std::move(types), std::move(resultType), -1, 1, true});
  };
  linear("dlm.broadcast", "broadcast %a0 dims [] : tensor<f32> -> tensor<3x2xf32>", {"tensor<f32>"},
         "tensor<3x2xf32>");
  linear("dlm.broadcast", "broadcast %a0 dims [0, 2] : tensor<3x1xf32> -> tensor<3x2x5xf32>",
         {"tensor<3x1xf32>"}, "tensor<3x2x5xf32>");
  linear("dlm.broadcast", "broadcast %a0 dims [1] : tensor<1xf32> -> tensor<4x1xf32>",
         {"tensor<1xf32>"}, "tensor<4x1xf32>");
  linear("dlm.reshape", "reshape %a0 : tensor<2x6xf32> -> tensor<3x4xf32>", {"tensor<2x6xf32>"},
         "tensor<3x4xf32>");
  linear("dlm.fence", "fence %a0 after %a1 : tensor<3x5xf32> after tensor<2xi32>",
         {"tensor<3x5xf32>", "tensor<2xi32>"}, "tensor<3x5xf32>");
  linear("dlm.transpose",
         "transpose %a0 permutation [2, 0, 1] : tensor<2x3x5xf32> -> tensor<5x2x3xf32>",
         {"tensor<2x3x5xf32>"}, "tensor<5x2x3xf32>");
  linear("dlm.segment", "segment %a0 offset 3 : tensor<17xf32> -> tensor<2x5xf32>",
         {"tensor<17xf32>"}, "tensor<2x5xf32>");
  linear("dlm.pack",
         "pack %a0, %a1 offsets [1, 8] : tensor<2x3xf32>, tensor<1xf32> -> tensor<11xf32>",
         {"tensor<2x3xf32>", "tensor<1xf32>"}, "tensor<11xf32>");
  linear("dlm.slice", "slice %a0 begins [1, 0, 4] : tensor<3x2x5xf32> -> tensor<2x2x1xf32>",
         {"tensor<3x2x5xf32>"}, "tensor<2x2x1xf32>");
  linear("dlm.pad", "pad %a0 low [0, 2] value 3.0 : tensor<3x2xf32> -> tensor<4x5xf32>",
         {"tensor<3x2xf32>"}, "tensor<4x5xf32>");
  cases["dlm.pad"].back().isLinear = false; // but for its value
  linear("dlm.pad", "pad %a0 low [1] value 0.0 : tensor<1xf32> -> tensor<3xf32>", {"tensor<1xf32>"},
         "tensor<3xf32>");
  linear("dlm.flip", "flip %a0 dims [0, 2] : tensor<3x2x5xf32>", {"tensor<3x2x5xf32>"},
         "tensor<3x2x5xf32>");
  linear("dlm.concat",
         "concat %a0, %a1, %a2 dim 1 : tensor<3x2xf32>, tensor<3x1xf32>, tensor<3x4xf32> -> "
         "tensor<3x7xf32>",
         {"tensor<3x2xf32>", "tensor<3x1xf32>", "tensor<3x4xf32>"}, "tensor<3x7xf32>");
}

void addWindows(Cases &cases) {
  auto both = [&](const std::string &moves, const std::string &whole, const std::string &parts) {
    cases["dlm.windows"].push_back(
        {"dlm.windows %a0 " + moves + " : " + whole + " -> " + parts, {whole}, parts, -1, 1, true});
    cases["dlm.overlap_add"].push_back(
        {"dlm.overlap_add %a0 " + moves + " : " + parts + " -> " + whole,
         {parts},
         whole,
         -1,
         1,
         true});
  };
  both("dim 1 strides [1] dilations [1] low [0]", "tensor<2x7x3xf32>", "tensor<2x5x3x3xf32>");
  both("dim 0 strides [2] dilations [3] low [1]", "tensor<7xf32>", "tensor<3x2xf32>");
  both("dim 1 strides [2, 1] dilations [1, 2] low [1, 2]", "tensor<2x5x4x1xf32>",
       "tensor<2x3x4x3x3x1xf32>");
  both("dim 0 strides [5] dilations [1] low [2]", "tensor<3x2xf32>", "tensor<1x1x2xf32>");
}

/// Random ids are 0, 1 and 2.
void addChoices(Cases &cases) {
  auto linear = [&](const std::string &name, const std::string &dim, const std::string &from,
                    const std::string &ids, const std::string &to) {
    cases["dlm." + name].push_back(
        {"dlm." + name + " %a0, %a1 dim " + dim + " : " + from + ", " + ids + " -> " + to,
         {from, ids},
         to,
         -1,
         1,
         true});
  };
  linear("gather", "0", "tensor<3x2xf32>", "tensor<7xi32>", "tensor<7x2xf32>");
  linear("gather", "0", "tensor<5xf32>", "tensor<2x3xi64>", "tensor<2x3xf32>");
  linear("gather", "1", "tensor<2x4x3xf32>", "tensor<2x5xi32>", "tensor<2x5x3xf32>");
  linear("gather", "1", "tensor<4x3xf32>", "tensor<4xui8>", "tensor<4xf32>");
  linear("scatter_add", "0", "tensor<7x2xf32>", "tensor<7xi32>", "tensor<3x2xf32>");
  linear("scatter_add", "1", "tensor<2x5x3xf32>", "tensor<2x5xi64>", "tensor<2x4x3xf32>");
}

void addReductions(Cases &cases) {
  for (std::string kind : {"add", "max", "min"}) {
    auto add = [&](const std::string &dims, const std::string &from, const std::string &to) {
      cases["dlm.reduce"].push_back(
          {"dlm.reduce " + kind + " %a0 dims " + dims + " : " + from + " -> " + to,
           {from},
           to,
           -1,
           1,
           kind == "add"});
    };
    add("[0]", "tensor<1xf32>", "tensor<f32>");
    add("[0]", "tensor<131xf32>", "tensor<f32>");
    add("[1]", "tensor<3x5x2xf32>", "tensor<3x2xf32>");
    add("[0, 2]", "tensor<3x5x2xf32>", "tensor<5xf32>");
    add("[1, 2] toFirst", "tensor<3x5x2xf32>", "tensor<3xf32>");
  }
}

void addProducts(Cases &cases) {
  for (bool transposeLhs : {false, true})
    for (bool transposeRhs : {false, true}) {
      std::string lhs = transposeLhs ? "tensor<7x5xf32>" : "tensor<5x7xf32>";
      std::string rhs = transposeRhs ? "tensor<3x7xf32>" : "tensor<7x3xf32>";
      std::string flags =
          std::string(transposeLhs ? " transposeLhs" : "") + (transposeRhs ? " transposeRhs" : "");
      cases["dlm.matmul"].push_back(
          {"dlm.matmul %a0, %a1" + flags + " : " + lhs + ", " + rhs + " -> tensor<5x3xf32>",
           {lhs, rhs},
           "tensor<5x3xf32>"});
      lhs.replace(7, 0, "2x"), rhs.replace(7, 0, "2x");
      cases["dlm.matmul"].push_back(
          {"dlm.matmul %a0, %a1" + flags + " : " + lhs + ", " + rhs + " -> tensor<2x5x3xf32>",
           {lhs, rhs},
           "tensor<2x5x3xf32>"});
    }
}

const Cases &allCases() {
  static const Cases cases = [] {
    Cases all;
    addElementwise(all);
    addMoves(all);
    addChoices(all);
    addWindows(all);
    addReductions(all);
    addProducts(all);
    return all;
  }();
  return cases;
}

/// A module's @f with one op, and @g that computes the gradients of its float operands from the
/// operands and the gradient of the result.
class GradientProgram {
public:
  explicit GradientProgram(const Case &testCase)
      : program(moduleOf(testCase.op, testCase.types, testCase.resultType)) {
    auto f = program.func("f");
    mlir::Operation &op = f.getBody().front().front();
    mlir::OpBuilder builder = mlir::OpBuilder::atBlockEnd(program.module().getBody());
    llvm::SmallVector<mlir::Type> inputs(op.getOperandTypes());
    inputs.push_back(op.getResult(0).getType());
    gradient =
        mlir::func::FuncOp::create(builder, op.getLoc(), "g", builder.getFunctionType(inputs, {}));
    mlir::Block *block = gradient.addEntryBlock();
    builder.setInsertionPointToEnd(block);
    mlir::IRMapping mapping;
    mapping.map(op.getOperands(), block->getArguments().drop_back());
    mlir::Operation *copy = builder.clone(op, mapping);
    llvm::SmallVector<mlir::Value> grads;
    auto differentiable = mlir::cast<DifferentiableOpInterface>(copy);
    EXPECT_TRUE(mlir::succeeded(
        differentiable.buildGradient(builder, block->getArguments().back(), grads)));
    EXPECT_EQ(grads.size(), op.getNumOperands());
    llvm::SmallVector<mlir::Value> present;
    llvm::SmallVector<mlir::Type> types;
    for (auto [index, grad] : llvm::enumerate(grads)) {
      if (!grad) continue;
      EXPECT_EQ(grad.getType(), op.getOperand(index).getType());
      flows.push_back(index);
      present.push_back(grad);
      types.push_back(grad.getType());
    }
    mlir::func::ReturnOp::create(builder, op.getLoc(), present);
    gradient.setFunctionType(builder.getFunctionType(inputs, types));
  }

  /// The weighted sum of @f's result.
  double loss(const std::vector<Tensor> &arguments, const Tensor &weights) {
    std::vector<Tensor> results = program.run(arguments, Mode::F64);
    double sum = 0;
    for (int64_t i = 0; i < weights.elementCount(); ++i)
      sum += results.at(0).as<double>()[i] * weights.as<double>()[i];
    return sum;
  }

  std::vector<Tensor> gradients(std::vector<Tensor> arguments, const Tensor &weights) {
    arguments.push_back(weights);
    auto results = reference::interpret(gradient, arguments, Mode::F64);
    EXPECT_TRUE(results.isOk()) << results.status().message();
    return results ? results.take() : std::vector<Tensor>();
  }

  mlir::MLIRContext &context() { return program.context(); }

  std::vector<unsigned> flows; // operands that receive a gradient

private:
  TextProgram program;
  mlir::func::FuncOp gradient;
};

Tensor randomFor(mlir::Type type, uint32_t site, float low, float high) {
  auto tensorType = mlir::cast<mlir::RankedTensorType>(type);
  std::vector<int64_t> shape = tensorType.getShape().vec();
  std::vector<float> values = someFloats(tensorType.getNumElements(), site, low, high);
  if (tensorType.getElementType().isF32())
    return reference::withPrecision(floats(shape, values), DType::F64);
  unsigned width = tensorType.getElementTypeBitWidth();
  if (width > 1) {
    Tensor ids = Tensor::zeros(width == 64   ? DType::I64
                               : width == 32 ? DType::I32
                                             : DType::U8,
                               shape);
    for (size_t i = 0; i < values.size(); ++i) // little-endian
      ids.bytes[i * width / 8] = uint8_t((values[i] - low) / (high - low) * 2.999f);
    return ids;
  }
  Tensor bools = Tensor::zeros(DType::Bool, shape);
  for (size_t i = 0; i < values.size(); ++i)
    bools.as<uint8_t>()[i] = values[i] > (low + high) / 2;
  return bools;
}

void checkDifferences(GradientProgram &program, const Case &testCase, std::vector<Tensor> arguments,
                      const Tensor &weights) {
  std::vector<Tensor> grads = program.gradients(arguments, weights);
  ASSERT_EQ(grads.size(), program.flows.size());
  constexpr double Step = 1e-5;
  for (size_t n = 0; n < grads.size(); ++n) {
    Tensor &argument = arguments[program.flows[n]];
    for (int64_t i = 0; i < argument.elementCount(); ++i) {
      double &place = argument.as<double>()[i], middle = place;
      place = middle + Step;
      double above = program.loss(arguments, weights);
      place = middle - Step;
      double below = program.loss(arguments, weights);
      place = middle;
      double expected = (above - below) / (2 * Step), found = grads[n].as<double>()[i];
      // Truncation is O(Step^2), rounding O(1e-16 / Step).
      EXPECT_NEAR(found, expected, 1e-7 * (1 + std::fabs(expected)))
          << testCase.op << ": operand " << program.flows[n] << ", element " << i;
    }
  }
}

/// A linear op A: (A x) . w = x . (A^T w), up to the rounding of the sums.
void checkTranspose(GradientProgram &program, const Case &testCase,
                    const std::vector<Tensor> &arguments, const Tensor &weights) {
  std::vector<Tensor> grads = program.gradients(arguments, weights);
  double right = 0;
  for (size_t n = 0; n < grads.size(); ++n)
    for (int64_t i = 0; i < grads[n].elementCount(); ++i)
      right += grads[n].as<double>()[i] * arguments[program.flows[n]].as<double>()[i];
  EXPECT_NEAR(program.loss(arguments, weights), right, 1e-13 * (1 + std::fabs(right)))
      << testCase.op;
}

/// A module's @h of the operands and the weights: the sum of the squares of the gradients, and its
/// derivatives with respect to the float arguments.
class SecondProgram {
public:
  explicit SecondProgram(const Case &testCase)
      : program(moduleOf(testCase.op, testCase.types, testCase.resultType)) {
    mlir::Operation &op = program.func("f").getBody().front().front();
    mlir::OpBuilder builder = mlir::OpBuilder::atBlockEnd(program.module().getBody());
    llvm::SmallVector<mlir::Type> types(op.getOperandTypes());
    types.push_back(op.getResult(0).getType());
    function =
        mlir::func::FuncOp::create(builder, op.getLoc(), "h", builder.getFunctionType(types, {}));
    mlir::Block *block = function.addEntryBlock();
    builder.setInsertionPointToEnd(block);
    mlir::IRMapping mapping;
    mapping.map(op.getOperands(), block->getArguments().drop_back());
    auto copy = mlir::cast<DifferentiableOpInterface>(builder.clone(op, mapping));
    llvm::SmallVector<mlir::Value> grads, inputs;
    EXPECT_TRUE(mlir::succeeded(copy.buildGradient(builder, block->getArguments().back(), grads)));
    mlir::Value sum = ConstantOp::create(
        builder, op.getLoc(), mlir::RankedTensorType::get({}, builder.getF32Type()), 0.0);
    for (mlir::Value grad : grads)
      if (grad) sum = AddOp::create(builder, op.getLoc(), sum, squares(builder, grad));
    for (mlir::BlockArgument argument : block->getArguments()) {
      if (!mlir::getElementTypeOrSelf(argument.getType()).isF32()) continue;
      flows.push_back(argument.getArgNumber());
      inputs.push_back(argument);
    }
    auto second = expand::buildGradients(builder, sum, inputs);
    EXPECT_TRUE(mlir::succeeded(second)) << testCase.op;
    llvm::SmallVector<mlir::Value> results = {sum};
    for (size_t i = 0; succeeded(second) && i < inputs.size(); ++i) {
      auto type = mlir::cast<mlir::RankedTensorType>(inputs[i].getType());
      mlir::Value found = (*second)[i];
      results.push_back(found ? found : ConstantOp::create(builder, op.getLoc(), type, 0.0));
    }
    mlir::func::ReturnOp::create(builder, op.getLoc(), results);
    function.setFunctionType(builder.getFunctionType(types, mlir::ValueRange(results).getTypes()));
  }

  std::vector<Tensor> run(const std::vector<Tensor> &arguments) {
    auto results = reference::interpret(function, arguments, Mode::F64);
    EXPECT_TRUE(results.isOk()) << results.status().message();
    return results ? results.take() : std::vector<Tensor>();
  }

  mlir::MLIRContext &context() { return program.context(); }

  std::vector<unsigned> flows; // arguments of floats

private:
  static mlir::Value squares(mlir::OpBuilder &builder, mlir::Value x) {
    mlir::Value square = MulOp::create(builder, x.getLoc(), x, x);
    auto dims = llvm::to_vector(
        llvm::seq<int64_t>(0, mlir::cast<mlir::RankedTensorType>(x.getType()).getRank()));
    if (dims.empty()) return square;
    return ReduceOp::create(builder, x.getLoc(), ReduceKind::Add, square, dims, TreeAttr());
  }

  TextProgram program;
  mlir::func::FuncOp function;
};

void checkSecondDifferences(const Case &testCase) {
  SecondProgram program(testCase);
  std::vector<Tensor> arguments;
  for (const std::string &type : testCase.types)
    arguments.push_back(randomFor(mlir::parseType(type, &program.context()), arguments.size(),
                                  testCase.low, testCase.high));
  arguments.push_back(
      randomFor(mlir::parseType(testCase.resultType, &program.context()), 99, -1, 1));
  std::vector<Tensor> found = program.run(arguments);
  ASSERT_EQ(found.size(), program.flows.size() + 1);
  constexpr double Step = 1e-5;
  for (size_t n = 0; n < program.flows.size(); ++n) {
    Tensor &argument = arguments[program.flows[n]];
    for (int64_t i = 0; i < argument.elementCount(); ++i) {
      double &place = argument.as<double>()[i], middle = place;
      auto at = [&](double value) {
        place = value;
        return program.run(arguments).at(0).as<double>()[0];
      };
      double expected = (at(middle + Step) - at(middle - Step)) / (2 * Step);
      place = middle;
      EXPECT_NEAR(found[n + 1].as<double>()[i], expected, 1e-6 * (1 + std::fabs(expected)))
          << testCase.op << ": argument " << program.flows[n] << ", element " << i;
    }
  }
}

std::set<std::string> opsWith(bool (*wanted)(mlir::RegisteredOperationName)) {
  mlir::MLIRContext context;
  context.loadDialect<DlmDialect>();
  std::set<std::string> names;
  for (mlir::RegisteredOperationName name : context.getRegisteredOperations())
    if (name.getDialectNamespace() == "dlm" && wanted(name))
      names.insert(name.getStringRef().str());
  return names;
}

TEST(Derivatives, AgreeWithCentralDifferences) {
  std::set<std::string> names = opsWith([](mlir::RegisteredOperationName name) {
    return name.hasInterface<DifferentiableOpInterface>();
  });
  EXPECT_GE(names.size(), 20u);
  for (const std::string &name : names) {
    SCOPED_TRACE(name);
    auto found = allCases().find(name);
    ASSERT_NE(found, allCases().end()) << "give " << name << " a case in this file";
    for (const Case &testCase : found->second) {
      GradientProgram program(testCase);
      mlir::MLIRContext &context = program.context();
      std::vector<Tensor> arguments;
      for (const std::string &type : testCase.types)
        arguments.push_back(randomFor(mlir::parseType(type, &context), arguments.size(),
                                      testCase.low, testCase.high));
      Tensor weights = randomFor(mlir::parseType(testCase.resultType, &context), 99, -1, 1);
      checkDifferences(program, testCase, arguments, weights);
      if (testCase.isLinear) checkTranspose(program, testCase, arguments, weights);
    }
  }
}

/// What a gradient is made of must have one, too: there is no other way to a second derivative.
TEST(Derivatives, OfDerivativesAgreeWithCentralDifferences) {
  for (const auto &[name, cases] : allCases())
    for (const Case &testCase : cases) {
      SCOPED_TRACE(name);
      checkSecondDifferences(testCase);
    }
}

/// But for loops: their gradient is of the walk.
TEST(Derivatives, EveryOpDeclaresAGradientOrItsAbsence) {
  std::set<std::string> undeclared = opsWith([](mlir::RegisteredOperationName name) {
    return name.hasInterface<DifferentiableOpInterface>() ==
           name.hasInterface<ZeroGradientOpInterface>();
  });
  EXPECT_EQ(undeclared, (std::set<std::string>{"dlm.scan", "dlm.yield"}));
}

/// The gradients of @f's operands for a result gradient of ones.
std::vector<Tensor> gradientsOf(const Case &testCase, const std::vector<Tensor> &arguments) {
  GradientProgram program(testCase);
  auto type =
      mlir::cast<mlir::RankedTensorType>(mlir::parseType(testCase.resultType, &program.context()));
  std::vector<float> ones(type.getNumElements(), 1.0f);
  return program.gradients(arguments, floats(type.getShape().vec(), ones));
}

TEST(Derivatives, TiesOfAReducedMaximumShareEvenly) {
  Case testCase{"dlm.reduce max %a0 dims [0] : tensor<4xf32> -> tensor<f32>",
                {"tensor<4xf32>"},
                "tensor<f32>"};
  std::vector<Tensor> grads = gradientsOf(testCase, {floats({2, 1, 2, -1})});
  EXPECT_EQ(valuesOf<double>(grads.at(0)), (std::vector<double>{0.5, 0, 0.5, 0}));
}

TEST(Derivatives, TiesOfTwoOperandsShareEvenly) {
  for (std::string name : {"max", "min"}) {
    Case testCase{"dlm." + name + " %a0, %a1 : tensor<1xf32>",
                  {"tensor<1xf32>", "tensor<1xf32>"},
                  "tensor<1xf32>"};
    std::vector<Tensor> grads = gradientsOf(testCase, {floats({3}), floats({3})});
    EXPECT_EQ(valuesOf<double>(grads.at(0)), std::vector<double>{0.5});
    EXPECT_EQ(valuesOf<double>(grads.at(1)), std::vector<double>{0.5});
  }
}

TEST(Derivatives, AtTheKinkReluAndAbsGiveZero) {
  for (std::string name : {"relu", "abs"}) {
    Case testCase{"dlm." + name + " %a0 : tensor<1xf32>", {"tensor<1xf32>"}, "tensor<1xf32>"};
    EXPECT_EQ(valuesOf<double>(gradientsOf(testCase, {floats({0})}).at(0)), std::vector<double>{0});
  }
}

TEST(Derivatives, PowerOfZeroIsFlatInItsExponent) {
  Case testCase{
      "dlm.pow %a0, %a1 : tensor<1xf32>", {"tensor<1xf32>", "tensor<1xf32>"}, "tensor<1xf32>"};
  std::vector<Tensor> grads = gradientsOf(testCase, {floats({0}), floats({2})});
  EXPECT_EQ(valuesOf<double>(grads.at(0)), std::vector<double>{0});
  EXPECT_EQ(valuesOf<double>(grads.at(1)), std::vector<double>{0});
}

} // namespace
} // namespace dlm::test
