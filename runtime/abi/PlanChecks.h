// The three parts of plan verification; each relies on the ones before it having passed.
#pragma once

#include "runtime/abi/PlanTargets.h"
#include "runtime/base/Status.h"

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace dlm {

/// Arenas, buffers, kernels, state, options: ids, sizes, overlaps of what lives for ever.
Status verifyTables(const plan::Plan &plan);

/// The recipe agrees with the tables and the programs it needs.
Status verifyRecipe(const plan::Plan &plan);

/// The buffers of which each thread has its own, and the programs that make samples over them.
Status verifySamples(const plan::Plan &plan);
/// The buffers of the fields that samples are made of.
std::vector<uint32_t> planSampleFields(const plan::Plan &plan);
/// Those that a program has to make: all, or for predictions what `predict` reads.
std::vector<uint32_t> planSampleOutputs(const plan::Plan &plan, const plan::Program &program);

/// The instructions: first their form, then their meaning by walking every program with its loops.
Status verifyPrograms(const plan::Plan &plan);

/// The most scratch memory a kernel or a stage may ask for.
constexpr uint64_t ScratchBytesMax = uint64_t(1) << 32;

/// Of a plan for a device: the target, functions and arenas; each stage of an instruction.
Status verifyDeviceTables(const plan::Plan &plan);
Status checkStages(const plan::Plan &plan,
                   const flatbuffers::Vector<flatbuffers::Offset<plan::Stage>> *stages);

/// Bytes of one element of a plan's type.
uint64_t planElementBytes(plan::DType dtype);

/// Product of `shape` and the element size; false if negative or too large.
bool planSizeBytes(const flatbuffers::Vector<int64_t> *shape, plan::DType dtype,
                   uint64_t &sizeBytes);

/// The name of a buffer in messages: "`NAME`" or "buffer 7".
std::string planBufferText(const plan::Plan &plan, uint32_t buffer);

/// " (FILE:LINE, LAYER)", or nothing if the plan has no such location.
std::string planLocationText(const plan::Plan &plan, uint32_t location);

/// A text that may be missing.
inline std::string planText(const flatbuffers::String *text) {
  return text ? text->str() : std::string();
}

/// The length of a list that may be missing.
template <class Vector> uint32_t planLength(const Vector *list) { return list ? list->size() : 0; }

/// Whether the elements of a list stand where the processor wants them; the FlatBuffers verifier
/// does not look at that.
template <class T> bool planAligned(const flatbuffers::Vector<T> *list) {
  using Element = std::remove_const_t<std::remove_pointer_t<T>>;
  return !list || reinterpret_cast<uintptr_t>(list->Data()) % alignof(Element) == 0;
}

} // namespace dlm
