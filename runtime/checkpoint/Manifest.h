// What a checkpoint says about itself and its run. The manifest is a text file beside the tensors,
// written last: a checkpoint is there if its manifest is, and whole if sizes and sums agree.
#pragma once

#include "runtime/data/formats/SourceFiles.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace dlm {

/// A file of the checkpoint, in the same folder.
struct ManifestFile {
  std::string name;
  uint64_t sizeBytes = 0;
  std::string xxh3;
};

/// A value of the resolved program: an option or a setting, as text, and who decided it.
struct ResolvedValue {
  std::string kind; // "option", "setting"
  std::string name;
  std::string value;
  std::string origin; // "program", "-D", "command line", "checkpoint"

  /// How messages call it.
  std::string title() const { return kind + " `" + name + "`"; }
};

/// A text that the program was compiled from.
struct SourceText {
  std::string path;
  std::string text;
};

/// What was measured last: a split's values, and the step they are of.
struct MeasuredSplit {
  int64_t step = 0;
  std::map<std::string, double> values;
};

/// What a run that compares its evaluations knows of them at a checkpoint.
struct BestMark {
  std::string metric; // of the validation data
  bool isLargest = false;
  double value = 0;
  int64_t step = -1;     // of the best; -1: none so far
  int64_t evaluated = 0; // step of the last evaluation that was compared
};

struct Manifest {
  std::string program;    // name of the train block
  std::string build;      // of the compiler
  std::string sourceHash; // of the program, hexadecimal
  std::string run;        // names the run over all its resumes
  bool isLight = false;   // parameters alone: to evaluate, not to go on from
  int64_t step = 0;
  int64_t attempt = 0;
  int64_t steps = 0;      // the duration of the run; 0 if it is given in time,
  int64_t durationMs = 0; // then this one, of each process
  double epoch = 0;
  uint64_t seed = 0;
  int64_t batch = 0;
  int64_t micro = 0;
  std::map<std::string, double> options; // run-time options
  std::vector<ResolvedValue> resolved;   // all options and settings
  std::vector<SourceText> sources;
  std::vector<DataFile> data;
  std::map<std::string, MeasuredSplit> metrics;
  std::optional<BestMark> best; // of runs with `keep_best`
  std::vector<ManifestFile> files;
};

/// The manifest as JSON. It carries a sum over itself.
std::string manifestText(const Manifest &manifest);

/// Reads what `manifestText` wrote; anything else is a failure that says what is wrong.
Expected<Manifest> parseManifest(const std::string &text);

} // namespace dlm
