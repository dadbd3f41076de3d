// `info --from`: which checkpoints a folder holds and whether they are whole, or all that one of
// them says.
#include "runtime/launch/Commands.h"
#include "runtime/launch/RunIdentity.h"
#include "runtime/metrics/JsonLines.h"
#include "runtime/metrics/TextProgress.h"
#include "runtime/store/FileStore.h"

#include <cstdio>

namespace dlm {

namespace {

struct Listed {
  std::string name;
  std::string location;
  Manifest manifest;
  Status status; // why it cannot be used
  bool isBest = false;
};

std::string numberText(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

/// A line for each split: "validation  loss 0.41  accuracy 0.87  (step 800)".
std::vector<std::string> metricsLines(const Manifest &manifest) {
  std::vector<std::string> lines;
  for (Split each : {Split::Train, Split::Validation, Split::Test}) {
    std::string split = splitName(each);
    auto found = manifest.metrics.find(split);
    if (found == manifest.metrics.end()) continue;
    const MeasuredSplit &measured = found->second;
    std::string text = split + std::string(split.size() < 10 ? 10 - split.size() : 0, ' ');
    for (const auto &[name, value] : measured.values)
      text += "  " + name + " " + numberText(value);
    if (measured.step != manifest.step) text += "  (step " + std::to_string(measured.step) + ")";
    lines.push_back(std::move(text));
  }
  return lines;
}

std::string metricsJson(const Manifest &manifest) {
  std::string text;
  for (const auto &[split, measured] : manifest.metrics) {
    text +=
        (text.empty() ? "" : ",") + jsonText(split) + ":{\"step\":" + std::to_string(measured.step);
    for (const auto &[name, value] : measured.values)
      text += "," + jsonText(name) + ":" + jsonNumber(value);
    text += "}";
  }
  return "{" + text + "}";
}

uint64_t sizeOf(const Manifest &manifest) {
  return manifest.files.empty() ? 0 : manifest.files[0].sizeBytes;
}

void printJson(std::FILE *out, const Listed &listed) {
  std::string text = "{\"checkpoint\":" + jsonText(listed.location);
  text += ",\"step\":" + std::to_string(Checkpoints::stepOf(listed.name));
  text += std::string(",\"light\":") + (Checkpoints::isLight(listed.name) ? "true" : "false");
  text += std::string(",\"best\":") + (listed.isBest ? "true" : "false");
  text += std::string(",\"whole\":") + (listed.status.isOk() ? "true" : "false");
  if (listed.status.isOk())
    text += ",\"epoch\":" + jsonNumber(listed.manifest.epoch) +
            ",\"seed\":" + std::to_string(listed.manifest.seed) +
            ",\"bytes\":" + std::to_string(sizeOf(listed.manifest)) +
            ",\"metrics\":" + metricsJson(listed.manifest);
  else
    text += ",\"problem\":" + jsonText(listed.status.message());
  std::fprintf(out, "%s}\n", text.c_str());
}

void printRow(std::FILE *out, const Listed &listed) {
  if (!listed.status.isOk()) {
    std::fprintf(out, "%-14s  cannot be used: %s\n", listed.name.c_str(),
                 listed.status.message().c_str());
    return;
  }
  const Manifest &manifest = listed.manifest;
  std::fprintf(out, "%-14s  epoch %-7s %9s%s%s\n", listed.name.c_str(),
               numberText(manifest.epoch).c_str(), bytesText(double(sizeOf(manifest))).c_str(),
               manifest.isLight ? "  light" : "", listed.isBest ? "  best" : "");
  for (const std::string &line : metricsLines(manifest))
    std::fprintf(out, "  %s\n", line.c_str());
}

/// What one manifest says, and how this program differs from the one that wrote it.
void printDetails(std::FILE *out, const CommandContext &context, const Listed &listed) {
  const Manifest &manifest = listed.manifest;
  auto fact = [&](const char *name, const std::string &value) {
    if (!value.empty()) std::fprintf(out, "%-14s %s\n", name, value.c_str());
  };
  fact("checkpoint", listed.location + (manifest.isLight ? " (parameters alone)" : ""));
  fact("program", manifest.program + ", compiled by " + manifest.build + ", source " +
                      manifest.sourceHash.substr(0, 16));
  fact("run", manifest.run);
  std::string length = manifest.steps ? " of " + std::to_string(manifest.steps) : "";
  fact("step", std::to_string(manifest.step) + length + ", epoch " + numberText(manifest.epoch));
  const char *name = "measured";
  for (const std::string &line : metricsLines(manifest)) {
    fact(name, line);
    name = "";
  }
  std::fputs("\noptions and settings:\n", out);
  for (const ResolvedValue &value : manifest.resolved)
    std::fprintf(out, "  %-28s %-16s %s\n", value.title().c_str(), value.value.c_str(),
                 value.origin.c_str());
  if (!manifest.data.empty()) std::fputs("\ndata:\n", out);
  for (const DataFile &file : manifest.data)
    std::fprintf(out, "  %-28s %llu bytes, XXH3 %s\n", file.name.c_str(),
                 static_cast<unsigned long long>(file.sizeBytes), file.xxh3.c_str());
  bool isSame = manifest.sourceHash == sourceHashOf(context.plan);
  fact("\nthis program", isSame ? "is the one that wrote it" : "is not the one that wrote it");
}

} // namespace

Status listCheckpoints(const CommandContext &context) {
  std::FILE *out = context.surroundings.out;
  CheckpointPath path = splitCheckpointPath(*context.line.from);
  plan::RecipeT recipe;
  context.plan.recipe()->UnPackTo(&recipe);
  if (path.folder.empty()) path.folder = checkpointFolder(recipe);
  std::unique_ptr<Store> store = makeFileStore(path.folder);
  Checkpoints checkpoints(*store, 1);
  Expected<std::string> best = checkpoints.bestName();
  if (path.key == Checkpoints::BestKey) {
    if (!best) return best.status();
    path.key = Checkpoints::tensorsKey(*best);
  }
  std::vector<std::string> names;
  if (!path.key.empty()) {
    names.push_back(Checkpoints::nameIn(path.key));
    if (names[0].empty())
      return invalidArgument("`" + *context.line.from + "` is not a checkpoint; those are called " +
                             "`" + Checkpoints::tensorsKey(Checkpoints::nameOf(100)) + "`");
  } else {
    Expected<std::vector<std::string>> all = checkpoints.names(true);
    if (!all) return all.status();
    names.assign(all->rbegin(), all->rend());
    if (names.empty()) return notFound("there is no checkpoint in `" + path.folder + "`");
  }
  for (const std::string &name : names) {
    Listed listed{name, checkpoints.location(name), {}, {}, best && name == *best};
    Expected<Manifest> manifest = checkpoints.check(name);
    listed.status = manifest.status();
    if (manifest) listed.manifest = manifest.take();
    if (!path.key.empty() && !listed.status.isOk()) return listed.status;
    if (context.line.json)
      printJson(out, listed);
    else if (path.key.empty())
      printRow(out, listed);
    else
      printDetails(out, context, listed);
  }
  return Status::ok();
}

} // namespace dlm
