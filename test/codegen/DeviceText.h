// Device code written by hand in the forms that the compiler makes: what tests of code generation
// start from when no conversion should stand in between.
#pragma once

#include "compiler/codegen/cuda/CudaCodegen.h"

#include <string>

namespace test {

/// A kernel of 256 threads over f32 with `%in` and `%out` aligned to 16 bytes, `%i` the global
/// index of the thread (i64) and the body given.
std::string makeKernelText(const std::string &body, const std::string &declared = "");

/// Four neighbours a thread by four single accesses: 16-byte accesses if the alignment is used.
extern const char FourNeighboursText[];

/// A row of 128 values a warp: the tree of sums by shuffles, broadcast, divided, square root.
extern const char RowText[];

/// A block's sum through shared memory with barriers.
extern const char SharedText[];

/// Parses, lowers, translates, optimises.
llvm::Expected<std::unique_ptr<llvm::Module>> makeDevice(const std::string &text,
                                                         llvm::LLVMContext &context);

/// The same on to PTX.
llvm::Expected<std::string> makePTX(const std::string &text);

} // namespace test
