// From pinned tensor programs to bytes that run: the second half of the compiler, where no user
// error is left. Tests enter here with IR written by hand.
//
//   fuse place | codegen                               for the processor
//              | gpu plan nvvm ptx assemble emulate    for a GPU (DeviceBackend.h)
#pragma once

#include "compiler/pipeline/Phases.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace dlm {

/// What the kernels are for.
enum class Target { Cpu, Cuda };

/// Whether a program for a GPU also carries its device code as code for the processor.
enum class Emulation {
  None,
  Fast,
  Checked // every memory access is looked at
};

struct BackendOptions {
  Target target = Target::Cpu;
  /// Of a GPU: `sm_80`, ...; empty: `DefaultArchitectures`.
  std::vector<std::string> architectures;
  /// Whether to make machine code for these. If not, a GPU gets PTX alone.
  bool assembles = true;
  Emulation emulation = Emulation::None;
  /// Of kernels for the processor: `native`, or a level such as `x86-64-v3`.
  std::string cpu = "native";
  /// Lanes of a vector in kernels: 16, 32 or 64. No bit depends on it.
  int64_t vectorWidth = 32;
  /// The compiler's version, as the plan names it.
  std::string build;
  std::vector<uint8_t> sourceHash;
  std::vector<std::pair<std::string, std::string>> sources; // the user's files: path and text
  /// Stop after this phase ("fuse", "place", "llvm", for a GPU also "gpu", "nvvm", "ptx"); empty:
  /// go on to the end.
  std::string stopAfter;
};

/// Device code in one form.
struct CodeImage {
  std::string name; // `sm_80`, ..., `ptx`, `emulator`
  std::vector<char> bytes;
};

/// What an executable carries in its sections.
struct CompiledProgram {
  std::vector<uint8_t> plan;
  std::vector<char> kernels;      // for the processor
  std::vector<CodeImage> images;  // for a GPU
  std::vector<std::string> notes; // what the user should know of it
};

/// The level that `native` stands for on this machine, other names unchanged; fails if the machine
/// is older than x86-64-v3. Levels, not model names, so that a program runs on every machine of its
/// level and the runner can check.
Expected<std::string> resolveCpuLevel(const std::string &cpu);

/// Loads the dialects that the phases from `pin` on use.
void loadBackendDialects(mlir::MLIRContext &context);

/// Runs fuse, place and the phases of the target on a module of pinned programs, which it changes.
/// If it stops early, the result is empty and `text` holds the program after that phase.
Expected<CompiledProgram> runBackend(mlir::ModuleOp module, const BackendOptions &options,
                                     Phases &phases, std::string &text);

} // namespace dlm
