// Names of element types.
#include "runtime/base/DType.h"

namespace dlm {

static const char *const DTypeNames[] = {"BOOL", "U8", "I32", "I64", "F32", "F64", "BF16", "F16"};

const char *dtypeName(DType dtype) {
  auto index = static_cast<unsigned>(dtype);
  return index < 8 ? DTypeNames[index] : "?";
}

bool dtypeFromName(const std::string &name, DType &dtype) {
  for (unsigned index = 0; index < 8; ++index) {
    if (name == DTypeNames[index]) {
      dtype = static_cast<DType>(index);
      return true;
    }
  }
  return false;
}

} // namespace dlm
