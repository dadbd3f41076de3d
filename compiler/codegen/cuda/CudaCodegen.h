// Device code for NVIDIA GPUs: from a `gpu.module` to NVVM, to optimised LLVM IR, to PTX and
// cubins.
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>
#include <vector>

namespace dlm {

/// The architectures that device code is assembled for unless the user names others.
extern const std::vector<std::string> DefaultArchitectures; // sm_80 sm_90 sm_100

/// Fails on what is not the name of an architecture, or of one that is too old.
llvm::Error checkArchitecture(llvm::StringRef architecture);

/// What ptxas says of one function on one architecture.
struct DeviceResources {
  std::string function, architecture;
  unsigned registers = 0;
  unsigned sharedBytes = 0;
  unsigned stackBytes = 0;
  unsigned spillBytes = 0; // stores and loads
};

struct Cubin {
  std::string architecture;
  std::vector<char> bytes;
  std::vector<DeviceResources> resources;
};

/// Lowers the `gpu.module` in `module` to NVVM in place: only `llvm` and `nvvm` ops are left in it.
llvm::Error lowerToNVVM(mlir::ModuleOp module);

/// The same as a pass, to replay a failure.
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/codegen/cuda/Passes.h.inc"

/// Translates what `lowerToNVVM` left and optimises it: the IR that both the NVPTX back end and the
/// emulator take. The exit verifier has passed.
llvm::Expected<std::unique_ptr<llvm::Module>> makeDeviceModule(mlir::ModuleOp module,
                                                               llvm::LLVMContext &context);

/// PTX text for the oldest architecture supported (sm_80); newer chips take it too. Changes nothing
/// in `device` that another call could see.
llvm::Expected<std::string> emitPTX(const llvm::Module &device);

/// The assembler: $DLM_CUDA_ROOT/bin, PATH, the usual folders, the packages of `tools/setup
/// --cuda`. Fails with what to do if there is none.
llvm::Expected<std::string> findAssembler();

/// Runs ptxas. Fails with its messages.
llvm::Expected<Cubin> assemble(llvm::StringRef ptx, llvm::StringRef architecture);

/// The same for several architectures at once, in their order.
llvm::Expected<std::vector<Cubin>> assembleAll(llvm::StringRef ptx,
                                               llvm::ArrayRef<std::string> architectures);

} // namespace dlm
