// Snapshot here, writing there.
#include "runtime/launch/RunSaver.h"

#include <algorithm>
#include <cstdio>

namespace dlm {

namespace {

constexpr int64_t DeadlineMs = 60000, DeadlineBytesPerMs = 10000; // 10 MB/s is a poor disk
constexpr uint64_t ManifestBytes = 64 << 10, HeadBytesOfTensor = 160;

std::string megabytes(uint64_t bytes) {
  char text[32];
  std::snprintf(text, sizeof text, bytes < 10000000 ? "%.2f MB" : "%.0f MB", double(bytes) * 1e-6);
  return text;
}

uint64_t fileBytes(const std::vector<StateBinding> &state) {
  return stateBytes(state) + state.size() * HeadBytesOfTensor + ManifestBytes;
}

} // namespace

RunSaver::RunSaver(std::unique_ptr<Store> store, int64_t keep)
    : core(std::make_shared<Core>(std::move(store), keep)) {}

Status RunSaver::find(bool resumes, std::optional<Checkpoints::Loaded> &from,
                      std::vector<std::string> &notes) {
  Checkpoints &checkpoints = core->checkpoints;
  std::string folder = core->store->location("");
  Expected<std::vector<std::string>> parts = checkpoints.parts();
  if (!parts) return parts.status();
  if (!resumes && !parts->empty())
    return invalidArgument("`" + folder + "` already holds checkpoints of a run (" + parts->back() +
                           "); --resume goes on with it, --to DIR starts one elsewhere");
  DLM_TRY(core->store->prepare()); // nobody else writes from here on
  Expected<std::vector<std::string>> names = checkpoints.names();
  if (!names) return names.status();
  if (resumes && names->empty())
    notes.push_back("note: there is no checkpoint in `" + folder + "`; starting at the beginning");
  if (names->empty()) return Status::ok();
  std::vector<std::string> passedOver;
  Expected<Checkpoints::Loaded> latest = checkpoints.latest(passedOver);
  for (const std::string &text : passedOver)
    notes.push_back("warning: " + text);
  if (!latest) return latest.status();
  from = latest.take();
  return checkpoints.adopt(from->name, from->manifest);
}

Status RunSaver::checkRoom(const std::vector<StateBinding> &all, int64_t saves, bool hasLight) {
  uint64_t full = fileBytes(all);
  int64_t more = std::min(core->checkpoints.mostAtOnce() - core->checkpoints.ownCount(), saves);
  uint64_t needed = full * uint64_t(std::max<int64_t>(more, 1));
  if (hasLight) needed += 2 * fileBytes(modelOf(all));
  Expected<uint64_t> free = core->store->freeBytes();
  if (free && *free < needed)
    return Status::error(
        Code::NoSpace, "`" + core->store->location("") + "` has " + megabytes(*free) +
                           " of free space" + ", and this run needs " + megabytes(needed) +
                           " there: " + std::to_string(more) +
                           (more == 1 ? " checkpoint" : " checkpoints") + " of " + megabytes(full) +
                           (hasLight ? " and light ones" : "") +
                           ". Free some, train with --to DIR on another disk, or keep fewer with " +
                           "`checkpoint { keep = 1 }`");
  return core->store->tryRoom(full).withContext("there is no room for a checkpoint");
}

void RunSaver::begin(const Manifest &manifest, const std::vector<StateBinding> &entries) {
  common = manifest;
  state = entries;
  parameters = modelOf(entries);
  core->snapshot.emplace(stateBytes(state));
  if (!deadline) deadline = DeadlineMs + int64_t(stateBytes(state)) / DeadlineBytesPerMs;
  if (!core->checkpoints.lastSaved().empty())
    last = core->checkpoints.location(core->checkpoints.lastSaved());
}

Status RunSaver::start(const Manifest &now, bool isLight) {
  Manifest manifest = common;
  manifest.isLight = isLight;
  manifest.step = now.step;
  manifest.attempt = now.attempt;
  manifest.epoch = now.epoch;
  manifest.metrics = now.metrics;
  underWay = {};
  underWay.name = Checkpoints::nameOf(now.step, isLight);
  underWay.step = now.step;
  underWay.isLight = isLight;
  DLM_TRY(core->snapshot->take(isLight ? parameters : state, Checkpoints::metadataOf(manifest)));
  isTaken = false;
  thread.start([core = core, manifest = std::move(manifest)] {
    core->notes.clear();
    return core->checkpoints.save(manifest, *core->snapshot, core->notes);
  });
  return Status::ok();
}

void RunSaver::amend(const std::map<std::string, MeasuredSplit> &metrics, int64_t step) {
  if (core->checkpoints.lastSaved() != Checkpoints::nameOf(step)) return;
  underWay = {};
  underWay.isAmendment = true;
  isTaken = false;
  thread.start([core = core, metrics] {
    core->notes.clear();
    return core->checkpoints.amend(metrics);
  });
}

bool RunSaver::waitUntilFree() {
  // Who has hung once gets no second chance to hold up the training.
  bool isFree = thread.wait(hasGivenUp ? 0 : deadline);
  hasGivenUp = !isFree;
  return isFree;
}

std::optional<SaveResult> RunSaver::take() {
  if (isTaken || thread.isBusy()) return std::nullopt;
  isTaken = true;
  underWay.status = thread.result();
  underWay.notes = std::move(core->notes);
  if (underWay.status.isOk() && !underWay.isAmendment && !underWay.isLight)
    last = core->checkpoints.location(underWay.name);
  return underWay;
}

std::string RunSaver::lastLocation() const { return last; }

} // namespace dlm
