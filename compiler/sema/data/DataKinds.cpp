// A source is made in three steps: what its files hold (so far always a description), what the
// call says about it, and the fields that follow from both.
#include "compiler/sema/data/DataKinds.h"

#include "compiler/sema/evaluate/Evaluator.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace dlm::sema {

namespace {

/// One call of a source's function while its `DataSource` is put together.
class SourceCall {
public:
  SourceCall(Evaluator &evaluator, const BuiltinCall &call, DataSchema schema)
      : evaluator(evaluator), call(call), schema(std::move(schema)),
        names(parseSignature(call.builtin.signature).names) {}

  /// The argument of a parameter; null if it was left out.
  const Operand *argument(const std::string &name) const {
    size_t index = size_t(std::find(names.begin(), names.end(), name) - names.begin());
    return call.has(index) ? &call[index] : nullptr;
  }

  bool addWindows(const std::vector<std::string> &fields, DataSource &source) {
    std::optional<int64_t> window = evaluator.needInt(*argument("window"), "`window`");
    if (!window) return false;
    if (*window < 1) {
      evaluator.report(Kind::BadSize, argument("window")->span,
                       "`window` is at least 1, and this is " + std::to_string(*window));
      return false;
    }
    for (const std::string &field : fields)
      source.fields.push_back({field, {DType::I32, {Dim::whole(*window)}}});
    return true;
  }

  /// An image whose sides are open, up to `max_side`.
  TensorType image(DataSource &source, bool hasChannels) {
    int64_t most = INT64_MAX;
    if (const Operand *side = argument("max_side"))
      most = evaluator.needInt(*side, "`max_side`").value_or(most);
    TensorType result{hasChannels ? DType::U8 : DType::I32, {}};
    for (const char *side : {"height", "width"}) {
      std::string symbol = evaluator.context.path + "." + side;
      Symbol &known = evaluator.program.symbols[symbol];
      known.upper = std::min(known.upper, most);
      known.isSide = true;
      known.declared = call.span;
      known.what = std::string("the ") + side + " of an image";
      result.dims.push_back({Extent::symbol(symbol), side, false});
    }
    if (hasChannels) result.dims.push_back(Dim::whole(3));
    return result;
  }

  bool lacks(const std::string &what) {
    evaluator
        .report(Kind::DataSource, call.span, "the description of this data lacks `" + what + "`")
        .note("it is " + describedBy)
        .help("a whole one is, for example, `" + example + "`");
    return false;
  }

  Evaluator &evaluator;
  const BuiltinCall &call;
  DataSchema schema;
  std::string describedBy;
  std::string example; // of a description

private:
  std::vector<std::string> names;
};

bool addText(SourceCall &call, DataSource &source) {
  const Operand &tokenizer = *call.argument("tokenizer");
  const std::vector<std::string> kinds = {"chars", "words", "bpe"};
  bool isTokenizer = tokenizer.value.is(ValueKind::DataPart) &&
                     std::count(kinds.begin(), kinds.end(), tokenizer.value.asDataPart().kind);
  if (!isTokenizer) {
    call.evaluator
        .report(Kind::TypeMismatch, tokenizer.span,
                "`tokenizer` says how text becomes numbers, and this is " +
                    tokenizer.value.describe())
        .help("there are `data.chars()`, `data.words()` and `data.bpe(\"tokenizer.json\")`");
    return false;
  }
  return source.vocab > 0 ? call.addWindows({"ids", "next"}, source) : call.lacks("vocab");
}

bool addTokens(SourceCall &call, DataSource &source) {
  std::vector<std::string> fields = {"ids", "next"};
  if (call.argument("pack")) fields.insert(fields.end(), {"position", "segment", "next_segment"});
  return source.vocab > 0 ? call.addWindows(fields, source) : call.lacks("vocab");
}

/// The place of an entry of `columns = [...]`, its name or what it is told, if it is written there.
Span placeOfEntry(const Operand &columns, size_t index, bool isName) {
  const ast::Expr *list = columns.expr;
  bool isWritten = list && list->kind == ast::ExprKind::List && index < list->entries.size() &&
                   list->entries[index].key;
  if (!isWritten) return columns.span;
  return (isName ? list->entries[index].key : list->entries[index].value)->span;
}

/// The column as the program reads it. Whole numbers may stand for categories, names not for
/// numbers. Nothing if reported.
std::optional<Column> readAs(SourceCall &call, Column column, bool isCategory, Span place) {
  std::string quoted = '"' + column.name + '"';
  if (column.isCategory && !isCategory) {
    call.evaluator
        .report(Kind::DataSource, place,
                "the column " + quoted + " holds names, and `data.number` reads numbers")
        .help("`data.category()` gives each name a number");
    return std::nullopt;
  }
  if (isCategory && column.size == 0) {
    call.evaluator
        .report(Kind::DataSource, place,
                "the column " + quoted +
                    " is read as a category, and how many different values it holds is not known")
        .note("the description is " + call.describedBy)
        .help("add `\"size\": n` to the column there, n being the number of different values");
    return std::nullopt;
  }
  column.isCategory = isCategory;
  if (!isCategory) column.size = 0;
  return column;
}

/// Checks the columns that the program names against those that there are.
bool selectColumns(SourceCall &call, DataSource &source) {
  const Operand *given = call.argument("columns");
  if (!given) return true;
  if (!given->value.is(ValueKind::Map)) {
    call.evaluator
        .report(Kind::TypeMismatch, given->span,
                "`columns` is a map from names to columns, and this is " + given->value.describe())
        .help("write `[\"age\" => data.number(), \"city\" => data.category()]`");
    return false;
  }
  std::vector<std::string> known;
  for (const Column &column : source.columns)
    known.push_back(column.name);
  std::vector<Column> selected;
  const auto &entries = given->value.asMap().entries;
  for (size_t i = 0; i < entries.size(); ++i) {
    const auto &[key, part] = entries[i];
    std::string name = key.is(ValueKind::String) ? key.asString() : "";
    auto found = std::find(known.begin(), known.end(), name);
    if (part.isPoison()) return false;
    bool isColumn = part.is(ValueKind::DataPart) &&
                    (part.asDataPart().kind == "category" || part.asDataPart().kind == "number");
    if (!isColumn) {
      call.evaluator.report(Kind::TypeMismatch, placeOfEntry(*given, i, false),
                            "a column is `data.number()` or `data.category()`, and this is " +
                                part.describe());
      return false;
    }
    if (found == known.end()) {
      call.evaluator
          .report(Kind::DataSource, placeOfEntry(*given, i, true),
                  "the table has no column " + key.text())
          .nearestOrAll("a column", name, {}, known);
      return false;
    }
    std::optional<Column> column =
        readAs(call, source.columns[size_t(found - known.begin())],
               part.asDataPart().kind == "category", placeOfEntry(*given, i, false));
    if (!column) return false;
    selected.push_back(std::move(*column));
  }
  source.columns = std::move(selected);
  return true;
}

bool addTable(SourceCall &call, DataSource &source) {
  if (source.columns.empty()) return call.lacks("columns");
  if (!selectColumns(call, source)) return false;
  const Operand &target = *call.argument("target");
  std::optional<std::string> name = call.evaluator.needString(target, "`target`");
  if (!name) return false;
  std::vector<std::string> names;
  int64_t numbers = 0, categories = 0;
  std::optional<Column> wanted;
  for (const Column &column : source.columns) {
    names.push_back(column.name);
    if (column.name == *name)
      wanted = column;
    else
      ++(column.isCategory ? categories : numbers);
  }
  if (!wanted) {
    call.evaluator
        .report(Kind::DataSource, target.span, "the table has no column \"" + *name + "\"")
        .nearestOrAll("a column", *name, {}, names);
    return false;
  }
  if (numbers > 0)
    source.fields = {{"number", {DType::F32, {Dim::whole(numbers)}}},
                     {"present", {DType::Bool, {Dim::whole(numbers)}}}};
  if (categories > 0) source.fields.push_back({"category", {DType::I32, {Dim::whole(categories)}}});
  source.fields.push_back({"target", {wanted->isCategory ? DType::I32 : DType::F32, {}}});
  source.target = *name;
  if (wanted->isCategory) source.classes = wanted->size;
  source.columns.erase(std::remove_if(source.columns.begin(), source.columns.end(),
                                      [&](const Column &column) { return column.name == *name; }),
                       source.columns.end());
  return true;
}

bool addImages(SourceCall &call, DataSource &source) {
  if (source.classes < 1) return call.lacks("classes");
  source.fields = {{"image", call.image(source, true)}};
  bool isMask = std::string(call.call.builtin.name) == "segmentation";
  source.fields.push_back(isMask ? Field{"mask", call.image(source, false)}
                                 : Field{"label", {DType::I32, {}}});
  return true;
}

/// Sources whose fields only their files know.
bool addDescribed(SourceCall &call, DataSource &source) {
  source.fields = call.schema.fields;
  return source.fields.empty() ? call.lacks("fields") : true;
}

struct KindRow {
  const char *name;
  bool (*addFields)(SourceCall &, DataSource &);
  const char *description; // for example
};

const KindRow *findKind(const std::string &name) {
  static const char *const ofText = R"({ "train": 1000, "vocab": 65 })";
  static const char *const ofImages = R"({ "train": 1000, "classes": 10 })";
  static const char *const ofFields =
      R"({ "train": 1000, "classes": 10, "fields": { "x": "f32[168]", "label": "i32" } })";
  static const char *const ofTable =
      R"({ "train": 1000, "columns": [{ "name": "area", "kind": "number" }, )"
      R"({ "name": "zip", "kind": "category", "size": 917 }] })";
  static const std::vector<KindRow> rows = {
      {"text", addText, ofText},
      {"tokens", addTokens, ofText},
      {"csv", addTable, ofTable},
      {"images", addImages, ofImages},
      {"segmentation", addImages, ofImages},
      {"jsonl", addDescribed, ofFields},
      {"npy", addDescribed, ofFields},
      {"webdataset", addDescribed, ofFields},
      {"hf", addDescribed, ofFields},
  };
  for (const KindRow &row : rows)
    if (name == row.name) return &row;
  return nullptr;
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
    (part == std::string("test") ? source.isTestCut : source.isValidationCut) = true;
    source.trainCount -= *count;
  }
  if (source.trainCount > 0) return true;
  call.evaluator.report(Kind::SettingRange, call.call.span,
                        "no training samples are left of " + std::to_string(whole));
  return false;
}

Value runSource(Evaluator &evaluator, const BuiltinCall &call) {
  Description description = describe(evaluator, call.span);
  std::string kind = call.builtin.name;
  if (!description.isThere) {
    evaluator
        .report(Kind::DataSource, call.span,
                "what the files of `data." + kind + "` hold is not known")
        .note("this compiler does not read them, and there is no description " + description.path)
        .help("describe them in `" + description.fileName() + "` beside the program, such as `" +
              findKind(kind)->description +
              "`; then the program can be checked, and not be compiled");
    return Value();
  }
  if (!description.schema) return Value();
  DataSource source;
  source.kind = kind;
  source.span = call.span;
  if (call[0].value.is(ValueKind::String))
    source.path = pathFrom(evaluator, call.span, call[0].value.asString());
  applySchema(evaluator, description, source);
  SourceCall here(evaluator, call, *description.schema);
  here.describedBy = description.path;
  here.example = findKind(kind)->description;
  if (const Operand *order = here.argument("order")) source.order = order->value.asString();
  if (!findKind(kind)->addFields(here, source) || !cutParts(here, source)) return Value();
  return Value::data(std::move(source));
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
                    amount->isWhole() && amount->toReal() > 0 && amount->toReal() < 100;
  if (mayBeShare) message.help("a share is written with `%`", operand.span, text + "%");
  return std::nullopt;
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
      {"csv", "file, target, columns?, validation?, test?", runSource},
      {"jsonl", "file, validation?, test?", runSource},
      {"npy", "files, validation?, test?", runSource},
      {"images", "train, validation?, test?, max_side?", runSource},
      {"segmentation", "train, validation?, test?, max_side?", runSource},
      {"webdataset", "files, validation?, test?", runSource},
      {"hf", "name, validation?, test?", runSource},
  };
  return table;
}

} // namespace dlm::sema
