// Snapshot here, writing there.
#include "runtime/launch/RunSaver.h"

#include <algorithm>
#include <cstdio>

namespace dlm {

namespace {

constexpr int64_t DeadlineMs = 60000, DeadlineBytesPerMs = 10000; // 10 MB/s is a poor disk
/// What is measured makes a manifest longer than it is now; disks give whole blocks.
constexpr uint64_t MeasuredBytes = 2 << 10, BlockBytes = 4 << 10;

std::string megabytes(uint64_t bytes) {
  char text[32];
  bool isSmall = bytes < 1000000;
  std::snprintf(text, sizeof text,
                isSmall            ? "%.1f kB"
                : bytes < 10000000 ? "%.2f MB"
                                   : "%.0f MB",
                double(bytes) * (isSmall ? 1e-3 : 1e-6));
  return text;
}

uint64_t inBlocks(uint64_t bytes) { return (bytes + BlockBytes - 1) / BlockBytes * BlockBytes; }

/// What the two files of a checkpoint take on a disk.
Expected<uint64_t> checkpointBytes(const std::vector<StateBinding> &state,
                                   const Manifest &manifest) {
  std::vector<SafeTensor> tensors;
  for (const StateBinding &entry : state)
    tensors.push_back({entry.name, entry.dtype, entry.shape, nullptr, entry.sizeBytes});
  Expected<SafetensorsLayout> layout =
      layoutSafetensors(tensors, Checkpoints::metadataOf(manifest));
  if (!layout) return layout.status();
  return inBlocks(layout->head.size() + layout->dataBytes) +
         inBlocks(manifestText(manifest).size() + MeasuredBytes);
}

} // namespace

SaveCounts saveCounts(const RunSchedule &schedule, int64_t step) {
  SaveCounts counts;
  Interval every = schedule.checkpoint;
  int64_t steps = schedule.steps ? schedule.steps - step : INT64_MAX;
  if (every.samples && schedule.steps)
    counts.certain = counts.most = steps * schedule.stepSamples() / every.samples + 1;
  else if (every.ms && schedule.durationMs)
    counts.certain = counts.most = schedule.durationMs / every.ms + 1;
  else
    counts.most = steps; // how long a step takes is not known
  if (schedule.keepsBest) counts.most = std::max(counts.most, steps); // a new best is saved at once
  return counts;
}

RunSaver::RunSaver(std::unique_ptr<Store> store, int64_t keep, bool keepsBest)
    : core(std::make_shared<Core>(std::move(store), keep, keepsBest)) {}

RunSaver::~RunSaver() {
  if (isFree()) core->store->forsake();
}

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
  if (resumes) DLM_TRY(checkpoints.finishCutOff());
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

Status RunSaver::checkRoom(SaveCounts saves, bool hasLight, std::vector<std::string> &notes) {
  Expected<uint64_t> all = checkpointBytes(state, common);
  Expected<uint64_t> ofModel = checkpointBytes(parameters, common);
  if (!all || !ofModel) return all ? ofModel.status() : all.status();
  uint64_t full = *all, light = hasLight ? 2 * *ofModel : 0;
  int64_t room = core->checkpoints.mostAtOnce() - core->checkpoints.ownCount();
  int64_t certain = std::max<int64_t>(std::min(room, saves.certain), 1);
  int64_t most = std::max(std::min(room, saves.most), certain);
  Expected<uint64_t> free = core->store->freeBytes();
  auto needs = [&](int64_t count) {
    return megabytes(full * uint64_t(count) + light) + " there: " + std::to_string(count) +
           (count == 1 ? " checkpoint" : " checkpoints") + " of " + megabytes(full) +
           (hasLight ? " and light ones" : "");
  };
  std::string has = free ? "`" + core->store->location("") + "` has " + megabytes(*free) +
                               " of free space, and this run "
                         : "";
  std::string advice = ". Free some, train with --to DIR on another disk, or keep fewer with "
                       "`checkpoint { keep = 1 }`";
  if (free && *free < full * uint64_t(certain) + light)
    return Status::error(Code::NoSpace, has + "needs " + needs(certain) + advice);
  if (free && *free < full * uint64_t(most) + light)
    notes.push_back("warning: " + has + "may come to need " + needs(most) + advice);
  std::string what = certain == 1 ? "a checkpoint" : std::to_string(certain) + " checkpoints";
  return core->store->tryRoom(full, certain).withContext("there is no room for " + what);
}

void RunSaver::begin(const Manifest &manifest, const std::vector<StateBinding> &entries) {
  common = manifest;
  state = entries;
  parameters = modelOf(entries);
  core->snapshot.emplace(stateBytes(state));
  if (!deadline) deadline = DeadlineMs + int64_t(stateBytes(state)) / DeadlineBytesPerMs;
  if (!core->checkpoints.lastSaved().empty())
    last = core->checkpoints.location(core->checkpoints.lastSaved());
  bestName = core->checkpoints.best();
}

Status RunSaver::start(const Manifest &now, bool isLight) {
  Manifest manifest = common;
  manifest.isLight = isLight;
  manifest.step = now.step;
  manifest.attempt = now.attempt;
  manifest.epoch = now.epoch;
  manifest.metrics = now.metrics;
  manifest.best = now.best;
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

void RunSaver::amend(const Manifest &now) {
  if (core->checkpoints.lastSaved() != Checkpoints::nameOf(now.step)) return;
  underWay = {};
  underWay.isAmendment = true;
  isTaken = false;
  thread.start([core = core, metrics = now.metrics, best = now.best] {
    core->notes.clear();
    return core->checkpoints.amend(metrics, best, core->notes);
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
  bestName = core->checkpoints.best();
  return underWay;
}

std::string RunSaver::lastLocation() const { return last; }

std::string RunSaver::locationOfBest(int64_t step) const {
  bool isThere = !bestName.empty() && bestName == Checkpoints::nameOf(step);
  return isThere ? core->checkpoints.location(bestName) : "";
}

} // namespace dlm
