// gpu, plan, nvvm, ptx, assemble, emulate: the order; and the processor's code for samples. The
// device code is optimised once; PTX, cubins and the emulator's image are made of the same module.
#include "compiler/pipeline/DeviceBackend.h"

#include "compiler/codegen/cuda/CudaCodegen.h"
#include "compiler/codegen/emulate/EmulatedImage.h"
#include "compiler/codegen/link/KernelLinker.h"
#include "compiler/conversion/KernelToGPU/KernelToGPU.h"

#include <llvm/Support/raw_ostream.h>

using namespace mlir;

namespace dlm {

namespace {

/// The processors beside GPUs: the machine at hand need not be where the program runs.
constexpr const char *HostLevel = "x86-64-v3";

/// One compilation's device code, from form to form.
class DeviceBackend {
public:
  DeviceBackend(ModuleOp module, const BackendOptions &options, Phases &phases,
                CompiledProgram &program, std::string &text)
      : module(module), options(options), phases(phases), program(program), text(text) {}

  Status run();

private:
  LogicalResult convert();
  Status encode();
  LogicalResult lower();
  Status emit();
  Status makeCubins();
  Status assemble();
  Status emulate();
  bool stopsAt(const std::string &phase) const { return options.stopAfter == phase; }
  std::string deviceText() const;
  std::string resourceText() const;

  ModuleOp module;
  const BackendOptions &options;
  Phases &phases;
  CompiledProgram &program;
  std::string &text;
  llvm::LLVMContext context;
  OwningOpRef<ModuleOp> code;
  std::unique_ptr<llvm::Module> device;
  std::string ptx;
  std::vector<Cubin> cubins;
  std::string hostLevel; // of the processor; empty if it makes nothing
};

} // namespace

LogicalResult DeviceBackend::convert() {
  code = kernel::convertKernelsToGPU(module);
  return success(bool(code));
}

Status DeviceBackend::encode() {
  if (hasThreadPrograms(module)) hostLevel = HostLevel;
  Expected<std::vector<uint8_t>> plan =
      makePlan(module, {options.build, "cuda", hostLevel, options.sourceHash, options.sources});
  if (!plan) return plan.status();
  program.plan = plan.take();
  return Status::ok();
}

/// What went wrong has been reported.
LogicalResult DeviceBackend::lower() {
  llvm::Error error = lowerToNVVM(*code);
  bool isOk = !error;
  llvm::consumeError(std::move(error));
  return success(isOk);
}

Status DeviceBackend::emit() {
  auto made = makeDeviceModule(*code, context);
  if (!made) return phaseError(made.takeError(), "ptx");
  device = std::move(*made);
  llvm::Expected<std::string> emitted = emitPTX(*device);
  if (!emitted) return phaseError(emitted.takeError(), "ptx");
  ptx = std::move(*emitted);
  return Status::ok();
}

/// Without the assembler this fails only if nothing else could run.
Status DeviceBackend::makeCubins() {
  if (llvm::Expected<std::string> assembler = findAssembler(); !assembler) {
    std::string reason = llvm::toString(assembler.takeError());
    if (options.emulation == Emulation::None) return unsupported(reason);
    program.notes.push_back(reason +
                            ". Without it the program carries PTX and the emulator's code only");
    return Status::ok();
  }
  auto assembled = assembleAll(ptx, options.architectures.empty() ? DefaultArchitectures
                                                                  : options.architectures);
  if (!assembled) return unsupported(llvm::toString(assembled.takeError()));
  cubins = std::move(*assembled);
  return Status::ok();
}

Status DeviceBackend::assemble() {
  if (options.assembles) DLM_TRY(makeCubins());
  for (const Cubin &cubin : cubins)
    program.images.push_back({cubin.architecture, cubin.bytes});
  CodeImage &image = program.images.emplace_back();
  image.name = "ptx";
  image.bytes.assign(ptx.c_str(),
                     ptx.c_str() + ptx.size() + 1); // the driver wants a zero at the end
  return Status::ok();
}

Status DeviceBackend::emulate() {
  llvm::Expected<std::vector<char>> object =
      emitEmulatedObject(*device, {options.emulation == Emulation::Checked});
  if (!object) return phaseError(object.takeError(), "emulate");
  llvm::Expected<Bytes> shared = linkKernels({std::move(*object)});
  if (!shared) return phaseError(shared.takeError(), "emulate");
  program.images.push_back({"emulator", std::move(*shared)});
  return Status::ok();
}

std::string DeviceBackend::deviceText() const {
  std::string result;
  llvm::raw_string_ostream(result) << *device;
  return result;
}

/// What the assembler says of every function, a line each.
std::string DeviceBackend::resourceText() const {
  std::string result;
  for (const Cubin &cubin : cubins)
    for (const DeviceResources &line : cubin.resources)
      result += line.architecture + " " + line.function + ": " + std::to_string(line.registers) +
                " registers, " + std::to_string(line.sharedBytes) + " bytes shared, " +
                std::to_string(line.stackBytes) + " stack, " + std::to_string(line.spillBytes) +
                " spilled\n";
  return result;
}

Status DeviceBackend::run() {
  auto codeText = [&] { return printModule(*code); };
  DLM_TRY(phases.runOn(
      module, "gpu", "dlm-convert-kernel-to-gpu", [&] { return convert(); }, codeText));
  if (stopsAt("gpu")) {
    text = codeText();
    return Status::ok();
  }
  DLM_TRY(phases.run(
      "plan", "txt", [&] { return encode(); },
      [&] { return "plan: " + std::to_string(program.plan.size()) + " bytes\n"; }));
  DLM_TRY(phases.runOn(*code, "nvvm", "dlm-lower-to-nvvm", [&] { return lower(); }, codeText));
  if (stopsAt("nvvm")) {
    text = codeText();
    return Status::ok();
  }
  DLM_TRY(phases.run("ptx", "ptx", [&] { return emit(); }, [&] { return ptx; }));
  if (stopsAt("llvm") || stopsAt("ptx")) {
    text = stopsAt("ptx") ? ptx : deviceText();
    return Status::ok();
  }
  DLM_TRY(
      phases.run("assemble", "txt", [&] { return assemble(); }, [&] { return resourceText(); }));
  if (!hostLevel.empty())
    DLM_TRY(phases.run(
        "codegen", "txt",
        [&] { return makeKernels(module, options, hostLevel, program.kernels, text); },
        [&] { return "kernels: " + std::to_string(program.kernels.size()) + " bytes\n"; }));
  if (options.emulation == Emulation::None) return Status::ok();
  return phases.run(
      "emulate", "txt", [&] { return emulate(); },
      [&] {
        return "emulator: " + std::to_string(program.images.back().bytes.size()) + " bytes\n";
      });
}

Status finishForCuda(ModuleOp module, const BackendOptions &options, Phases &phases,
                     CompiledProgram &program, std::string &text) {
  return DeviceBackend(module, options, phases, program, text).run();
}

} // namespace dlm
