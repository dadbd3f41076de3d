// Describing a run, and comparing two descriptions.
#include "runtime/launch/RunIdentity.h"

#include "runtime/launch/Commands.h"

#include <algorithm>
#include <cstdio>
#include <random>
#include <set>

namespace dlm {

namespace {

std::string numberText(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.10g", value);
  return text;
}

std::string optionText(const ProgramOption &option, const ResumePoint &start) {
  auto found = start.options.find(option.name);
  if (found == start.options.end()) return optionValue(option);
  ProgramOption changed = option;
  changed.value = found->second;
  return optionValue(changed);
}

const ResolvedValue *find(const std::vector<ResolvedValue> &list, const ResolvedValue &like) {
  for (const ResolvedValue &value : list) {
    if (value.kind == like.kind && value.name == like.name) return &value;
  }
  return nullptr;
}

/// The first line on which two texts differ.
size_t firstDifference(const std::string &a, const std::string &b) {
  size_t same = size_t(
      std::mismatch(a.begin(), a.begin() + ptrdiff_t(std::min(a.size(), b.size())), b.begin())
          .first -
      a.begin());
  return size_t(std::count(a.begin(), a.begin() + ptrdiff_t(same), '\n')) + 1;
}

std::string baseName(const std::string &path) { return path.substr(path.rfind('/') + 1); }

void compareValues(const Manifest &then, const Manifest &now, std::vector<std::string> &changes) {
  for (const ResolvedValue &before : then.resolved) {
    const ResolvedValue *after = find(now.resolved, before);
    if (!after)
      changes.push_back(before.title() + " (" + before.value + ") is no longer there");
    else if (after->value != before.value)
      changes.push_back(before.title() + " was " + before.value + " and is now " + after->value +
                        " (" + after->origin + ")");
  }
  for (const ResolvedValue &after : now.resolved) {
    if (!find(then.resolved, after)) changes.push_back(after.title() + " is new: " + after.value);
  }
}

void compareSources(const Manifest &then, const Manifest &now, std::vector<std::string> &changes) {
  size_t before = changes.size();
  for (const SourceText &source : now.sources) {
    auto old = std::find_if(then.sources.begin(), then.sources.end(), [&](const SourceText &each) {
      return baseName(each.path) == baseName(source.path);
    });
    if (old == then.sources.end())
      changes.push_back("source `" + source.path + "` is new");
    else if (old->text != source.text)
      changes.push_back("source `" + source.path + "` differs from line " +
                        std::to_string(firstDifference(old->text, source.text)) + " on");
  }
  for (const SourceText &old : then.sources) {
    bool isThere = std::any_of(now.sources.begin(), now.sources.end(), [&](const SourceText &each) {
      return baseName(each.path) == baseName(old.path);
    });
    if (!isThere) changes.push_back("source `" + old.path + "` is no longer part of it");
  }
  if (changes.size() > before || then.sourceHash == now.sourceHash) return;
  bool sameBuild = then.build == now.build;
  if (!sameBuild)
    changes.push_back("it was compiled by " + then.build + " and is now by " + now.build +
                      ", which has another library");
  else if (changes.empty())
    changes.push_back("it was compiled from other texts or with other options (`-D`)");
}

} // namespace

std::string periodText(const plan::QuantityT *quantity) {
  if (!quantity) return "";
  std::string number = numberText(quantity->value);
  switch (quantity->unit) {
  case plan::Unit::Steps:
    return number + " steps";
  case plan::Unit::Epochs:
    return number + " epochs";
  case plan::Unit::Samples:
    return number + " samples";
  case plan::Unit::Milliseconds:
    return numberText(quantity->value / 1000) + " s";
  default:
    return "";
  }
}

std::string sourceHashOf(const plan::Plan &plan) {
  std::string text;
  if (!plan.source_hash()) return text;
  for (uint8_t byte : *plan.source_hash()) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

Manifest describeRun(const plan::Plan &plan, const RunRequest &request, const ResumePoint &start,
                     const RunSchedule &schedule, std::vector<DataFile> data) {
  Manifest manifest;
  manifest.program = request.recipe.name;
  manifest.build = plan.build() ? plan.build()->str() : "";
  manifest.sourceHash = request.sourceHash;
  manifest.steps = schedule.steps;
  manifest.durationMs = schedule.durationMs;
  manifest.seed = start.seed;
  manifest.batch = schedule.batch;
  manifest.micro = schedule.micro;
  manifest.options = start.options;
  manifest.data = std::move(data);
  const CommandLine &line = request.line;
  for (size_t i = 0; i < request.options.size(); ++i) {
    const ProgramOption &option = request.options[i];
    bool isGiven = plan.options()->Get(unsigned(i))->is_given();
    std::string origin = start.origins.count(option.name) ? start.origins.at(option.name)
                         : isGiven                        ? "-D"
                                                          : "program";
    manifest.resolved.push_back({"option", option.name, optionText(option, start), origin});
  }
  const plan::RecipeT &recipe = request.recipe;
  auto setting = [&](const std::string &name, const std::string &value, bool isOfLine) {
    if (!value.empty())
      manifest.resolved.push_back({"setting", name, value, isOfLine ? "command line" : "program"});
  };
  setting("seed", std::to_string(start.seed), line.seed.has_value());
  setting("batch", std::to_string(schedule.batch), false);
  // Batch and seed are those of this run; the folder may be another one.
  const std::set<std::string> others = {"seed", "batch", "micro", "checkpoint.to"};
  for (const auto &origin : recipe.settings)
    if (!others.count(origin->name)) setting(origin->name, origin->text, false);
  if (recipe.settings.empty()) setting("duration", periodText(recipe.duration.get()), false);
  for (unsigned i = 0; plan.sources() && i < plan.sources()->size(); ++i) {
    const plan::SourceText *source = plan.sources()->Get(i);
    if (source->path() && source->text())
      manifest.sources.push_back({source->path()->str(), source->text()->str()});
  }
  return manifest;
}

std::vector<std::string> changesSince(const Manifest &then, const Manifest &now) {
  std::vector<std::string> changes;
  compareValues(then, now, changes);
  compareSources(then, now, changes);
  for (std::string &change : changedFiles(then.data, now.data))
    changes.push_back(std::move(change));
  return changes;
}

Expected<std::vector<std::string>> notesOfChanges(const Manifest &then, const Manifest &now,
                                                  bool isAccepted) {
  std::vector<std::string> changes = changesSince(then, now), notes;
  if (!changes.empty() && !isAccepted) {
    std::string list;
    for (const std::string &change : changes)
      list += "\n  " + change;
    return invalidArgument("what it was made with has changed since:" + list +
                           "\n--accept-changes goes on all the same, --to DIR starts a new run");
  }
  for (const std::string &change : changes)
    notes.push_back("note: " + change);
  if (then.steps && now.steps && then.steps != now.steps)
    notes.push_back("note: the run was to end at step " + std::to_string(then.steps) +
                    " and now ends at step " + std::to_string(now.steps) +
                    "; what depends on its length, such as a schedule that decays to its end, " +
                    "follows the new one from here on");
  if (then.build != now.build)
    notes.push_back("note: the program was compiled by " + then.build + " and now is by " +
                    now.build + "; the bits may differ");
  return notes;
}

std::string newRunName() {
  std::random_device device; // names a run, and has no part in what it computes
  char text[20];
  std::snprintf(text, sizeof text, "%08x%08x", device(), device());
  return text;
}

} // namespace dlm
