// A test has no run around it, so its graph becomes a plain function, `@test`, with an argument for
// each parameter, and each parameter's initial value a function of its own. Between lowering and
// the interpreter stand the same passes as in a compilation: they decide the order of sums.
#include "compiler/pipeline/TestEvaluation.h"

#include "compiler/lower/GraphLowering.h"
#include "compiler/lower/Lower.h"
#include "compiler/pipeline/TestWork.h"
#include "compiler/reference/Interpreter.h"
#include "compiler/transforms/expand/Passes.h"
#include "compiler/transforms/pin/Passes.h"
#include "compiler/transforms/simplify/Passes.h"
#include "dialects/dlm/Dlm.h"
#include "dialects/train/Train.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using dlm::reference::Tensor;

namespace dlm {

namespace {

class TestEvaluation {
public:
  TestEvaluation(const sema::TypedTest &test, MLIRContext &context, const SourceManager &sources,
                 DiagnosticEngine &diagnostics)
      : test(test), sources(sources), diagnostics(diagnostics), build(&context),
        places(context, sources, noLayers), module(ModuleOp::create(UnknownLoc::get(&context))) {}

  Expected<std::map<std::string, Tensor>> run();

private:
  LogicalResult addFunction(StringRef name, const sema::Graph &graph, const std::string &site);
  void fixLeaves(func::FuncOp function);
  LogicalResult makeFunctions();
  Expected<std::vector<Tensor>> interpretFunction(StringRef name,
                                                  const std::map<std::string, Tensor> &known);

  const sema::TypedTest &test;
  const SourceManager &sources;
  DiagnosticEngine &diagnostics;
  OpBuilder build;
  const std::vector<std::string> noLayers; // a test stands in none
  lower::Places places;
  OwningOpRef<ModuleOp> module;
};

} // namespace

/// Parameters become arguments, and the seed the number 1.
void TestEvaluation::fixLeaves(func::FuncOp function) {
  SmallVector<Operation *> leaves;
  function.walk([&](Operation *op) {
    if (isa<train::ParameterOp, train::AmbientOp>(op)) leaves.push_back(op);
  });
  for (Operation *op : leaves) {
    Value value;
    if (auto parameter = dyn_cast<train::ParameterOp>(op)) {
      unsigned index = function.getNumArguments();
      auto name = build.getNamedAttr("dlm.buffer", build.getStringAttr(parameter.getName()));
      (void)function.insertArgument(index, parameter.getType(), build.getDictionaryAttr({name}),
                                    op->getLoc());
      value = function.getArgument(index);
    } else {
      build.setInsertionPoint(op);
      value = ConstantOp::create(build, op->getLoc(),
                                 cast<RankedTensorType>(op->getResult(0).getType()), 1.0);
    }
    op->replaceAllUsesWith(ValueRange(value));
    op->erase();
  }
}

LogicalResult TestEvaluation::addFunction(StringRef name, const sema::Graph &graph,
                                          const std::string &site) {
  build.setInsertionPointToEnd(module->getBody());
  auto function =
      func::FuncOp::create(build, places.of(test.span), name, build.getFunctionType({}, {}));
  lower::GraphLowering lowering(build, places, {}, site);
  if (failed(lowering.lower(graph, function.getBody()))) return failure();
  Operation *yield = function.getBody().front().getTerminator();
  build.setInsertionPoint(yield);
  func::ReturnOp::create(build, yield->getLoc(), yield->getOperands());
  function.setFunctionType(build.getFunctionType({}, yield->getOperandTypes()));
  yield->erase();
  fixLeaves(function);
  return success();
}

LogicalResult TestEvaluation::makeFunctions() {
  for (const sema::Parameter &parameter : test.parameters)
    if (failed(addFunction("init." + parameter.path, parameter.init, parameter.path)))
      return failure();
  if (failed(addFunction("test", test.graph, "test " + test.title))) return failure();
  PassManager passes(build.getContext());
  passes.addNestedPass<func::FuncOp>(expand::createElideStopGradientsPass());
  simplify::buildPipeline(passes);
  pin::buildPipeline(passes);
  return passes.run(*module);
}

Expected<std::vector<Tensor>>
TestEvaluation::interpretFunction(StringRef name, const std::map<std::string, Tensor> &known) {
  auto function = module->lookupSymbol<func::FuncOp>(name);
  std::vector<Tensor> arguments;
  for (unsigned index = 0; index < function.getNumArguments(); ++index)
    arguments.push_back(known.at(reference::argumentName(function, index)));
  return reference::interpret(function, arguments, reference::Mode::F32);
}

Expected<std::map<std::string, Tensor>> TestEvaluation::run() {
  std::string errors;
  ScopedDiagnosticHandler handler(build.getContext(), [&](mlir::Diagnostic &diagnostic) {
    if (errors.empty()) errors = diagnostic.str();
    return success();
  });
  if (failed(makeFunctions())) return unsupported(errors);
  if (std::string reason = whyTooMuchWork(*module, test, sources, diagnostics); !reason.empty())
    return unsupported(reason);
  std::map<std::string, Tensor> parameters, results;
  for (const sema::Parameter &parameter : test.parameters) {
    auto value = interpretFunction("init." + parameter.path, {});
    if (!value) return value.status();
    parameters[parameter.path] = std::move((*value)[0]);
  }
  auto values = interpretFunction("test", parameters);
  if (!values) return values.status();
  for (size_t i = 0; i < values->size(); ++i)
    results[test.graph.results[i].first] = std::move((*values)[i]);
  return results;
}

Expected<std::map<std::string, Tensor>> evaluateTest(const sema::TypedTest &test,
                                                     MLIRContext &context,
                                                     const SourceManager &sources,
                                                     DiagnosticEngine &diagnostics) {
  return TestEvaluation(test, context, sources, diagnostics).run();
}

} // namespace dlm
