// The classes that the parts of a file have: a file that is sorted by them has other ones at its
// end than before, and a part that is cut from there measures nothing of the rest.
#pragma once

#include "compiler/sema/TypedProgram.h"
#include "runtime/data/SampleParts.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace dlm::sema {

class SourceCall;

/// How many samples of each class the parts have.
class LabelCounts {
public:
  void add(Split part, int64_t label) { ++counts[int(part)][label]; }
  const std::map<int64_t, int64_t> &of(Split part) const { return counts[int(part)]; }

private:
  std::map<int64_t, int64_t> counts[SplitCount]; // by label, which may be any number
};

/// Which samples of its file are for what, as the program cuts it.
SampleParts partsOf(const DataSource &source);

/// The same in words that tell one cut from another.
std::string textOfParts(const DataSource &source);

/// Takes over `split = shuffled`.
void readSplit(const SourceCall &call, DataSource &source);

/// Warns of a part cut from the end of the file without classes that it would have by all chance.
/// `nameOf` gives what a class is called.
void warnOfLackedClasses(SourceCall &call, const DataSource &source, const LabelCounts &counts,
                         const std::function<std::string(int64_t label)> &nameOf);

/// What a class is called whose names are known by their numbers.
std::string nameOf(const std::vector<std::string> &names, int64_t label);

/// Warns of two names that look alike (`similar` of the formats; empty: there are none). `what`:
/// "column" or "key".
void warnOfSimilar(SourceCall &call, const std::string &what, const std::string &name,
                   const std::string &similar);

} // namespace dlm::sema
