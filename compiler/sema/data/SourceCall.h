// One call of a source's function, while its `DataSource` is put together in steps: what its files
// hold (they are read, or described), what the call says about it, and the fields that follow.
#pragma once

#include "compiler/sema/builtins/Builtin.h"
#include "compiler/sema/data/DataSchema.h"
#include "runtime/base/Status.h"

namespace dlm::sema {

class Evaluator;

class SourceCall {
public:
  SourceCall(Evaluator &evaluator, const BuiltinCall &call);

  /// The argument of a parameter; null if it was left out.
  const Operand *argument(const std::string &name) const;

  /// The argument `window`; nothing if it is reported.
  std::optional<int64_t> window() const;

  /// Adds fields `i32[window]`; false if the window is reported.
  bool addWindows(const std::vector<std::string> &fields, DataSource &source);

  /// An image whose sides are open, up to `max_side`, or to `sideMax` if that is less.
  TensorType image(DataSource &source, bool hasChannels, int64_t sideMax = INT64_MAX);

  /// Reports what the description does not say; gives false.
  bool lacks(const std::string &what);

  /// Whether a field of the files can be called so in a program; false if reported.
  bool isFieldName(const std::string &name);

  /// Reports what is wrong with a file; gives false.
  bool fails(const Status &status);

  Evaluator &evaluator;
  const BuiltinCall &call;
  DataSchema schema;       // of a source that is described
  std::string describedBy; // by this file; empty: its files are read
  std::string example;     // of a description

private:
  std::vector<std::string> names;
};

/// The steps of one kind of source; each gives false when something was reported.
struct SourceKindSteps {
  const char *name;
  const char *example; // of a description
  bool (*addFields)(SourceCall &call, DataSource &source);
  bool (*survey)(SourceCall &call, DataSource &source) = nullptr; // reads its files, if it can
  bool (*finish)(SourceCall &call, DataSource &source) = nullptr; // reads what the parts decide
  bool (*isThere)(const DataSource &source) = nullptr; // if its path is not that of one file
};

/// For sources whose fields only their files know: takes them from the description, if they have
/// not been read.
bool addDescribed(SourceCall &call, DataSource &source);
extern const char *const exampleOfFields; // of such a description

/// `data.csv`.
SourceKindSteps tableSteps();
/// `data.npy`.
SourceKindSteps arraySteps();
/// `data.jsonl`.
SourceKindSteps jsonSteps();
/// `data.images`.
SourceKindSteps imageSteps();
extern const char *const exampleOfImages; // of a description
/// `data.text` and `data.tokens`.
SourceKindSteps textSteps();
SourceKindSteps tokensSteps();

} // namespace dlm::sema
