// Finds the checkpoint, opens the program, and puts the one into the other.
#include "runtime/launch/RestoredSession.h"

#include "runtime/launch/ResumePoint.h"
#include "runtime/store/FileStore.h"

#include <sys/stat.h>

namespace dlm {

CheckpointPath splitCheckpointPath(const std::string &path) {
  struct stat info;
  bool isThere = stat(path.c_str(), &info) == 0;
  size_t slash = path.rfind('/');
  if (!isThere && path.substr(slash + 1) == Checkpoints::BestKey) // npos + 1 is 0
    return {slash == std::string::npos ? "" : path.substr(0, slash), Checkpoints::BestKey};
  if (!isThere || !S_ISREG(info.st_mode)) return {path, ""};
  if (slash == std::string::npos) return {".", path};
  return {slash == 0 ? "/" : path.substr(0, slash), path.substr(slash + 1)};
}

Expected<RestoredSession> restoreSession(const CommandContext &context, const plan::RecipeT &recipe,
                                         MetricSink &sink) {
  CheckpointPath path = splitCheckpointPath(context.line.from.value_or(checkpointFolder(recipe)));
  if (path.folder.empty()) path.folder = checkpointFolder(recipe);
  std::unique_ptr<Store> store = makeFileStore(path.folder);
  Checkpoints checkpoints(*store, 1);
  std::vector<std::string> notes;
  Expected<Checkpoints::Loaded> loaded =
      path.key.empty() ? checkpoints.latest(notes, true) : checkpoints.read(path.key);
  for (const std::string &note : notes)
    sink.note("warning: " + note);
  struct stat info;
  if (!loaded && stat(path.folder.c_str(), &info) != 0)
    return notFound("there is no checkpoint in `" + path.folder + "`: the folder does not exist");
  if (!loaded) return loaded.status();
  RestoredSession result;
  result.location = checkpoints.location(loaded->name);
  Expected<std::unique_ptr<Session>> session = openSession(context);
  if (!session) return session.status();
  result.session = session.take();
  ResumePoint start = startOf({recipe, context.options, context.line, ""});
  for (const auto &[name, value] : loaded->manifest.options) {
    if (start.options.count(name) && !context.line.options.count(name)) start.options[name] = value;
  }
  DLM_TRY(result.session->initialise(loaded->manifest.seed, start.options));
  Status restored = Checkpoints::restore(*loaded, result.session->state());
  if (!restored.isOk())
    return restored.withContext("cannot use the checkpoint `" + result.location + "`");
  DLM_TRY(result.session->commit());
  result.info = loaded->manifest;
  result.options = start.options;
  return result;
}

} // namespace dlm
