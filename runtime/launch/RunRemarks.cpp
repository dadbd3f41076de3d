#include "runtime/launch/RunRemarks.h"

#include "runtime/data/Dataset.h"
#include "runtime/metrics/TextProgress.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace dlm {

namespace {

constexpr const char *LibraryFolder = " stdlib/"; // in places of messages

} // namespace

bool isRate(const std::string &name) {
  size_t dot = name.rfind('.');
  return name.substr(dot == std::string::npos ? 0 : dot + 1) == "lr";
}

std::string textOfRate(const std::string &name, double rate, int64_t step) {
  char number[32];
  std::snprintf(number, sizeof number, "%g", rate);
  size_t dot = name.rfind('.');
  std::string whose = dot == std::string::npos ? "" : "`" + name.substr(0, dot) + "` in ";
  return "the learning rate of " + whose + "step " + std::to_string(step) + " is " + number +
         ", and has to be at least 0: with a rate below it the loss grows";
}

std::string noteOfRate(const Manifest &then, int64_t steps, const std::vector<NamedValue> &values) {
  constexpr double Jump = 0.1; // of the larger one; a schedule moves less in a step
  auto train = then.metrics.find(splitName(Split::Train));
  if (then.steps == steps || train == then.metrics.end()) return "";
  for (const NamedValue &now : values) {
    auto before = train->second.values.find(now.name);
    if (!isRate(now.name) || before == train->second.values.end()) continue;
    double was = before->second;
    if (std::abs(now.value - was) <= Jump * std::max(std::abs(now.value), std::abs(was))) continue;
    char text[240];
    std::snprintf(text, sizeof text,
                  "note: %.60s was %.4g when the checkpoint was written and goes on at %.4g: its "
                  "schedule follows the length of the run",
                  now.name.c_str(), was, now.value);
    return text;
  }
  return "";
}

std::string textOfSkips(const std::vector<NamedValue> &values, const SkipFacts &facts,
                        const std::string &lastCheckpoint, const std::string &where) {
  std::string list;
  for (const NamedValue &value : values) {
    char text[64];
    std::snprintf(text, sizeof text, "%s %s %.4g", list.empty() ? "" : ",", value.name.c_str(),
                  printable(value.value));
    list += text;
  }
  std::string skipped = facts.skippedInARow == 1
                            ? "an update was"
                            : std::to_string(facts.skippedInARow) + " updates in a row were";
  // A line of the library is where it shows, and not what it is.
  bool isKnown = !where.empty() && where.find(LibraryFolder) == std::string::npos;
  std::string advice = facts.isTrained ? "A lower learning rate often helps"
                       : isKnown ? "Nothing was trained yet, so no rate is to blame"
                                 : "Nothing was trained yet, so it is in what the loss is given: "
                                   "a label that is of no class, an id that is no row of its "
                                   "table, a number that is not finite";
  return "training cannot go on: after step " + std::to_string(facts.step) + " " + skipped +
         " skipped because numbers are not finite;" + list + ". The program tolerates " +
         std::to_string(facts.limit) + "; " + lastCheckpoint + ". " +
         (where.empty() ? advice : "In the last of them " + where + ". " + advice);
}

std::string textOfPatience(const BestEvaluation &best, const std::string &patience, int64_t step,
                           int64_t steps) {
  char value[32];
  std::snprintf(value, sizeof value, "%.4g", best.value);
  std::string found = best.split.empty()
                          ? "the " + best.metric + " of no evaluation was a number"
                          : "the " + best.metric + " on " + best.split + " was " +
                                (best.isLargest ? "largest" : "smallest") + " after step " +
                                countText(best.step) + " (" + value + ")";
  return "note: the run ends after step " + countText(step) +
         (steps ? " of " + countText(steps) : std::string()) + ", for want of a new best within " +
         patience + ": " + found + ". A larger `patience` goes on";
}

std::string StepClock::partDone(int64_t nowMs, int64_t done, int64_t parts) {
  constexpr int64_t LookMs = 10000, LongMs = 60000;
  if (done == 1) firstMs = nowMs;
  int64_t passed = nowMs - firstMs;
  if (isTold || done < 2 || passed < LookMs) return "";
  double whole = double(passed) / double(done - 1) * double(parts);
  if (whole < double(LongMs)) return "";
  isTold = true;
  return "note: a step takes about " + durationText(whole * 1e-3) + " at this rate: it computes " +
         countText(parts) + " parts, and " + countText(done) +
         " are done. Ctrl-C leaves it, with a checkpoint of the steps before";
}

} // namespace dlm
