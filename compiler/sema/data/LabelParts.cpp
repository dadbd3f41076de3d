// A small part lacks rare classes by chance. If samples stood in no order, classes that have the
// share p of them would be missing from a part of m with the chance exp(-m p), and of k classes
// some n with no more than C(k, n) times that: what is reported is far beyond it.
#include "compiler/sema/data/LabelParts.h"

#include "compiler/sema/data/SourceCall.h"
#include "compiler/sema/evaluate/Evaluator.h"

#include <algorithm>
#include <cmath>

namespace dlm::sema {

namespace {

constexpr double ChanceMax = 1e-3;
constexpr size_t NamedMax = 3;

struct Lack {
  std::vector<int64_t> labels; // that training samples have and the part does not
  bool isChance = true;
};

Lack lackOf(const LabelCounts &counts, Split part, int64_t samples, int64_t trainCount) {
  Lack lack;
  double missed = 0; // samples of the missing classes that the part would have in no order
  const std::map<int64_t, int64_t> &known = counts.of(Split::Train);
  for (const auto &[label, count] : known) {
    double expected = double(count) / double(trainCount) * double(samples);
    if (counts.of(part).count(label)) continue;
    missed += expected;
    lack.labels.push_back(label);
  }
  double k = double(known.size()), n = double(lack.labels.size());
  double choices = std::lgamma(k + 1) - std::lgamma(n + 1) - std::lgamma(k - n + 1); // ln C(k, n)
  lack.isChance = choices - missed > std::log(ChanceMax);
  return lack;
}

std::string listOf(const std::vector<int64_t> &labels,
                   const std::function<std::string(int64_t)> &nameOf) {
  std::string text;
  size_t shown = std::min(labels.size(), NamedMax);
  for (size_t i = 0; i < shown; ++i) {
    bool isLast = i + 1 == labels.size();
    text += (i == 0 ? "" : isLast ? " and " : ", ") + nameOf(labels[i]);
  }
  if (shown < labels.size()) text += " and " + std::to_string(labels.size() - shown) + " more";
  return text;
}

} // namespace

SampleParts partsOf(const DataSource &source) {
  int64_t counts[SplitCount] = {source.trainCount,
                                source.isValidationCut ? source.validationCount : 0,
                                source.isTestCut ? source.testCount : 0};
  return SampleParts(counts, source.arePartsMixed);
}

std::string textOfParts(const DataSource &source) {
  std::string train = std::to_string(source.trainCount);
  if (!source.arePartsMixed) return "the first " + train;
  // Which samples are for training does not depend on how the others are shared.
  return train + " mixed ones of " + std::to_string(partsOf(source).size());
}

void readSplit(const SourceCall &call, DataSource &source) {
  const Operand *split = call.argument("split");
  source.arePartsMixed = split && split->value.asString() == "shuffled";
}

void warnOfLackedClasses(SourceCall &call, const DataSource &source, const LabelCounts &counts,
                         const std::function<std::string(int64_t)> &nameOf) {
  if (source.arePartsMixed) return;
  for (Split part : {Split::Validation, Split::Test}) {
    bool isTest = part == Split::Test;
    if (!(isTest ? source.isTestCut : source.isValidationCut)) continue;
    int64_t samples = isTest ? source.testCount : source.validationCount;
    Lack lack = lackOf(counts, part, samples, source.trainCount);
    if (lack.isChance) continue;
    const char *name = splitName(part);
    call.evaluator
        .report(Kind::LackedClasses, call.argument(name)->span,
                std::string("the ") + name + " part, " + std::to_string(samples) +
                    " samples from the end of the file, has none of the class" +
                    (lack.labels.size() == 1 ? " " : "es ") + listOf(lack.labels, nameOf))
        .note("the file seems to be sorted by classes")
        .help("`split = shuffled` cuts the parts from all over the file");
  }
}

std::string nameOf(const std::vector<std::string> &names, int64_t label) {
  bool isNamed = label >= 0 && size_t(label) < names.size();
  return isNamed ? '"' + names[size_t(label)] + '"' : std::to_string(label);
}

void warnOfSimilar(SourceCall &call, const std::string &what, const std::string &name,
                   const std::string &similar) {
  if (similar.empty()) return;
  call.evaluator
      .report(Kind::SimilarNames, call.call.span,
              "the " + what + " \"" + name + "\" holds " + similar +
                  ", which are read as different things")
      .help("if they mean the same, write them alike in the file");
}

} // namespace dlm::sema
