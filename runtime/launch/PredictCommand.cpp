// `predict`: what the program's hook `predict` says of each row of a file, or of a part of its own
// data, with the parameters of a checkpoint. The rows are read before anything is written, or what
// is written is kept until all are.
#include "runtime/launch/Commands.h"

#include "runtime/data/RowFile.h"
#include "runtime/launch/CheckedData.h"
#include "runtime/launch/DataCheck.h"
#include "runtime/launch/MappedData.h"
#include "runtime/launch/MemoryCheck.h"
#include "runtime/launch/PredictionFile.h"
#include "runtime/launch/RestoredSession.h"
#include "runtime/metrics/TextProgress.h"

#include <unistd.h>

namespace dlm {

namespace {

constexpr int64_t RedrawNs = 200000000;

/// The samples to predict for, and what they are read from.
struct Samples {
  std::unique_ptr<DataSource> source;
  RowFile rows;
  std::optional<Split> split; // the part of the program's own data that they are
  int64_t first = 0;          // then the number of the first among all of the data
  std::unique_ptr<Dataset> mapped, checked;
  const Dataset *dataset = nullptr;
  bool isInMemory = true; // before they are mapped
};

Expected<Samples> openSamples(const CommandContext &context, const DataSpec &spec,
                              const std::vector<FieldSpec> &fields) {
  Samples samples;
  if (!context.line.split) {
    Expected<RowFile> rows = readRows(spec, spec.path, fields, {&context.stop});
    if (!rows) return rows.status();
    samples.rows = rows.take();
    samples.dataset = samples.rows.samples.get();
    samples.isInMemory = samples.dataset->isInMemory();
    return samples;
  }
  DLM_TRY(checkMemory(context.plan, spec));
  Expected<std::unique_ptr<DataSource>> source = openDataSource(spec);
  if (!source) return source.status();
  samples.source = source.take();
  Split split = *context.line.split == "train"  ? Split::Train
                : *context.line.split == "test" ? Split::Test
                                                : Split::Validation;
  samples.split = split;
  Expected<const Dataset *> dataset = samples.source->get(split, &context.stop);
  if (!dataset) return dataset.status();
  if ((*dataset)->size() == 0)
    return invalidArgument("the data `" + spec.name + "` has no " + *context.line.split + " part");
  samples.dataset = *dataset;
  samples.isInMemory = samples.dataset->isInMemory();
  for (int before = 0; before < int(split); ++before)
    samples.first += spec.counts[before];
  return samples;
}

/// Puts what `data.map` makes of the samples in their place.
Status mapRows(const CommandContext &context, const RestoredSession &restored, Samples &samples) {
  Expected<std::unique_ptr<Dataset>> mapped =
      mapPredicted(*samples.dataset, context.plan, context.backend.kernels(),
                   {restored.info.seed, restored.options, 0}, samples.first);
  if (!mapped) return mapped.status();
  samples.mapped = mapped.take();
  samples.dataset = samples.mapped.get();
  return Status::ok();
}

/// Looks at the ids of the samples.
Status checkIds(const CommandContext &context, const DataSpec &spec, Samples &samples) {
  auto origin = [spec, split = samples.split](int64_t index) {
    return split ? nameOfSample(spec, *split, index)
                 : "`" + spec.path + "`: sample " + std::to_string(index);
  };
  Expected<std::unique_ptr<Dataset>> checked =
      checkRows(*samples.dataset, context.plan, origin, context.stop);
  if (!checked) return checked.status();
  samples.checked = checked.take();
  samples.dataset = samples.checked.get();
  return Status::ok();
}

/// A line on standard error that is rewritten, if that is a terminal which shows nothing else.
class Progress {
public:
  Progress(const CommandContext &context, int64_t total)
      : err(context.surroundings.err), clock(*context.surroundings.clock), total(total),
        isShown(isatty(fileno(err)) == 1 && (context.line.to || !context.surroundings.isTerminal)) {
  }
  ~Progress() {
    if (isDrawn) std::fputs("\r\033[K", err);
  }

  void advance(int64_t rows) {
    done += rows;
    int64_t now = clock.monotonicNs();
    if (!isShown || now - lastNs < RedrawNs) return;
    lastNs = now;
    isDrawn = true;
    std::fprintf(err, "\r\033[Kpredicted %s of %s", countText(done).c_str(),
                 countText(total).c_str());
    std::fflush(err);
  }

private:
  std::FILE *err;
  Clock &clock;
  int64_t total, done = 0, lastNs = 0;
  bool isShown, isDrawn = false;
};

/// The classes that a row of real numbers is of, if it has one for each; so are probabilities.
std::vector<std::string> classesOf(const CommandValue &value, const DataSpec &spec) {
  bool isRow = value.tensor.dtype == plan::DType::F32 && value.tensor.shape.size() == 2;
  if (!isRow) return {};
  for (const char *field : {"label", "target"}) {
    std::vector<std::string> names = namesOfIds(spec, field);
    if (names.size() > 1 && int64_t(names.size()) == value.tensor.shape[1]) return names;
  }
  return {};
}

/// Ids are written by their names where a result is called like what they are ids of.
std::vector<PredictionColumn> columnsOf(std::vector<CommandValue> values, const DataSpec &spec,
                                        PredictionForm form) {
  std::vector<PredictionColumn> columns;
  for (CommandValue &value : values) {
    bool isWhole = value.tensor.dtype == plan::DType::I32 || value.tensor.dtype == plan::DType::I64;
    bool isId = isWhole && !value.isTruth && form != PredictionForm::Npy;
    std::vector<std::string> names =
        isId ? namesOfIds(spec, value.name) : std::vector<std::string>();
    std::vector<std::string> classes = classesOf(value, spec);
    columns.push_back({std::move(value), std::move(names), std::move(classes)});
  }
  return columns;
}

/// Predicts for all samples, a batch at a time.
Status writeRows(const CommandContext &context, Session &session, const Dataset &dataset,
                 const PredictionFile &file, PredictionText &text) {
  Progress progress(context, dataset.size());
  text.begin(dataset.size());
  DLM_TRY(session.predict(dataset, context.stop, [&](int64_t rows) {
    text.add(rows);
    progress.advance(rows);
    return file.check();
  }));
  return file.check();
}

/// What the user has to know of the samples and of what was predicted for them.
void tellOf(const Samples &samples, const PredictionText &text, const DataSpec &spec,
            MetricSink &sink) {
  if (samples.source)
    for (const std::string &warning : samples.source->takeWarnings())
      sink.note("warning: " + warning);
  if (samples.dataset->size() == 0)
    sink.note("note: `" + spec.path + "` holds no rows, so there are no predictions");
  if (std::string odd = text.oddRows(); !odd.empty()) sink.note("warning: " + odd);
}

/// Where the samples are that the command reads, and those of the program itself.
std::vector<std::string> dataPaths(const plan::RecipeT &recipe, const DataSpec &spec) {
  std::vector<std::string> paths = {recipe.data->path};
  for (Split split : {Split::Train, Split::Validation, Split::Test})
    paths.push_back(spec.pathOf(split));
  return paths;
}

Status checkRequest(const CommandLine &line, const DataSpec &spec, bool canPredict) {
  if (!canPredict)
    return invalidArgument("this program does not say what it predicts; a function of its train "
                           "block does: `fn predict(batch) { (name = ...) }`");
  if (!line.data.empty() && line.split)
    return invalidArgument("--data predicts for the rows of a file, --split for a part of the "
                           "program's own data; give one");
  if (line.acceptChanges && !line.split)
    return invalidArgument("--accept-changes is of --split: the rows of a file are compared with "
                           "nothing");
  if (!line.data.empty() || line.split) return Status::ok();
  std::string part = spec.counts[int(Split::Test)] > 0         ? "test"
                     : spec.counts[int(Split::Validation)] > 0 ? "validation"
                                                               : "train";
  return invalidArgument("`predict` needs --data FILE, whose rows it is for, or --split " + part +
                         " for a part of `" + spec.name + "`");
}

} // namespace

Status predictCommand(const CommandContext &context) {
  plan::RecipeT recipe;
  context.plan.recipe()->UnPackTo(&recipe);
  Expected<DataSpec> spec = dataSpecOf(recipe, context.line.data);
  if (!spec) return spec.status();
  DLM_TRY(checkRequest(context.line, *spec, canPredict(context.plan)));
  PredictionFile file(context.line, context.surroundings.out);
  DLM_TRY(file.open(dataPaths(recipe, *spec)));
  if (context.line.acceptChanges) spec->fittedHash.clear();
  std::optional<DataCheck> check;
  if (context.line.split) check.emplace(*spec);
  std::unique_ptr<MetricSink> sink = makeSink(context);
  Expected<RestoredSession> restored = restoreSession(context, recipe, *sink);
  if (!restored) return restored.status();
  Session &session = *restored->session;
  bool hasMaps = isMapped(context.plan);
  Expected<Samples> samples =
      openSamples(context, *spec, hasMaps ? predictedFrom(context.plan) : session.predictedFrom());
  if (!samples) return samples.status();
  if (check) DLM_TRY(check->tell(context.line.acceptChanges, context.stop, *sink));
  if (hasMaps) DLM_TRY(mapRows(context, *restored, *samples));
  DLM_TRY(checkIds(context, *spec, *samples));
  Expected<std::vector<CommandValue>> values = session.predictions();
  if (!values) return values.status();
  if (file.form() == PredictionForm::Npy && (values->size() != 1 || !samples->rows.names.empty()))
    return invalidArgument("a .npy file holds one tensor, and this program predicts several "
                           "columns: name the file .csv or .jsonl");
  if (!samples->isInMemory) DLM_TRY(file.collect());
  PredictionText text(file.stream(), file.form(), columnsOf(values.take(), *spec, file.form()),
                      samples->rows.names);
  Status written = writeRows(context, session, *samples->dataset, file, text);
  if (file.isUnwanted()) return Status::ok();
  DLM_TRY(written);
  tellOf(*samples, text, *spec, *sink);
  return file.close();
}

} // namespace dlm
