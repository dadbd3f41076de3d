// Where predictions go: standard output, or a file that takes its name when it is whole.
#pragma once

#include "runtime/base/FreshFile.h"
#include "runtime/launch/CommandLine.h"
#include "runtime/launch/PredictionText.h"

#include <optional>
#include <string>
#include <vector>

namespace dlm {

class PredictionFile {
public:
  PredictionFile(const CommandLine &line, std::FILE *out) : line(line), out(out) {}
  ~PredictionFile();
  PredictionFile(const PredictionFile &) = delete;
  PredictionFile &operator=(const PredictionFile &) = delete;

  /// By the ending of `--to`, or by `--json`. What lies at a path of `data` is not written to.
  Status open(const std::vector<std::string> &data);

  /// Keeps what is for standard output until the end: of samples that are read one by one, any may
  /// be broken, and a result is whole or not there.
  Status collect();

  /// A failure if something that was written did not go; `Interrupted` if nobody wants the rest.
  Status check() const;

  /// Everything has been written.
  Status close();

  /// Whether who read standard output went away.
  bool isUnwanted() const;

  std::FILE *stream() const { return fresh ? fresh->stream() : collected ? collected : out; }
  PredictionForm form() const { return theForm; }

private:
  const CommandLine &line;
  std::FILE *out, *collected = nullptr;
  std::optional<FreshFile> fresh; // of `--to`
  PredictionForm theForm = PredictionForm::Csv;
};

} // namespace dlm
