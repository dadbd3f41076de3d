// Going on from a checkpoint, and writing one: the files are those of `PROGRAM train`.
#include "compiler/embed/RunParts.h"
#include "runtime/store/FileStore.h"

namespace dlm::embed {

Status Run::Parts::findCheckpoint(const std::string &path) {
  CheckpointPath place = splitCheckpointPath(path);
  std::unique_ptr<Store> store = makeFileStore(place.folder);
  Checkpoints checkpoints(*store, 1);
  std::vector<std::string> notes;
  bool isLatest = place.key.empty();
  Expected<Checkpoints::Loaded> loaded =
      isLatest ? checkpoints.latest(notes) : checkpoints.read(place.key);
  if (!loaded) return loaded.status();
  resumed = loaded.take();
  resumedPath = checkpoints.location(resumed->name);
  if (isLatest) resumedFolder = place.folder;
  std::string what = "cannot go on from `" + resumedPath + "`";
  if (resumed->manifest.isLight)
    return invalidArgument(what + ": it is a light one, of parameters alone");
  Expected<ResumePoint> point = resumeFrom(request(), resumed->manifest);
  if (!point) return point.status().withContext(what);
  start = point.take();
  start.notes.insert(start.notes.begin(), notes.begin(), notes.end());
  return Status::ok();
}

Status Run::Parts::restore() {
  std::string what = "cannot go on from `" + resumedPath + "`";
  Manifest now = describeRun(*program->plan, request(), start, schedule, dataFiles());
  Expected<std::vector<std::string>> notes = notesOfChanges(resumed->manifest, now, acceptsChanges);
  if (!notes) return notes.status().withContext(what);
  start.notes.insert(start.notes.end(), notes->begin(), notes->end());
  DLM_TRY(Checkpoints::restore(*resumed, state).withContext(what));
  Position place = session->position();
  if (place.step != resumed->manifest.step || place.attempt != resumed->manifest.attempt)
    return corrupt("`" + resumedPath + "` disagrees with itself about its step");
  session->setSeed(start.seed);
  resumed->file = {};
  return Status::ok();
}

Status Run::Parts::openSaver(const std::string &folder) {
  if (saver && saverFolder == folder) return Status::ok();
  saver.emplace(makeFileStore(folder), int64_t(session->recipe().checkpoint_keep));
  saverFolder.clear();
  bool goesOn = !resumedFolder.empty() && folder == resumedFolder;
  Expected<std::vector<std::string>> parts = saver->checkpoints().parts();
  if (!parts) return parts.status();
  if (!goesOn && !parts->empty())
    return invalidArgument("`" + folder + "` already holds checkpoints of a run (" + parts->back() +
                           "); save to another folder, or open this one by `from`");
  std::optional<Checkpoints::Loaded> latest;
  std::vector<std::string> notes;
  DLM_TRY(saver->find(goesOn, latest, notes));
  Manifest manifest = describeRun(*program->plan, request(), start, schedule, dataFiles());
  manifest.run = goesOn ? resumed->manifest.run : newRunName();
  saver->begin(manifest, state);
  saverFolder = folder;
  return Status::ok();
}

Expected<std::string> Run::Parts::save(const std::string &folder) {
  DLM_TRY(openSaver(folder));
  Manifest now;
  now.step = session->position().step;
  now.attempt = session->position().attempt;
  now.epoch = schedule.epoch(now.attempt);
  if (loader) {
    MeasuredSplit &train = now.metrics[splitName(dlm::Split::Train)];
    train.step = now.step;
    for (const NamedValue &value : session->reportedValues())
      train.values[value.name] = value.value;
  }
  DLM_TRY(session->pull());
  if (!saver->waitUntilFree())
    return Status::error(Code::Io, "the save before, into `" + folder + "`, has not ended");
  saver->take();
  DLM_TRY(saver->start(now, false));
  if (!saver->waitUntilFree())
    return Status::error(Code::Io, "the save into `" + folder + "` takes too long");
  std::optional<SaveResult> result = saver->take();
  if (!result) return internalError("a save has ended without a result");
  for (const std::string &note : result->notes)
    start.notes.push_back(note);
  DLM_TRY(result->status);
  return saver->lastLocation();
}

Result<std::string> Run::save(const std::string &folder) {
  return guarded([&]() -> Result<std::string> {
    Expected<std::string> path = parts->save(folder);
    if (!path) return reportOf(path.status());
    return {path.take(), parts->warnings()};
  });
}

} // namespace dlm::embed
