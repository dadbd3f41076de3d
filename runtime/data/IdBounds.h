// Ids that pick rows of a table, or are classes of a loss: one that is out of range would become a
// number that is none, many operations later. So each sample is looked at when it is read, and the
// failure names it.
#pragma once

#include "runtime/data/Dataset.h"

#include <functional>
#include <optional>

namespace dlm {

/// What ids of a field have to be: from 0 to below `below`, or `ignored`.
struct IdBound {
  std::string field;
  std::vector<int64_t> begin, size; // of the part of a sample's field; empty: all of it
  int64_t below = 0;
  std::optional<int64_t> ignored = {};
  std::string what; // where the program says so: "a table of 10 rows at prices.dlm:12"
};

/// What a message calls a sample of a part: its file, and its number there. "`x.npz`: sample 42 (2
/// of validation)": a part that is cut from a file stands behind the parts before it, or, if the
/// parts are mixed, all over the file.
std::string nameOfSample(const DataSpec &spec, Split split, int64_t index);

/// Compares the fields of samples with their bounds.
class IdChecker {
public:
  /// Bounds of other fields than these are left out; one that does not fit its field is a failure.
  static Expected<IdChecker> make(const std::vector<FieldSpec> &fields,
                                  const std::vector<IdBound> &bounds);

  bool isEmpty() const { return checks.empty(); }

  /// What is wrong with a sample, in words that stand behind its name; empty if nothing is.
  std::string misfit(const void *const *sample) const;

private:
  struct Check {
    size_t field = 0; // in the list of fields
    FieldSpec spec;
    IdBound bound;
    std::vector<int64_t> places = {}; // elements of the field that the bound holds for; empty: all
  };
  std::vector<Check> checks;
};

/// The samples of `inner`, which must outlive the dataset, each looked at when it is read. `origin`
/// is what a message calls the sample with a number.
class CheckedDataset final : public Dataset {
public:
  CheckedDataset(const Dataset &inner, IdChecker checker,
                 std::function<std::string(int64_t)> origin)
      : inner(inner), checker(std::move(checker)), origin(std::move(origin)) {}

  int64_t size() const override { return inner.size(); }
  const std::vector<FieldSpec> &fields() const override { return inner.fields(); }
  bool isInMemory() const override { return inner.isInMemory(); }
  Status read(int64_t index, void *const *out) const override;
  Status readIn(uint32_t epoch, int64_t index, void *const *out) const override;

  /// Reads all samples, so that a failure comes before anything is computed. Where that would take
  /// long (files that stay on disk, samples that are made), none: they are looked at in their turn.
  Status checkAll(const std::atomic<int> *stop = nullptr) const;

private:
  Status check(int64_t index, void *const *out) const;

  const Dataset &inner;
  IdChecker checker;
  std::function<std::string(int64_t)> origin;
};

/// The source whose datasets are checked, or `source` itself if no bound is of its `fields`.
Expected<std::unique_ptr<DataSource>> makeCheckedSource(std::unique_ptr<DataSource> source,
                                                        const DataSpec &spec,
                                                        const std::vector<FieldSpec> &fields,
                                                        const std::vector<IdBound> &bounds);

} // namespace dlm
