// A device kernel on its way to a function of the host: `run(thread, params)` with the kernel's
// body, in which the parts of this folder replace what only a GPU has.
#pragma once

#include "runtime/abi/EmulatedKernel.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

#include <map>
#include <string>
#include <vector>

namespace dlm::emulate {

/// A `DlmEmuSite` before it is written.
struct Site {
  DlmEmuSiteKind kind;
  uint8_t space = 0;
  uint32_t alignment = 0;
  std::string text;
};

/// A `DlmEmuShared` before it is written.
struct SharedVariable {
  std::string name;
  uint32_t offset = 0, sizeBytes = 0, alignment = 1;
};

class HostKernel {
public:
  /// Adds the host function to the kernel's module; the kernel stays. Numbers of sites go on from
  /// those in `sites`.
  HostKernel(llvm::Function &kernel, std::vector<Site> &sites);

  llvm::Function &function() { return *run; }
  const std::string &name() const { return kernelName; }
  llvm::Module &module() { return *run->getParent(); }
  /// The instructions that came from the device, in order.
  const std::vector<llvm::Instruction *> &deviceCode() const { return code; }

  /// A field of the thread that does not change while it runs: loaded once, at the entry.
  llvm::Value *getField(size_t offset, llvm::Type *type);
  /// Calls a member of the thread's `DlmEmuApi`, given by its offset, with the thread in front of
  /// the arguments.
  llvm::CallInst *callApi(llvm::IRBuilder<> &builder, size_t member, llvm::Type *result,
                          llvm::ArrayRef<llvm::Value *> arguments);
  /// The number of a new site, as an argument; `what` is its text.
  llvm::Value *addSite(DlmEmuSiteKind kind, const std::string &what, uint8_t space = 0,
                       uint32_t alignment = 0);
  /// "kernel 'name': " and the fault.
  llvm::Error makeError(const llvm::Twine &fault) const;

  /// Makes what is loaded at the entry and the body's first block one: allocas have to stand in the
  /// entry block. Comes last.
  void joinEntry();

  // What the table says of the kernel.
  std::vector<uint32_t> paramBytes;
  std::vector<SharedVariable> shared;
  uint32_t sharedBytes = 0;
  uint32_t threadsMax = 0;
  bool isCooperative = false;

private:
  llvm::Value *loadAtEntry(llvm::Value *base, size_t offset, llvm::Type *type);

  std::string kernelName;
  llvm::Function *run;
  llvm::BranchInst *entryEnd; // what is loaded at the entry stands before it
  std::vector<llvm::Instruction *> code;
  std::map<std::pair<llvm::Value *, size_t>, llvm::Value *> loaded;
  std::vector<Site> &sites;
};

} // namespace dlm::emulate
