// DLM inside of a C++ program: compile a text, train what it declares step by step, and read and
// write its tensors by name. A program for `dlm::embed` includes <dlm/Embed.h>, which is this file;
// it needs the standard library only.
//
// Nothing here throws, prints or ends the process: what went wrong is in the report of a Result.
// Programs and runs may be used by one thread at a time; different runs at the same time.
#pragma once

#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#define DLM_EMBED_API __attribute__((visibility("default")))

namespace dlm::embed {

enum class Severity { Error, Warning };

/// One thing that is wrong, or that should be known.
struct Diagnostic {
  Severity severity = Severity::Error;
  std::string kind;    // as `dlmc explain` lists them, e.g. `shape-mismatch`; of a run: `run`
  std::string message; // a sentence for people
  std::string file;    // empty: it has no place
  int64_t line = 0, column = 0; // from one
};

/// All that was said, by place.
struct Report {
  std::vector<Diagnostic> diagnostics;
  std::string text; // the same as `dlmc` prints it, with source lines and proposed edits
};

/// A value, or none and a report that says why. A value may come with warnings.
template <class T> class [[nodiscard]] Result {
public:
  Result(T value, Report report = {}) : held(std::move(value)), said(std::move(report)) {}
  Result(Report report) : said(std::move(report)) {}

  explicit operator bool() const { return held.has_value(); }
  /// Only if there is a value.
  T &operator*() { return *held; }
  T *operator->() { return &*held; }

  const Report &report() const { return said; }

private:
  std::optional<T> held;
  Report said;
};

/// The value of what only succeeds or fails.
struct Done {};

struct CompileOptions {
  std::string name = "program.dlm"; // in messages; what a text names by a path is looked for beside
                                    // this
  std::map<std::string, std::string> definitions; // options that shape the program, as `dlmc -D`
  std::string train;                              // which train block, if there are several
};

struct RunOptions {
  std::map<std::string, std::string> options; // run-time ones, as `PROGRAM train --NAME VALUE`
  std::map<std::string, std::string> data;    // other paths, by the name of the program's `let`
  std::optional<uint64_t> seed;               // instead of the program's
  std::string from; // a checkpoint, or a folder whose latest is meant: the run goes on from there
  bool acceptChanges = false; // even if program or data have changed since
  int64_t steps = 0;          // how long the run is, for schedules; 0: as the program says
  int64_t threads = 0;        // 0: one for each core. No bit depends on it
};

/// Numbers with a name, type and shape.
struct Tensor {
  std::string name;
  std::string dtype; // BOOL U8 I32 I64 F32 F64
  std::vector<int64_t> shape;
  std::vector<uint8_t> bytes; // of the elements, in rows

  /// The elements as numbers of type T, or null if they are of another type.
  template <class T> T *as() {
    bool isHeld = dtype == nameOf(static_cast<T *>(nullptr));
    return isHeld ? reinterpret_cast<T *>(bytes.data()) : nullptr;
  }
  template <class T> const T *as() const { return const_cast<Tensor *>(this)->as<T>(); }
  size_t elementCount() const;

private:
  static const char *nameOf(float *) { return "F32"; }
  static const char *nameOf(double *) { return "F64"; }
  static const char *nameOf(int32_t *) { return "I32"; }
  static const char *nameOf(int64_t *) { return "I64"; }
  static const char *nameOf(uint8_t *) { return "U8"; }
  static const char *nameOf(bool *) { return "BOOL"; }
};

inline size_t Tensor::elementCount() const {
  size_t count = 1;
  for (int64_t size : shape)
    count *= size_t(size);
  return count;
}

enum class Split { Train, Validation, Test };

/// What the last step came to.
struct Progress {
  int64_t step = 0;
  int64_t skipped = 0; // updates that this call left out, as a number in them was not finite
  double epoch = 0;
  std::map<std::string, double> values; // `loss`, its terms, and what else the program reports
};

/// A program that was opened: its parameters, its state and its place in the data. It is trained by
/// the same steps, to the same bits, as by `PROGRAM train`; when to evaluate, to save and to end is
/// the caller's affair.
class DLM_EMBED_API Run {
public:
  Run(Run &&) noexcept;
  Run &operator=(Run &&) noexcept;
  ~Run();

  /// Steps made, and those of the whole run (0 if the program says its length in time).
  int64_t step() const;
  int64_t steps() const;

  /// Trains until `count` more steps are made. More updates in a row that are not finite than the
  /// program tolerates are an error.
  Result<Progress> train(int64_t count = 1);

  /// The program's metrics over a whole split. An error if the program has no metrics, or no such
  /// samples.
  Result<std::map<std::string, double>> evaluate(Split split);

  /// The names of all tensors that a checkpoint would hold: parameters, what the optimizer keeps,
  /// counters.
  std::vector<std::string> tensorNames() const;
  Result<Tensor> read(const std::string &name) const;
  /// Type and shape have to be those of the tensor.
  Result<Done> write(const Tensor &tensor);

  /// Calls a command that the program declares, with the parameters as they are: its results by
  /// name.
  Result<std::vector<Tensor>> call(const std::string &command,
                                   const std::map<std::string, std::string> &arguments = {});

  /// Writes a checkpoint into a folder that holds none of another run, waits until it is whole and
  /// returns its path. `PROGRAM train --resume --to FOLDER` goes on from it, once this run, whose
  /// folder it is, has gone.
  Result<std::string> save(const std::string &folder);

  struct Parts;
  explicit Run(std::unique_ptr<Parts> parts);

private:
  std::unique_ptr<Parts> parts;
};

/// A compiled program. Copies share what was compiled, and runs keep it alive.
class DLM_EMBED_API Program {
public:
  /// The name of its train block.
  std::string name() const;

  /// Opens its data and makes the state of step 0. A program may be opened several times.
  Result<Run> open(const RunOptions &options = {}) const;

  struct Parts;
  explicit Program(std::shared_ptr<const Parts> parts);

private:
  std::shared_ptr<const Parts> parts;
};

/// Compiles a text for the processor of this machine.
DLM_EMBED_API Result<Program> compile(const std::string &text, const CompileOptions &options = {});

/// The same for the text of a file; `name` of the options does not matter.
DLM_EMBED_API Result<Program> compileFile(const std::string &path,
                                          const CompileOptions &options = {});

} // namespace dlm::embed
