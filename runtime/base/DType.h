// Element types of arrays in memory and in files. The first five are those of plans and have the
// same numbers there (checked in runtime/abi); the rest occur in files only.
#pragma once

#include <cstdint>
#include <string>

namespace dlm {

enum class DType : uint8_t { Bool, U8, I32, I64, F32, F64, BF16, F16 };

/// Bytes of one element.
constexpr uint64_t elementSizeBytes(DType dtype) {
  switch (dtype) {
  case DType::Bool:
  case DType::U8:
    return 1;
  case DType::BF16:
  case DType::F16:
    return 2;
  case DType::I32:
  case DType::F32:
    return 4;
  case DType::I64:
  case DType::F64:
    return 8;
  }
  return 0;
}

/// The name used in safetensors files and in messages: BOOL U8 I32 I64 F32 F64 BF16 F16.
const char *dtypeName(DType dtype);

/// The inverse of `dtypeName`; false for an unknown name.
bool dtypeFromName(const std::string &name, DType &dtype);

} // namespace dlm
