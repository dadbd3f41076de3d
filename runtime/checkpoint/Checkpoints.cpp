// Writing, finding and reading checkpoints. Nothing in the tensors' file depends on when or where
// it was written, so two runs with the same bits write the same files.
#include "runtime/checkpoint/Checkpoints.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace dlm {

namespace {

constexpr const char *FullPrefix = "step-", *LightPrefix = "light-";
constexpr size_t DigitsMin = 8, DigitsMax = 18;
constexpr size_t ManifestIndex = 1; // of a save's blobs: behind the tensors

bool startsWith(const std::string &text, const std::string &start) {
  return text.compare(0, start.size(), start) == 0;
}

std::string shapeText(DType dtype, const std::vector<int64_t> &shape) {
  std::string text = std::string(dtypeName(dtype)) + "[";
  for (size_t i = 0; i < shape.size(); ++i)
    text += (i ? ", " : "") + std::to_string(shape[i]);
  return text + "]";
}

/// Why bytes are not what the manifest says of them; empty if they are.
std::string difference(const ManifestFile &said, uint64_t sizeBytes, const std::string &xxh3) {
  if (said.sizeBytes != sizeBytes)
    return "it has " + std::to_string(sizeBytes) + " bytes, its manifest says " +
           std::to_string(said.sizeBytes);
  return said.xxh3 == xxh3 ? "" : "its checksum does not agree with its content";
}

} // namespace

SafetensorsMetadata Checkpoints::metadataOf(const Manifest &manifest) {
  return {{"format", "dlm-checkpoint"},
          {"program", manifest.program},
          {"source_hash", manifest.sourceHash},
          {"step", std::to_string(manifest.step)},
          {"attempt", std::to_string(manifest.attempt)},
          {"seed", std::to_string(manifest.seed)}};
}

Checkpoints::Checkpoints(Store &store, int64_t keep, bool keepsBest)
    : target(store), keep(std::max<int64_t>(keep, 1)), keepsBest(keepsBest) {}

std::string Checkpoints::nameOf(int64_t step, bool light) {
  char text[48];
  std::snprintf(text, sizeof text, "%s%08lld", light ? LightPrefix : FullPrefix,
                static_cast<long long>(step));
  return text;
}

bool Checkpoints::isLight(const std::string &name) { return startsWith(name, LightPrefix); }

int64_t Checkpoints::stepOf(const std::string &name) {
  size_t prefix = std::strlen(isLight(name) ? LightPrefix : FullPrefix);
  if (!isLight(name) && !startsWith(name, FullPrefix)) return -1;
  std::string digits = name.substr(prefix);
  if (digits.size() < DigitsMin || digits.size() > DigitsMax ||
      !std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; }))
    return -1;
  return std::strtoll(digits.c_str(), nullptr, 10);
}

std::string Checkpoints::nameIn(const std::string &key) {
  for (const std::string &end : {tensorsKey(""), manifestKey("")}) {
    if (key.size() <= end.size() || key.compare(key.size() - end.size(), end.size(), end) != 0)
      continue;
    std::string name = key.substr(0, key.size() - end.size());
    if (stepOf(name) >= 0) return name;
  }
  return "";
}

std::string Checkpoints::location(const std::string &name) const {
  return target.location(tensorsKey(name));
}

Status Checkpoints::checkIsOurs(const std::string &name, const ManifestFile &file) {
  for (const std::vector<std::string> *list : {&own, &ownLight}) {
    if (std::count(list->begin(), list->end(), name)) return Status::ok();
  }
  Expected<std::vector<std::string>> keys = target.list();
  if (!keys) return keys.status();
  bool hasTensors = std::count(keys->begin(), keys->end(), tensorsKey(name));
  bool hasManifest = std::count(keys->begin(), keys->end(), manifestKey(name));
  if (!hasTensors && !hasManifest) return Status::ok();
  // A save that was cut off at its last moment left the bytes that are about to be written again.
  Expected<FileSum> there = target.sum(tensorsKey(name));
  if (there && difference(file, there->sizeBytes, there->xxh3).empty()) return Status::ok();
  return invalidArgument("`" + target.location(hasTensors ? tensorsKey(name) : manifestKey(name)) +
                         "` is there and is not of this run; it is left as it is. Move it away, " +
                         "or train with --to DIR");
}

void Checkpoints::remove(const std::string &name, std::vector<std::string> &notes) {
  for (const std::string &key : {tensorsKey(name), manifestKey(name)}) {
    Status removed = target.remove(key);
    if (!removed.isOk() && removed.code() != Code::NotFound)
      notes.push_back("an old checkpoint stays: " + removed.message());
  }
}

Status Checkpoints::save(Manifest manifest, const Snapshot &snapshot,
                         std::vector<std::string> &notes) {
  std::string name = nameOf(manifest.step, manifest.isLight);
  ManifestFile file = snapshot.file(tensorsKey(name));
  DLM_TRY(checkIsOurs(name, file));
  manifest.files = {file};
  std::string text = manifestText(manifest);
  DLM_TRY(target.write(
      {snapshot.blob(tensorsKey(name)), {manifestKey(name), {{text.data(), text.size()}}}}));
  std::vector<std::string> &list = manifest.isLight ? ownLight : own;
  list.erase(std::remove(list.begin(), list.end(), name), list.end());
  list.push_back(name);
  Expected<FileSum> written = target.sum(tensorsKey(name));
  if (!written) return written.status();
  std::string wrong = difference(file, written->sizeBytes, written->xxh3);
  if (!wrong.empty())
    return corrupt("`" + location(name) + "` was written and read back: " + wrong);
  if (!manifest.isLight) {
    last = name;
    lastManifest = std::move(manifest);
    noteBest();
  }
  removeOld(notes);
  size_t lightKept = &list == &ownLight ? 1 : 0;
  for (; ownLight.size() > lightKept; ownLight.erase(ownLight.begin()))
    remove(ownLight.front(), notes);
  return Status::ok();
}

/// The best checkpoint is the one that the last manifest calls so, if it is there and whole. If
/// not, its save has failed or was left out, and the one before it stays the best that there is.
void Checkpoints::noteBest() {
  if (!keepsBest || !lastManifest.best || lastManifest.best->step < 0) return;
  std::string named = nameOf(lastManifest.best->step);
  if (named == theBest || !std::count(own.begin(), own.end(), named)) return;
  if (named == last || check(named).isOk()) theBest = named;
}

void Checkpoints::removeOld(std::vector<std::string> &notes) {
  int64_t beyond = int64_t(own.size()) - keep;
  std::vector<std::string> kept;
  for (const std::string &name : own) {
    bool isOld = beyond-- > 0;
    if (isOld && name != theBest)
      remove(name, notes);
    else
      kept.push_back(name);
  }
  own = std::move(kept);
}

Status Checkpoints::amend(const std::map<std::string, MeasuredSplit> &metrics,
                          const std::optional<BestMark> &best, std::vector<std::string> &notes) {
  DLM_ASSERT(!lastManifest.files.empty(), "nothing was saved that could be amended");
  lastManifest.metrics = metrics;
  if (best && best->evaluated <= lastManifest.step) lastManifest.best = best;
  std::string text = manifestText(lastManifest);
  DLM_TRY(target.write({{manifestKey(last), {{text.data(), text.size()}}}}));
  noteBest();
  removeOld(notes);
  return Status::ok();
}

Expected<std::vector<std::string>> Checkpoints::parts() {
  Expected<std::vector<std::string>> all = target.list();
  if (!all) return all.status();
  std::vector<std::string> found;
  for (const std::string &key : *all) {
    if (!nameIn(key).empty()) found.push_back(key);
  }
  return found;
}

Expected<std::vector<std::string>> Checkpoints::names(bool light) {
  Expected<std::vector<std::string>> keys = parts();
  if (!keys) return keys.status();
  std::vector<std::string> found;
  for (const std::string &key : *keys) {
    std::string name = nameIn(key);
    if (key == manifestKey(name) && (light || !isLight(name))) found.push_back(name);
  }
  std::sort(found.begin(), found.end(), [](const std::string &a, const std::string &b) {
    int64_t stepA = stepOf(a), stepB = stepOf(b);
    return stepA != stepB ? stepA > stepB : isLight(a) < isLight(b);
  });
  return found;
}

Expected<std::string> Checkpoints::bestName() {
  Expected<std::vector<std::string>> all = names();
  if (!all) return all.status();
  for (const std::string &name : *all) {
    Expected<Manifest> manifest = readManifest(name);
    if (!manifest || !manifest->best || manifest->best->step < 0) continue;
    std::string best = nameOf(manifest->best->step);
    if (std::count(all->begin(), all->end(), best)) return best;
  }
  return notFound("no checkpoint in `" + target.location("") +
                  "` is the best: a run keeps one that " +
                  "has `evaluate { keep_best = minimum(validation.loss) }`, for example");
}

Status Checkpoints::finishCutOff() {
  Expected<std::vector<uint8_t>> bytes = target.leftover(ManifestIndex);
  if (!bytes) return Status::ok();
  Expected<Manifest> manifest = parseManifest(std::string(bytes->begin(), bytes->end()));
  if (!manifest || manifest->files.size() != 1) return Status::ok(); // cut off itself
  std::string name = nameOf(manifest->step, manifest->isLight);
  Expected<std::vector<std::string>> keys = target.list();
  if (!keys) return keys.status();
  bool isOrphan = std::count(keys->begin(), keys->end(), tensorsKey(name)) &&
                  !std::count(keys->begin(), keys->end(), manifestKey(name));
  if (!isOrphan || manifest->files[0].name != tensorsKey(name)) return Status::ok();
  Expected<FileSum> sum = target.sum(tensorsKey(name));
  bool isWhole = sum && difference(manifest->files[0], sum->sizeBytes, sum->xxh3).empty();
  return isWhole ? target.finish(ManifestIndex, manifestKey(name)) : Status::ok();
}

Expected<Manifest> Checkpoints::readManifest(const std::string &name) {
  Expected<std::vector<uint8_t>> bytes = target.read(manifestKey(name));
  if (!bytes) return bytes.status();
  Expected<Manifest> manifest = parseManifest(std::string(bytes->begin(), bytes->end()));
  if (!manifest)
    return manifest.status().withContext("`" + target.location(manifestKey(name)) + "`");
  if (manifest->files.size() != 1 || manifest->files[0].name != tensorsKey(name) ||
      manifest->step != stepOf(name) || manifest->isLight != isLight(name))
    return corrupt("`" + target.location(manifestKey(name)) + "`: it is of another checkpoint");
  return manifest;
}

Expected<Manifest> Checkpoints::check(const std::string &name) {
  Expected<Manifest> manifest = readManifest(name);
  if (!manifest) return manifest;
  Expected<FileSum> sum = target.sum(tensorsKey(name));
  if (!sum) return sum.status();
  std::string wrong = difference(manifest->files[0], sum->sizeBytes, sum->xxh3);
  if (!wrong.empty()) return corrupt("`" + location(name) + "`: " + wrong);
  return manifest;
}

Expected<Checkpoints::Loaded> Checkpoints::read(const std::string &nameOrKey) {
  if (nameOrKey == BestKey) {
    Expected<std::string> named = bestName();
    return named ? read(*named) : Expected<Loaded>(named.status());
  }
  std::string name = stepOf(nameOrKey) >= 0 ? nameOrKey : nameIn(nameOrKey);
  if (name.empty())
    return invalidArgument("`" + target.location(nameOrKey) + "` is not a checkpoint: those are " +
                           "called `" + tensorsKey(nameOf(100)) + "`, with their manifest beside " +
                           "them, `" + manifestKey(nameOf(100)) + "`");
  Expected<Manifest> manifest = readManifest(name);
  if (!manifest && manifest.status().code() == Code::NotFound)
    return notFound("`" + target.location(tensorsKey(name)) + "` has no manifest `" +
                    manifestKey(name) + "` beside it; a checkpoint is both files");
  if (!manifest) return manifest.status();
  Expected<std::vector<uint8_t>> bytes = target.read(tensorsKey(name));
  if (!bytes) return bytes.status();
  std::string wrong =
      difference(manifest->files[0], bytes->size(), xxh3Text(bytes->data(), bytes->size()));
  if (!wrong.empty()) return corrupt("`" + location(name) + "`: " + wrong);
  Expected<Safetensors> file = Safetensors::parse(bytes.take());
  if (!file) return file.status().withContext("`" + location(name) + "`");
  return Loaded{name, manifest.take(), file.take()};
}

Expected<Checkpoints::Loaded> Checkpoints::latest(std::vector<std::string> &notes, bool light) {
  Expected<std::vector<std::string>> found = names(light);
  if (!found) return found.status();
  if (found->empty()) return notFound("there is no checkpoint in `" + target.location("") + "`");
  for (const std::string &name : *found) {
    Expected<Loaded> loaded = read(name);
    if (loaded) return loaded;
    bool isLast = name == found->back();
    notes.push_back("a checkpoint is passed over: " + loaded.status().message() +
                    (isLast ? "" : "; trying the one before it"));
  }
  return notFound("none of the " + std::to_string(found->size()) + " checkpoints in `" +
                  target.location("") + "` can be used");
}

Status Checkpoints::restore(const Loaded &loaded, const std::vector<StateBinding> &all) {
  std::vector<StateBinding> state = loaded.manifest.isLight ? modelOf(all) : all;
  for (const StateBinding &entry : state) {
    const SafeTensor *tensor = loaded.file.find(entry.name);
    if (!tensor)
      return invalidArgument("the checkpoint has no `" + entry.name +
                             "`, which this program needs");
    if (tensor->dtype != entry.dtype || tensor->shape != entry.shape ||
        tensor->sizeBytes != entry.sizeBytes)
      return invalidArgument("`" + entry.name + "` is " + shapeText(tensor->dtype, tensor->shape) +
                             " in the checkpoint and " + shapeText(entry.dtype, entry.shape) +
                             " in this program");
  }
  for (const SafeTensor &tensor : loaded.file.tensors()) {
    bool known = std::any_of(state.begin(), state.end(),
                             [&](const StateBinding &entry) { return entry.name == tensor.name; });
    if (!known)
      return invalidArgument("the checkpoint has `" + tensor.name +
                             "`, which this program does not have");
  }
  for (const StateBinding &entry : state) {
    if (entry.sizeBytes)
      std::memcpy(entry.data, loaded.file.find(entry.name)->data, entry.sizeBytes);
  }
  return Status::ok();
}

Status Checkpoints::adopt(const std::string &name, const Manifest &from) {
  Expected<std::vector<std::string>> found = names(true);
  if (!found) return found.status();
  std::vector<std::string> beyond, before, marked; // the last two: oldest first
  auto mark = [&marked](const Manifest &manifest) {
    if (manifest.best && manifest.best->step >= 0) marked.push_back(nameOf(manifest.best->step));
  };
  own.clear();
  ownLight.clear();
  for (auto it = found->rbegin(); it != found->rend(); ++it) { // oldest first
    Expected<Manifest> manifest = readManifest(*it);
    if (!manifest || manifest->run != from.run || *it == name) continue;
    bool isBeyond = stepOf(*it) > from.step;
    if (isLight(*it))
      ownLight.push_back(*it);
    else
      (isBeyond ? beyond : before).push_back(*it);
    if (!isBeyond) mark(*manifest);
  }
  mark(from);
  // Those beyond could not be used, or the run would go on from them: they go first.
  own = beyond;
  own.insert(own.end(), before.begin(), before.end());
  own.push_back(name);
  theBest.clear();
  for (const std::string &best : marked) // of those that are there the last one that was marked
    if (std::count(own.begin(), own.end(), best)) theBest = best;
  last = name;
  lastManifest = from;
  return Status::ok();
}

} // namespace dlm
