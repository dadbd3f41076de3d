// What stands in front of the numbers of a .npy file (NumPy's format, versions 1 to 3): type of
// element, order of the axes, sizes.
#pragma once

#include "runtime/base/DType.h"
#include "runtime/data/formats/ByteReader.h"

#include <vector>

namespace dlm {

/// Types of elements in files, least byte first.
enum class NpyType { Bool, I8, U8, I16, U16, I32, U32, I64, F16, F32, F64 };

uint64_t npyElementBytes(NpyType type);

/// The type such elements have in a program: what is narrower than i32 becomes i32, and so do
/// unsigned numbers but u8; real numbers become f32.
DType dtypeOfNpy(NpyType type);

struct NpyHeader {
  NpyType type = NpyType::F32;
  std::vector<int64_t> shape; // at least one size, all at least 1; the first may be 0, if allowed

  int64_t elementCount() const;
};

/// Reads it, and checks that as many elements follow as it says. `mayBeEmpty`: an array of no
/// samples is one.
Expected<NpyHeader> readNpyHeader(ByteReader &reader, const std::atomic<bool> *cancel,
                                  bool mayBeEmpty = false);

} // namespace dlm
