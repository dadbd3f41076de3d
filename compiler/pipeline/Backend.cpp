// fuse, place, and codegen for the processor: the order.
#include "compiler/pipeline/Backend.h"

#include "compiler/codegen/cpu/CpuCodegen.h"
#include "compiler/codegen/link/KernelLinker.h"
#include "compiler/codegen/plan/PlanEncoder.h"
#include "compiler/conversion/KernelToLLVM/KernelToLLVM.h"
#include "compiler/pipeline/DeviceBackend.h"
#include "compiler/transforms/fuse/Passes.h"
#include "compiler/transforms/place/Passes.h"
#include "dialects/dlm/Dlm.h"
#include "dialects/kernel/Kernel.h"
#include "dialects/plan/Plan.h"
#include "runtime/abi/PlanVerify.h"

#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/Func/IR/FuncOps.h>
#include <mlir/Dialect/Math/IR/Math.h>
#include <mlir/IR/Diagnostics.h>

#include <llvm/ADT/StringSet.h>

using namespace mlir;

namespace dlm {

Expected<std::string> resolveCpuLevel(const std::string &cpu) {
  if (cpu != "native") return cpu;
  if (__builtin_cpu_supports("x86-64-v4")) return std::string("x86-64-v4");
  if (__builtin_cpu_supports("x86-64-v3")) return std::string("x86-64-v3");
  return unsupported("this machine's processor is older than x86-64-v3 (AVX2), for which kernels "
                     "are made");
}

void loadBackendDialects(MLIRContext &context) {
  context.loadDialect<arith::ArithDialect, func::FuncDialect, math::MathDialect, DlmDialect,
                      kernel::KernelDialect, ::plan::PlanDialect>();
}

Status phaseError(llvm::Error error, const std::string &phase) {
  return internalError("internal error in phase '" + phase +
                       "': " + llvm::toString(std::move(error)));
}

Expected<std::vector<uint8_t>> makePlan(ModuleOp module, const PlanOrigin &origin) {
  std::vector<uint8_t> bytes = encodePlan(module, origin);
  if (bytes.empty())
    return internalError("internal error in phase 'place': the plan cannot be encoded");
  if (Expected<const plan::Plan *> plan = loadPlan(bytes.data(), bytes.size()); !plan)
    return internalError("internal error in phase 'place': " + plan.status().message());
  return bytes;
}

bool hasThreadPrograms(ModuleOp module) {
  return llvm::any_of(module.getOps<::plan::ProgramOp>(),
                      [](::plan::ProgramOp program) { return program.getPerThread(); });
}

/// Takes away the kernels that only a device runs.
static void keepThreadKernels(ModuleOp module, ModuleOp code) {
  llvm::StringSet<> launched;
  for (auto program : module.getOps<::plan::ProgramOp>())
    if (program.getPerThread())
      program.walk([&](::plan::LaunchOp launch) { launched.insert(launch.getKernel()); });
  for (auto function : llvm::make_early_inc_range(code.getOps<kernel::FuncOp>()))
    if (!launched.contains(function.getSymName())) function.erase();
}

Status makeKernels(ModuleOp module, const BackendOptions &options, const std::string &cpu,
                   std::vector<char> &kernels, std::string &text) {
  OwningOpRef<ModuleOp> code = kernel::extractKernels(module);
  if (options.target != Target::Cpu) keepThreadKernels(module, *code);
  if (failed(kernel::convertKernelsToLLVM(*code, {options.vectorWidth})))
    return internalError("internal error in phase 'codegen': a kernel does not lower");
  if (options.stopAfter == "llvm") {
    text = printModule(*code);
    return Status::ok();
  }
  llvm::Expected<std::vector<char>> object = emitObject(*code, {cpu});
  if (!object) return phaseError(object.takeError(), "codegen");
  llvm::Expected<Bytes> shared = linkKernels({std::move(*object)});
  if (!shared) return phaseError(shared.takeError(), "codegen");
  kernels = std::move(*shared);
  return Status::ok();
}

/// Plan and kernels for the processor.
static Status finishForCpu(ModuleOp module, const BackendOptions &options, Phases &phases,
                           CompiledProgram &program, std::string &text) {
  Expected<std::string> cpu = resolveCpuLevel(options.cpu);
  if (!cpu) return cpu.status();
  Expected<std::vector<uint8_t>> plan =
      makePlan(module, {options.build, "cpu", *cpu, options.sourceHash, options.sources});
  if (!plan) return plan.status();
  program.plan = plan.take();
  auto kernels = [&] { return makeKernels(module, options, *cpu, program.kernels, text); };
  return phases.run("codegen", "txt", kernels, [&] {
    return "plan: " + std::to_string(program.plan.size()) +
           " bytes\nkernels: " + std::to_string(program.kernels.size()) + " bytes\n";
  });
}

Expected<CompiledProgram> runBackend(ModuleOp module, const BackendOptions &options, Phases &phases,
                                     std::string &text) {
  CompiledProgram program;
  auto stops = [&](const std::string &phase) {
    if (options.stopAfter != phase) return false;
    text = printModule(module);
    return true;
  };
  DLM_TRY(phases.runPasses("fuse", module, fuse::buildPipeline));
  if (stops("fuse")) return program;
  DLM_TRY(phases.runPasses("place", module, place::buildPipeline));
  if (stops("place")) return program;
  auto finish = options.target == Target::Cuda ? finishForCuda : finishForCpu;
  DLM_TRY(finish(module, options, phases, program, text));
  return program;
}

} // namespace dlm
