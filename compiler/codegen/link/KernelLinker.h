// Kernels as a shared object, and the executable that carries it.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <vector>

namespace dlm {

using Bytes = std::vector<char>;

/// Links objects into a shared object that needs nothing: no libc, no start files. Runs the program
/// `ld.lld-22` (or `ld.lld`); fails, naming it, if it is missing, and if a symbol is left
/// undefined.
llvm::Expected<Bytes> linkKernels(llvm::ArrayRef<Bytes> objects);

constexpr char PlanSection[] = ".dlm.plan";
constexpr char KernelsSection[] = ".dlm.kernels";

/// The runner with the plan and the kernels in two sections that `strip` keeps.
llvm::Expected<Bytes> addSections(llvm::ArrayRef<char> runner, llvm::ArrayRef<char> plan,
                                  llvm::ArrayRef<char> kernels);

/// The contents of a section of an ELF file, for tests; fails if there is none.
llvm::Expected<Bytes> readSection(llvm::ArrayRef<char> file, llvm::StringRef name);

} // namespace dlm
