// `text.vocab`, `text.encode(prompt)`, `houses.columns`: what a program can ask a data source.
#include "compiler/sema/data/DataMembers.h"

#include "compiler/sema/evaluate/Evaluator.h"

namespace dlm::sema {

namespace {

/// A length that only a run knows, up to `most`.
Dim openLength(Evaluator &evaluator, const std::string &what, Span span, int64_t most = INT64_MAX) {
  std::string name = "length" + std::to_string(evaluator.program.symbols.size() + 1);
  evaluator.program.symbols[name] = {0, most, span, false, what, true};
  return {Extent::symbol(name), "", false};
}

/// The tokens of a window of the source, as many as its models are trained on; without a fixed one,
/// no bound.
int64_t windowOf(const DataSource &data) {
  for (const Field &field : data.fields)
    if (field.areTokens && field.type.dims.size() == 1 && field.type.dims[0].isWhole())
      return field.type.dims[0].size();
  return data.parts.empty() ? INT64_MAX : windowOf(data.parts[0]);
}

/// The bytes of a string, known or not.
std::optional<Tensor> bytesOf(Evaluator &evaluator, const Operand &operand, const char *what) {
  if (operand.value.is(ValueKind::RunTimeString)) return operand.value.asRunTimeString();
  std::optional<std::string> text = evaluator.needString(operand, what);
  if (!text) return std::nullopt;
  return evaluator.tensors.bytes(*text);
}

Value runEncode(Evaluator &evaluator, const BuiltinCall &call) {
  std::optional<Tensor> bytes = bytesOf(evaluator, call[0], "what is encoded");
  if (!bytes) return Value();
  const DataSource &data = call.receiver->asData();
  std::string &count =
      evaluator.program.tokenCounts[{bytes->type.dims[0].extent.text(), data.name}];
  bool isOpen = !bytes->type.dims[0].isWhole();
  Dim length;
  if (isOpen && !count.empty())
    length = {Extent::symbol(count), "", false};
  else
    length =
        openLength(evaluator, "the number of tokens that this text has", call.span, windowOf(data));
  if (isOpen) count = length.extent.text();
  Node node;
  node.op = "encode";
  node.text = data.name;
  node.type = {DType::I32, {length}};
  if (int64_t window = windowOf(data); window != INT64_MAX) node.ints = {window};
  return Value::tensor(evaluator.tensors.emit(std::move(node), {*bytes}));
}

Value runDecode(Evaluator &evaluator, const BuiltinCall &call) {
  std::optional<Tensor> ids = evaluator.needTensor(call[0], "what is decoded");
  if (!ids) return Value();
  if (ids->type.dims.size() != 1 || ids->type.dtype != DType::I32) {
    evaluator.report(Kind::ShapeMismatch, call[0].span,
                     "`decode` turns token ids `i32[n]` into a string, and this is `" +
                         typeText(ids->type) + "`");
    return Value();
  }
  Dim length = openLength(evaluator, "the number of bytes that these tokens are", call.span);
  return Value::runTimeString(evaluator.tensors.translate("decode", call.receiver->asData().name,
                                                          *ids, {DType::U8, {length}}));
}

/// `columns.index(name)`: the place of a column in `number` (and `present`) or in `category`.
Value runIndex(Evaluator &evaluator, const BuiltinCall &call) {
  std::optional<std::string> name = evaluator.needString(call[0], "the name of a column");
  if (!name) return Value();
  int64_t places[2] = {0, 0}; // next in `number`, in `category`
  std::vector<std::string> names;
  for (const Column &column : call.receiver->asColumns().columns) {
    if (column.name == *name) return Value::whole(places[column.isCategory]);
    ++places[column.isCategory];
    names.push_back(column.name);
  }
  evaluator.report(Kind::DataSource, call[0].span, "the table has no column \"" + *name + "\"")
      .nearestOrAll("a column", *name, {}, names);
  return Value();
}

const BuiltinTable &columnsMethods() {
  static const BuiltinTable table = {{"index", "name", runIndex}};
  return table;
}

const BuiltinTable &textMethods() {
  static const BuiltinTable table = {{"encode", "text", runEncode}, {"decode", "ids", runDecode}};
  return table;
}

/// Whether the source knows which token stands for which text.
bool hasTokenizer(const DataSource &data) {
  if (data.kind == "text" || data.kind == "tokens") return true;
  return !data.parts.empty() && hasTokenizer(data.parts[0]); // of `data.pack` and `data.mix`
}

} // namespace

std::vector<std::string> dataMemberNames(const DataSource &data) {
  std::vector<std::string> names = {"count", "validation_count", "test_count"};
  if (data.classes > 0) names.push_back("classes");
  if (!data.columns.empty()) names.push_back("columns");
  if (data.vocab == 0) return names;
  names.push_back("vocab");
  if (!hasTokenizer(data)) return names;
  for (const Builtin &method : textMethods())
    names.push_back(method.name);
  return names;
}

std::optional<Value> dataMember(const Value &base, const std::string &name) {
  const DataSource &data = base.asData();
  if (name == "classes" && data.classes > 0) return Value::whole(data.classes);
  if (name == "count") return Value::whole(data.trainCount);
  if (name == "validation_count") return Value::whole(data.validationCount);
  if (name == "test_count") return Value::whole(data.testCount);
  if (name == "columns" && !data.columns.empty()) return Value::columns(base.sharedData());
  if (data.vocab == 0) return std::nullopt;
  if (name == "vocab") return Value::whole(data.vocab);
  if (!hasTokenizer(data)) return std::nullopt;
  for (const Builtin &method : textMethods())
    if (name == method.name) return Value::method(method, base);
  return std::nullopt;
}

std::vector<std::string> columnsMemberNames() {
  return {"numbers", "categories", "names", "index"};
}

std::optional<Value> columnsMember(const Value &base, const std::string &name) {
  int64_t numbers = 0;
  std::vector<Value> categories, names;
  for (const Column &column : base.asColumns().columns) {
    names.push_back(Value::string(column.name));
    numbers += !column.isCategory;
    if (!column.isCategory) continue;
    RecordObject category;
    category.fields = {{"name", Value::string(column.name)}, {"size", Value::whole(column.size)}};
    categories.push_back(Value::record(std::move(category)));
  }
  if (name == "numbers") return Value::whole(numbers);
  if (name == "categories") return Value::list(std::move(categories));
  if (name == "names") return Value::list(std::move(names));
  for (const Builtin &method : columnsMethods())
    if (name == method.name) return Value::method(method, base);
  return std::nullopt;
}

} // namespace dlm::sema
