// What samples are, and where they come from. A Dataset is a pure function from an index to a
// sample: order, batches and the position in a run are the Loader's affair. A DataSource gives the
// up to three datasets of a run and may still be reading them in the background.
#pragma once

#include "runtime/base/DType.h"
#include "runtime/base/Status.h"
#include "runtime/data/formats/SourceFiles.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace dlm {

/// One field of a sample, e.g. `image: u8[28, 28]`.
struct FieldSpec {
  std::string name;
  DType dtype = DType::F32;
  std::vector<int64_t> shape;

  int64_t elementCount() const;
  uint64_t sizeBytes() const { return uint64_t(elementCount()) * elementSizeBytes(dtype); }
};

class Dataset {
public:
  virtual ~Dataset() = default;

  /// Number of samples.
  virtual int64_t size() const = 0;

  /// The fields of every sample.
  virtual const std::vector<FieldSpec> &fields() const = 0;

  /// Copies sample `index` to `out[i]` for every field i. May be called from several threads.
  virtual Status read(int64_t index, void *const *out) const = 0;

  /// The same sample as training sees it in an epoch: other than `read` gives it, and in each epoch
  /// another way, if the program changes its samples by chance.
  virtual Status readIn(uint32_t epoch, int64_t index, void *const *out) const {
    return read(index, out);
  }

  /// Whether `read` only copies. If not, nobody reads all samples but to train on them.
  virtual bool isInMemory() const { return true; }
};

enum class Split { Train, Validation, Test };
constexpr int SplitCount = 3;

/// "train", "validation", "test".
const char *splitName(Split split);

class DataSource {
public:
  virtual ~DataSource() = default;

  /// The samples of a split, once they have been read: the call waits for that. The dataset lives
  /// as long as the source. A split that the program does not have is an empty dataset. `stop`, if
  /// given and set (to a signal's number), ends the waiting with `Interrupted`.
  virtual Expected<const Dataset *> get(Split split, const std::atomic<int> *stop = nullptr) = 0;

  /// What the user has to know of the samples read so far, each thing once.
  virtual std::vector<std::string> takeWarnings() { return {}; }
};

/// What the program was compiled for.
struct DataSpec {
  std::string name; // of the program's `let`, for messages
  std::string kind;
  std::string path;           // of the training samples
  std::string validationPath; // empty: cut from the training samples, or of the kind's own naming
  std::string testPath;
  std::vector<FieldSpec> fields;
  int64_t counts[SplitCount] = {0, 0, 0};
  int64_t classes = 0; // 0: not known
  std::string facts;   // what else the compiler read from the files, in the kind's own form
  std::vector<std::string> fittedFields; // of the training samples: what `data.fit` looked at
  std::string fittedHash;                // and their hash (FittedSamples.h); empty: nothing
  std::vector<DataFile> files = {};      // as they were when the program was compiled
  bool isReplaced = false;               // the path is not that of the program
  bool arePartsMixed = false; // those cut from the training samples are from all over the file
  /// Of files that can be read at any place more than this is not kept in memory: a sample is read
  /// when it is wanted. It has no say in what the samples are.
  uint64_t keptBytesMax = uint64_t(64) << 20;

  SourcePaths paths() const {
    return {kind, {path, pathOf(Split::Validation), pathOf(Split::Test)}};
  }

  /// The file (or folder) that holds the samples of a split.
  const std::string &pathOf(Split split) const;

  /// Whether no later split is cut from the same file: then the file ends with this one.
  bool endsFile(Split split) const;
};

/// Starts to read the data of `spec` in the background and returns at once. A kind that is not in
/// the table of DataSource.cpp, or fields the kind does not have, are an error here; what is wrong
/// with the files is an error of `get`.
Expected<std::unique_ptr<DataSource>> openDataSource(const DataSpec &spec);

} // namespace dlm
