// `eval`: the metrics of a checkpoint on the validation and test data.
#include "runtime/launch/Commands.h"

#include "runtime/launch/DataCheck.h"
#include "runtime/launch/MeasuredFile.h"
#include "runtime/launch/RestoredSession.h"

#include <algorithm>

namespace dlm {

namespace {

/// Says that a file is measured as a whole, and calls its part by a name that is none of the
/// program's.
void tellOfFile(const DataSpec &spec, int64_t count, MetricSink &sink) {
  sink.note("note: `" + spec.path + "` is not cut into the parts of `" + spec.name +
            "`: all its samples, " + std::to_string(count) + ", are measured as one");
}

} // namespace

Status evalCommand(const CommandContext &context) {
  plan::RecipeT recipe;
  context.plan.recipe()->UnPackTo(&recipe);
  Expected<DataSpec> spec = dataSpecOf(recipe, context.line.data);
  if (!spec) return spec.status();
  Expected<MeasuredFile> measured = measuredFile(*spec, context.plan, context.stop);
  if (!measured) return measured.status().withContext("data `" + spec->name + "`");
  bool isWhole = bool(measured->data);
  Expected<std::unique_ptr<DataSource>> data = std::move(measured->data);
  if (!isWhole) data = openData(context, recipe);
  if (!data) return data.status();
  DataCheck check(*spec);
  std::unique_ptr<MetricSink> sink = makeSink(context);
  Expected<RestoredSession> restored = restoreSession(context, recipe, *sink);
  if (!restored) return restored.status();
  DLM_TRY(mapSamples(context, restored->info.seed, restored->options, *data, &measured->spec));
  Session &session = *restored->session;
  if (!session.canEvaluate()) return invalidArgument("this program has no evaluation");
  const Manifest &info = restored->info;
  const std::string &location = restored->location;
  for (Split split : {Split::Validation, Split::Test}) { // what reading finds wrong says more
    Expected<const Dataset *> samples = (*data)->get(split, &context.stop);
    if (!samples) return samples.status();
    if (isWhole && split == Split::Validation) tellOfFile(*spec, (*samples)->size(), *sink);
  }
  if (!isWhole) DLM_TRY(check.tell(context.line.acceptChanges, context.stop, *sink));
  Expected<std::vector<SplitRecord>> records =
      evaluateSplits(session, **data, {Split::Validation, Split::Test}, context.stop);
  for (const std::string &text : (*data)->takeWarnings())
    sink->note("warning: " + text);
  if (!records) return records.status();
  if (records->empty()) return invalidArgument("this program has neither validation nor test data");
  if (isWhole) records->front().split = "file";
  double epoch = double(info.attempt) * double(info.batch) /
                 double(std::max<int64_t>(recipe.data->train_count, 1));
  if (context.line.json) {
    FinalRecord record;
    record.step = info.step;
    record.epoch = epoch;
    record.checkpoint = location;
    record.splits = records.take();
    sink->finish(record);
    return Status::ok();
  }
  std::fprintf(context.surroundings.out, "checkpoint %s\n", location.c_str());
  sink->evaluated({info.step, epoch, records.take()});
  return Status::ok();
}

} // namespace dlm
