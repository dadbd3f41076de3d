// A source is made in three steps: what its files hold (so far always a description), what the
// call says about it, and the fields that follow from both.
#include "compiler/sema/data/DataKinds.h"

#include "compiler/sema/data/FieldIds.h"
#include "compiler/sema/data/LabelParts.h"
#include "compiler/sema/data/SourceCall.h"
#include "compiler/sema/evaluate/Evaluator.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace dlm::sema {

const char *const exampleOfFields =
    R"({ "train": 1000, "classes": 10, "fields": { "x": "f32[168]", "label": "i32" } })";

const char *const exampleOfImages = R"({ "train": 1000, "classes": 10 })";

bool addDescribed(SourceCall &call, DataSource &source) {
  if (!call.describedBy.empty()) source.fields = call.schema.fields;
  return source.fields.empty() ? call.lacks("fields") : true;
}

namespace {

bool addMasks(SourceCall &call, DataSource &source) {
  if (source.classes < 1) return call.lacks("classes");
  source.fields = {{"image", call.image(source, true)}, {"mask", call.image(source, false)}};
  return true;
}

const SourceKindSteps &stepsOf(const std::string &name) {
  static const std::vector<SourceKindSteps> rows = {textSteps(),
                                                    tokensSteps(),
                                                    {"segmentation", exampleOfImages, addMasks},
                                                    {"hf", exampleOfFields, addDescribed},
                                                    {"webdataset", exampleOfFields, addDescribed},
                                                    tableSteps(),
                                                    arraySteps(),
                                                    jsonSteps(),
                                                    imageSteps()};
  return *std::find_if(rows.begin(), rows.end(),
                       [&](const SourceKindSteps &row) { return name == row.name; });
}

/// Cuts the validation and test parts that are given as a share or a number of samples; a path
/// names files of their own, whose counts the description has.
bool cutParts(SourceCall &call, DataSource &source) {
  int64_t whole = source.trainCount;
  for (const char *part : {"validation", "test"}) {
    const Operand *operand = call.argument(part);
    if (!operand || operand->value.is(ValueKind::String)) continue;
    std::optional<int64_t> count =
        partOf(call.evaluator, *operand, whole, std::string("the ") + part + " part");
    if (!count) return false;
    int64_t &cut = part == std::string("test") ? source.testCount : source.validationCount;
    if (isCountedTwice(call.evaluator, part, *operand, cut, source.description)) return false;
    cut = *count;
    if (cut == 0) warnOfEmptyPart(call.evaluator, part, *operand, whole);
    (part == std::string("test") ? source.isTestCut : source.isValidationCut) = true;
    source.trainCount -= *count;
  }
  if (source.arePartsMixed && !source.isValidationCut && !source.isTestCut)
    call.evaluator
        .report(Kind::EmptyPart, call.argument("split")->span,
                "`split` says how parts are cut, and no part is cut here")
        .help("`validation = 10%` or `test = 10%` cuts one; without them leave `split` out: "
              "training sees its samples in another order in each epoch anyway");
  if (source.trainCount > 0) return true;
  call.evaluator.report(Kind::SettingRange, call.call.span,
                        "no training samples are left of " + std::to_string(whole));
  return false;
}

/// How to describe the data, in `NAME.schema.json`.
std::string adviceToDescribe(const SourceKindSteps &steps, const Description &description) {
  return "`" + description.fileName() + "` beside the program, such as `" + steps.example +
         "`; then the program can be checked, and not be compiled";
}

void reportUnknown(Evaluator &evaluator, const BuiltinCall &call, const SourceKindSteps &steps,
                   const Description &description) {
  evaluator
      .report(Kind::DataSource, call.span,
              "what the files of `data." + std::string(steps.name) + "` hold is not known")
      .note("this compiler does not read them, and there is no description " + description.path)
      .help("describe them in " + adviceToDescribe(steps, description));
}

void reportMissing(Evaluator &evaluator, const BuiltinCall &call, const std::string &path,
                   const SourceKindSteps &steps, const Description &description) {
  evaluator.report(Kind::DataSource, call[0].span, "there is no such file")
      .note("it is looked for at " + path)
      .help("mend the path, which is relative to the program's file, or describe the data in " +
            adviceToDescribe(steps, description));
}

/// The absolute path of an argument that is a string; empty if it is none.
std::string pathOf(SourceCall &here, const Operand *operand) {
  bool isPath = operand && operand->value.is(ValueKind::String);
  return isPath ? pathFrom(here.evaluator, here.call.span, operand->value.asString()) : "";
}

/// Whether a source is asked for where a run computes already, which is reported.
bool isInHook(Evaluator &evaluator, const BuiltinCall &call) {
  bool isCommand = evaluator.context.isInCommand();
  if (!isCommand && !evaluator.context.data) return false;
  evaluator
      .report(Kind::DataSource, call.span,
              std::string("a ") + (isCommand ? "command" : "batch") +
                  " cannot open files: what a program reads is known when it is compiled")
      .help(isCommand ? "arguments of a command are numbers, bools and strings; the data of a run "
                        "is a source that a `let` of the file holds"
                      : "a source is held by a `let` of the file, and `data.map` changes its "
                        "samples");
  return true;
}

Value runSource(Evaluator &evaluator, const BuiltinCall &call) {
  namespace fs = std::filesystem;
  if (isInHook(evaluator, call)) return Value();
  if (!evaluator.needString(call[0], "the path of the data")) return Value();
  SourceCall here(evaluator, call);
  const SourceKindSteps &steps = stepsOf(call.builtin.name);
  DataSource source;
  source.kind = call.builtin.name;
  source.span = call.span;
  source.path = pathOf(here, &call[0]);
  source.validationPath = pathOf(here, here.argument("validation"));
  source.testPath = pathOf(here, here.argument("test"));
  if (const Operand *order = here.argument("order")) source.order = order->value.asString();
  readSplit(here, source);
  std::error_code error;
  bool isThere = steps.isThere ? steps.isThere(source) : fs::exists(source.path, error);
  bool isRead = steps.survey && isThere;
  if (isRead) {
    if (!steps.survey(here, source)) return Value();
  } else {
    Description description = describe(evaluator, call.span);
    if (!description.isThere) {
      if (steps.survey)
        reportMissing(evaluator, call, source.path, steps, description);
      else
        reportUnknown(evaluator, call, steps, description);
    }
    if (!description.schema) return Value();
    applySchema(evaluator, description, source);
    here.schema = *description.schema;
    here.describedBy = description.path;
    here.example = steps.example;
  }
  bool isFine = steps.addFields(here, source) && cutParts(here, source) &&
                (!isRead || !steps.finish || steps.finish(here, source));
  if (isFine) countIds(source);
  return isFine ? Value::data(std::move(source)) : Value();
}

} // namespace

void checkBatchable(Evaluator &evaluator, const DataSource &source, Span span) {
  for (const Field &field : source.fields)
    for (const Dim &dim : field.type.dims)
      for (const std::string &symbol : dim.extent.symbols()) {
        const Symbol &known = evaluator.program.symbols[symbol];
        if (!known.isSide) continue;
        evaluator
            .report(Kind::ShapeMismatch, span,
                    "the field `" + field.name + "` is `" + typeText(field.type) +
                        "`, of another size in each sample")
            .help("`data.map` can crop or resize it, so that samples make a batch");
        return;
      }
}

std::string pathFrom(const Evaluator &evaluator, Span span, const std::string &path) {
  namespace fs = std::filesystem;
  fs::path base = fs::path(std::string(evaluator.sources.path(span.file))).parent_path();
  std::error_code error; // of a path that is empty
  return fs::absolute(base / path, error).lexically_normal().string();
}

std::optional<int64_t> partOf(Evaluator &evaluator, const Operand &operand, int64_t count,
                              const std::string &what) {
  const Value &value = operand.value;
  std::optional<Number> amount;
  if (value.is(ValueKind::Quantity) && value.asMeasure() == Measure::Samples)
    amount = value.asNumber();
  else
    amount = evaluator.needNumber(operand, what);
  if (!amount) return std::nullopt;
  std::string text(evaluator.sources.text(operand.span));
  bool isPercentage = text.back() == '%'; // `100%` is the number 1, and not one sample
  bool isShare = isPercentage || (!value.is(ValueKind::Quantity) && amount->toReal() < 1);
  double samples = isShare ? std::floor(amount->toReal() * double(count) + 1e-9) : amount->toReal();
  if (samples >= 0 && samples < double(count) && samples == std::floor(samples))
    return int64_t(samples);
  Report message(evaluator.report, Kind::SettingRange, operand.span,
                 what + " is a share below 100% or a number of samples below " +
                     std::to_string(count) + ", and this is `" + text + "`");
  bool mayBeShare = operand.expr && operand.expr->kind == ast::ExprKind::Number &&
                    amount->isWhole() && amount->toReal() > 0 && amount->toReal() < 100 &&
                    amount->toReal() * double(count) >= 100; // at least one sample
  if (mayBeShare) message.help("a share is written with `%`", operand.span, text + "%");
  return std::nullopt;
}

void warnOfEmptyPart(Evaluator &evaluator, const std::string &part, const Operand &operand,
                     int64_t count) {
  evaluator
      .report(Kind::EmptyPart, operand.span,
              "the " + part + " part gets none of the " + std::to_string(count) + " samples")
      .note("there is nothing in it to measure a model on")
      .help("a larger share or a number of samples makes one; if none is wanted, leave `" + part +
            "` out");
}

bool isCountedTwice(Evaluator &evaluator, const std::string &part, const Operand &operand,
                    int64_t described, const std::string &description) {
  if (described == 0) return false;
  evaluator
      .report(Kind::DataSource, operand.span,
              "the " + part + " part is cut from the training samples here, and the description " +
                  "has one of " + std::to_string(described) + " samples")
      .note("the description is " + description)
      .help("leave `" + part + "` out of one of them; `train` counts the samples before any are " +
            "cut, and `" + part + " = \"FILE\"` names files of their own");
  return true;
}

Description describe(Evaluator &evaluator, Span span) {
  std::string name = evaluator.context.path.empty() ? "data" : evaluator.context.path;
  Description result;
  result.path = pathFrom(evaluator, span, name + ".schema.json");
  std::error_code error;
  result.isThere = std::filesystem::exists(result.path, error);
  if (!result.isThere) return result;
  std::string reason;
  result.schema = readSchema(result.path, reason);
  if (!result.schema)
    evaluator
        .report(Kind::DataSource, span, "the description of this data is not usable: " + reason)
        .note("it is " + result.path);
  return result;
}

void applySchema(Evaluator &evaluator, const Description &description, DataSource &source) {
  const DataSchema &schema = *description.schema;
  source.description = description.path;
  source.trainCount = schema.train;
  source.validationCount = schema.validation;
  source.testCount = schema.test;
  source.columns = schema.columns;
  auto fact = [&](const char *name) {
    auto found = schema.facts.find(name);
    return found == schema.facts.end() ? int64_t(0) : found->second;
  };
  source.classes = fact("classes");
  source.vocab = fact("vocab");
  for (const auto &[symbol, most] : schema.bounds)
    evaluator.program.symbols[symbol] = {1, most, source.span, false, "a size of the data"};
}

const BuiltinTable &dataKindBuiltins() {
  static const BuiltinTable table = {
      {"text", "file, tokenizer, window, validation?, test?, order? = shuffled | streams",
       runSource},
      {"tokens",
       "files, window, validation?, test?, pack? = documents, order? = shuffled | streams",
       runSource},
      {"csv",
       "file, target?, label?, columns?, validation?, test?, drop?, missing? = allowed | "
       "forbidden, "
       "split? = end | shuffled",
       runSource},
      {"jsonl", "file, validation?, test?, drop?, split? = end | shuffled", runSource},
      {"npy", "files, validation?, test?, split? = end | shuffled", runSource},
      {"images", "train, validation?, test?, max_side?, broken?", runSource},
      {"segmentation", "train, validation?, test?, max_side?", runSource},
      {"webdataset", "files, validation?, test?", runSource},
      {"hf", "name, validation?, test?", runSource},
  };
  return table;
}

} // namespace dlm::sema
