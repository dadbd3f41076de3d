// A function of `data.fit` is a program without a batch: its axis of samples has the size of the
// training data. Sums over it have the trees that NUMERICS.md gives to any sum.
#include "compiler/fit/FitProgram.h"

#include "compiler/lower/GraphLowering.h"
#include "compiler/lower/Lower.h"
#include "compiler/transforms/expand/Passes.h"
#include "compiler/transforms/expand/Program.h"
#include "compiler/transforms/pin/Passes.h"
#include "compiler/transforms/simplify/Passes.h"
#include "dialects/dlm/Dlm.h"
#include "dialects/train/Train.h"
#include "runtime/abi/PlanVerify.h"

#include <mlir/IR/Diagnostics.h>
#include <mlir/Pass/PassManager.h>

using namespace mlir;

namespace dlm::fit {

namespace {

/// Makes the module of all fits.
class FitModule {
public:
  FitModule(const sema::TypedProgram &program, MLIRContext &context, const SourceManager &sources)
      : build(&context), places(context, sources, program.layers), seed(program.settings.seed),
        module(ModuleOp::create(UnknownLoc::get(&context))) {}

  LogicalResult add(const Fit &fit);
  void fixSeed(func::FuncOp function);
  LogicalResult pin();
  ModuleOp get() { return *module; }

private:
  OpBuilder build;
  lower::Places places;
  uint64_t seed;
  OwningOpRef<ModuleOp> module;
};

LogicalResult FitModule::add(const Fit &fit) {
  build.setInsertionPointToEnd(module->getBody());
  auto function = func::FuncOp::create(build, places.of(fit.span), fit.program(),
                                       build.getFunctionType({}, {}));
  function->setAttr("dlm.program", build.getStringAttr(fit.program()));
  function->setAttr("dlm.rows", build.getI64IntegerAttr(0));
  lower::GraphLowering lowering(build, places, {}, "fit." + fit.path);
  if (failed(lowering.lower(*fit.graph, function.getBody()))) return failure();
  Operation *yield = function.getBody().front().getTerminator();
  Value value = yield->getOperand(0);
  build.setInsertionPoint(yield);
  func::ReturnOp::create(build, yield->getLoc());
  yield->erase();
  expand::Program program(function);
  for (auto input : llvm::make_early_inc_range(program.body().getOps<train::InputOp>())) {
    Value read = program.argument(placeOf(input.getName().str(), fit.columns > 0), input.getType());
    if (value == input.getResult()) value = read;
    input.replaceAllUsesWith(read);
    input.erase();
  }
  fixSeed(function);
  program.setResults({{fit.result(), value}});
  return success();
}

/// What is drawn follows from the seed that the program states: that of a run is not known yet.
void FitModule::fixSeed(func::FuncOp function) {
  for (auto leaf : llvm::make_early_inc_range(function.getOps<train::AmbientOp>())) {
    build.setInsertionPoint(leaf);
    auto type = cast<RankedTensorType>(leaf.getType());
    auto number = DenseElementsAttr::get(type, APInt(64, seed));
    leaf.replaceAllUsesWith(ConstantOp::create(build, leaf.getLoc(), number).getResult());
    leaf.erase();
  }
}

LogicalResult FitModule::pin() {
  PassManager passes(build.getContext());
  passes.addNestedPass<func::FuncOp>(expand::createElideStopGradientsPass());
  simplify::buildPipeline(passes);
  pin::buildPipeline(passes);
  return passes.run(*module);
}

} // namespace

std::string placeOf(const std::string &field, bool isColumn) {
  return (isColumn ? "column." : "samples.") + field;
}

Expected<std::unique_ptr<FitProgram>> FitProgram::compile(const std::vector<Fit> &fits,
                                                          const sema::TypedProgram &program,
                                                          const SourceManager &sources) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  lower::loadDialects(context);
  loadBackendDialects(context);
  std::string errors;
  ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
    llvm::raw_string_ostream(errors)
        << "\n  " << diagnostic.getLocation() << ": " << diagnostic.str();
    return success();
  });
  FitModule module(program, context, sources);
  LogicalResult isMade = success();
  for (const Fit &fit : fits)
    if (succeeded(isMade)) isMade = module.add(fit);
  if (failed(isMade) || failed(module.pin()))
    return internalError("internal error in phase 'fit':" + errors);
  Phases phases({});
  std::string text;
  Expected<CompiledProgram> compiled = runBackend(module.get(), {}, phases, text);
  if (!compiled) return compiled.status();
  std::unique_ptr<FitProgram> result(new FitProgram());
  result->compiled = compiled.take();
  const std::vector<uint8_t> &bytes = result->compiled.plan;
  Expected<const plan::Plan *> plan = loadPlan(bytes.data(), bytes.size());
  if (!plan) return plan.status();
  result->plan = *plan;
  return result;
}

uint64_t FitProgram::memoryBytes() const {
  uint64_t total = 0;
  for (const plan::Arena *arena : *plan->arenas())
    total += arena->size_bytes();
  return total;
}

Status FitProgram::open() {
  auto *code = reinterpret_cast<const uint8_t *>(compiled.kernels.data());
  Expected<std::unique_ptr<KernelLibrary>> library =
      openKernelLibrary(code, compiled.kernels.size());
  if (!library) return library.status();
  kernels = library.take();
  Expected<std::unique_ptr<Executor>> opened = Executor::open(*plan, *kernels);
  if (!opened) return opened.status();
  executor = opened.take();
  return Status::ok();
}

} // namespace dlm::fit
