// The table of the kinds of data: a new one adds a line here and a file beside IdxSource.
#include "runtime/data/Dataset.h"
#include "runtime/data/IdxSource.h"
#include "runtime/data/ImageSource.h"
#include "runtime/data/JsonSource.h"
#include "runtime/data/NpySource.h"
#include "runtime/data/TableSource.h"
#include "runtime/data/WindowSource.h"

namespace dlm {

namespace {

struct SourceKind {
  const char *name;
  Expected<std::unique_ptr<DataSource>> (*make)(const DataSpec &spec);
};

constexpr SourceKind SourceKinds[] = {{"csv", makeTableSource},    {"idx", makeIdxSource},
                                      {"images", makeImageSource}, {"jsonl", makeJsonSource},
                                      {"npy", makeNpySource},      {"text", makeTextSource},
                                      {"tokens", makeTokensSource}};

} // namespace

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

Expected<std::unique_ptr<DataSource>> openDataSource(const DataSpec &spec) {
  for (const SourceKind &kind : SourceKinds) {
    if (spec.kind == kind.name) return kind.make(spec);
  }
  return Status::error(Code::Unsupported, "data `" + spec.name + "` is of kind `" + spec.kind +
                                              "`, which this build cannot read");
}

} // namespace dlm
