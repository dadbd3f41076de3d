// Kernels as a shared object, and the executable that carries it.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace dlm {

using Bytes = std::vector<char>;

/// Links objects into a shared object that needs nothing: no libc, no start files. Runs the program
/// `ld.lld-22` (or `ld.lld`), from beside this program, the PATH or LLVM's folder; fails, naming
/// it, if it is missing, and if a symbol is left undefined.
llvm::Expected<Bytes> linkKernels(llvm::ArrayRef<Bytes> objects);

constexpr char PlanSection[] = ".dlm.plan";
/// Code for the processor; only in programs for it.
constexpr char KernelsSection[] = ".dlm.kernels";
/// Code for a device; the rest of the name says in which form (`sm_80`, `ptx`, `emulator`).
constexpr char DeviceSectionPrefix[] = ".dlm.device.";

/// What the runner compares the others with at its start: a line `NAME CRC32` for each, in
/// hexadecimal, so that damage is found before anything runs.
constexpr char SumsSection[] = ".dlm.sums";

/// A section to be added; the bytes are the caller's.
struct Section {
  std::string name;
  llvm::ArrayRef<char> bytes;
};

/// The runner with more sections, which `strip` keeps, and the sums of these.
llvm::Expected<Bytes> addSections(llvm::ArrayRef<char> runner, llvm::ArrayRef<Section> sections);

/// The contents of a section of an ELF file, for tests; fails if there is none.
llvm::Expected<Bytes> readSection(llvm::ArrayRef<char> file, llvm::StringRef name);

} // namespace dlm
