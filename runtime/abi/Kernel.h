// The calling convention of generated kernels. The compiler emits functions of type `DlmKernel`;
// the executor calls them. Nothing else is shared between generated code and the runtime.
#pragma once

#include <cstdint>

extern "C" {

/// What a kernel may know of its surroundings.
struct DlmCtx {
  uint32_t abi;    // DlmAbiVersion
  uint32_t worker; // index of the calling worker
  int64_t extent;  // the run-time outermost extent of the kernel's space, also where it is reduced
  void *scratch;   // Kernel.scratch_bytes of the worker's own memory, 64-byte aligned
};

/// Runs the work items [begin, end). Items are independent: any split gives the same bits.
/// `buffers` holds one pointer per argument, in the order of the launch.
typedef void (*DlmKernel)(const DlmCtx *ctx, void *const *buffers, int64_t begin, int64_t end);
}

namespace dlm {

/// Raised whenever the plan schema, `DlmCtx` or a numeric format changes.
constexpr uint32_t DlmAbiVersion = 5;

/// Elements in a chunk of a flat buffer; parameter segments start at multiples of it.
constexpr int64_t SegmentChunk = 2048;

} // namespace dlm
