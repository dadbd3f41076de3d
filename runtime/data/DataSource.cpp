// The table of the kinds of data: a new one adds a line here and a file beside IdxSource.
#include "runtime/data/Dataset.h"
#include "runtime/data/IdxSource.h"
#include "runtime/data/ImageSource.h"
#include "runtime/data/JsonSource.h"
#include "runtime/data/MixedSource.h"
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

Expected<std::unique_ptr<DataSource>> openDataSource(const DataSpec &spec) {
  if (spec.arePartsMixed) return makeMixedSource(spec, openDataSource);
  for (const SourceKind &kind : SourceKinds) {
    if (spec.kind == kind.name) return kind.make(spec);
  }
  return Status::error(Code::Unsupported, "data `" + spec.name + "` is of kind `" + spec.kind +
                                              "`, which this build cannot read");
}

} // namespace dlm
