// Faults to plant in device code that is right: each changes one thing in a module, as a slip in
// the compiler would.
#pragma once

#include "llvm/IR/Module.h"

#include <string>

/// Removes the kernel's `number`-th barrier.
void removeBarrier(llvm::Module &module, const std::string &kernel, unsigned number);

/// Puts the kernel's `number`-th barrier under a condition that holds for the threads below
/// `bound`.
void guardBarrier(llvm::Module &module, const std::string &kernel, unsigned number, unsigned bound);

/// Removes the kernel's `number`-th store to shared memory.
void removeSharedStore(llvm::Module &module, const std::string &kernel, unsigned number);

/// Clears `bits` of the last index of the address of the `number`-th store to shared memory: some
/// threads share a place.
void mergeSharedStore(llvm::Module &module, const std::string &kernel, unsigned number,
                      uint64_t bits);

/// Makes the kernel's `number`-th comparison of the given kind take in equality.
void loosenBound(llvm::Module &module, const std::string &kernel, unsigned number);

/// Gives every shared variable this alignment; the instructions keep theirs.
void lowerSharedAlignment(llvm::Module &module, uint64_t alignment);
