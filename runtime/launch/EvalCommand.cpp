// `eval`: the metrics of a checkpoint on the validation and test data.
#include "runtime/launch/Commands.h"

#include "runtime/launch/ResumePoint.h"
#include "runtime/store/FileStore.h"

#include <algorithm>
#include <sys/stat.h>

namespace dlm {

namespace {

/// A checkpoint as the user named it: a file, or a folder whose latest one is meant.
struct CheckpointPath {
  std::string folder;
  std::string key; // empty: the latest
};

CheckpointPath splitPath(const std::string &path) {
  struct stat info;
  if (stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return {path, ""};
  size_t slash = path.rfind('/');
  if (slash == std::string::npos) return {".", path};
  return {slash == 0 ? "/" : path.substr(0, slash), path.substr(slash + 1)};
}

} // namespace

Status evalCommand(const CommandContext &context) {
  plan::RecipeT recipe;
  context.plan.recipe()->UnPackTo(&recipe);
  Expected<std::unique_ptr<DataSource>> data = openData(context, recipe);
  if (!data) return data.status();
  CheckpointPath path = splitPath(context.line.from.value_or(checkpointFolder(recipe)));
  std::unique_ptr<Store> store = makeFileStore(path.folder);
  Checkpoints checkpoints(*store, 1);
  std::vector<std::string> notes;
  Expected<Checkpoints::Loaded> loaded =
      path.key.empty() ? checkpoints.latest(notes) : checkpoints.read(path.key);
  std::unique_ptr<MetricSink> sink = makeSink(context);
  for (const std::string &note : notes)
    sink->note("warning: " + note);
  if (!loaded) return loaded.status();
  std::string location = store->location(loaded->key);
  Expected<std::unique_ptr<Session>> session = openSession(context);
  if (!session) return session.status();
  if (!(*session)->canEvaluate()) return invalidArgument("this program has no evaluation");
  ResumePoint start = startOf({recipe, context.options, context.line, ""});
  for (const auto &[name, value] : loaded->info.options) {
    if (start.options.count(name) && !context.line.options.count(name)) start.options[name] = value;
  }
  DLM_TRY((*session)->initialise(loaded->info.seed, start.options));
  Status restored = Checkpoints::restore(*loaded, (*session)->state());
  if (!restored.isOk()) return restored.withContext("cannot evaluate `" + location + "`");
  DLM_TRY((*session)->commit());
  Expected<std::vector<SplitRecord>> records =
      evaluateSplits(**session, **data, {Split::Validation, Split::Test}, context.stop);
  for (const std::string &text : (*data)->takeWarnings())
    sink->note("warning: " + text);
  if (!records) return records.status();
  if (records->empty()) return invalidArgument("this program has neither validation nor test data");
  double epoch = double(loaded->info.attempt) * double(loaded->info.batch) /
                 double(std::max<int64_t>(recipe.data->train_count, 1));
  if (context.line.json) {
    FinalRecord record;
    record.step = loaded->info.step;
    record.epoch = epoch;
    record.checkpoint = location;
    record.splits = records.take();
    sink->finish(record);
    return Status::ok();
  }
  std::fprintf(context.surroundings.out, "checkpoint %s\n", location.c_str());
  sink->evaluated({loaded->info.step, epoch, records.take()});
  return Status::ok();
}

} // namespace dlm
