// What a description of data says of itself.
#include "runtime/data/Dataset.h"

namespace dlm {

int64_t FieldSpec::elementCount() const {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  return count;
}

const char *splitName(Split split) {
  switch (split) {
  case Split::Train:
    return "train";
  case Split::Validation:
    return "validation";
  case Split::Test:
    return "test";
  }
  return "unknown";
}

const std::string &DataSpec::pathOf(Split split) const {
  if (split == Split::Validation && !validationPath.empty()) return validationPath;
  return split == Split::Test && !testPath.empty() ? testPath : path;
}

bool DataSpec::endsFile(Split split) const {
  for (int later = int(split) + 1; later < SplitCount; ++later)
    if (counts[later] > 0 && pathOf(Split(later)) == pathOf(split)) return false;
  return true;
}

} // namespace dlm
