// `base.name` for everything that has members.
#include "compiler/sema/data/DataMembers.h"
#include "compiler/sema/evaluate/DataAdvice.h"
#include "compiler/sema/evaluate/Evaluator.h"
#include "compiler/sema/modules/ForeignMembers.h"
#include "compiler/sema/modules/ForeignNames.h"
#include "compiler/sema/modules/LaterNames.h"
#include "compiler/sema/modules/NameAdvice.h"
#include "compiler/sema/run/RuleCalls.h"
#include "compiler/sema/tensor/ShapeAdvice.h"
#include "compiler/sema/value/Shapes.h"

#include <algorithm>

namespace dlm::sema {

namespace {

/// Whether other libraries change the order of axes by this member.
bool turnsAxes(const std::string &name) {
  return name == "transpose" || name == "t" || name == "mT" || name == "swapaxes" || name == "H";
}

/// What a word of other libraries means that is asked of this kind of value; empty if nothing.
std::string adviceByKind(const Evaluator &evaluator, const Operand &base, const std::string &name) {
  const Value &value = base.value;
  if (value.is(ValueKind::Instance)) return foreignModelMemberAdvice(name);
  if (value.is(ValueKind::List)) return foreignListMemberAdvice(name);
  if (value.is(ValueKind::Columns))
    for (const Column &column : value.asColumns().columns)
      if (column.name == name)
        return "`columns.index(\"" + name + "\")` is the place of this column: `batch." +
               (column.isCategory ? "category" : "number") + "[:, columns.index(\"" + name +
               "\")]`";
  if (!value.is(ValueKind::Data)) return "";
  for (const Field &field : value.asData().fields)
    if (field.name == name) return adviceForSamples(evaluator, base, name);
  return foreignDataMemberAdvice(name);
}

Value unknownMember(Evaluator &evaluator, const Operand &base, const std::string &name, Span span,
                    const std::vector<std::string> &names) {
  Report message(evaluator.report, Kind::UnknownMember, span,
                 "`" + base.value.text() + "` has no member `" + name + "`");
  constexpr size_t shownMax = 24;
  bool isFunction = evaluator.library->bindings.count(name) != 0;
  bool isTensor = base.value.is(ValueKind::Tensor), isModule = base.value.is(ValueKind::Module);
  std::string advice = adviceByKind(evaluator, base, name), here = memberHere(name);
  if (advice.empty()) advice = foreignMemberAdvice(name);
  if (std::count(names.begin(), names.end(), here))
    message.help("it is called `" + here + "` here", span, here);
  else if (isModule && isForeignModule(name))
    adviseForeignModule(evaluator, message, cover(base.span, span));
  else if (isTensor && turnsAxes(name))
    message.help(adviceForTurn(base.value.asTensor().type.dims));
  else if (isFunction && isTensor)
    message.help("functions are not members: write `" + name + "(x, ...)` or `x |> " + name +
                 "(...)`");
  else if ((isFunction || isLaterName("", name)) && isModule)
    message.help("it is in no module: write `" + name + "`", cover(base.span, span), name);
  else if (!advice.empty())
    message.help(advice);
  else if (std::string like = libraryFunctionLike(evaluator, name); isModule && !like.empty())
    message.help("it is the function `" + like + "`, which is in no module",
                 withEmptyCall(evaluator, cover(base.span, span)), like);
  else if (names.size() <= shownMax)
    message.nearestOrAll("a member", name, span, names);
  else
    message.nearest("a member", name, span, names);
  return Value();
}

/// A member that stands in a scope of its own: of a module or an instance.
Value scopeMember(Evaluator &evaluator, const Operand &base, Scope &scope, const std::string &name,
                  Span span) {
  auto found = scope.bindings.find(name);
  if (found != scope.bindings.end()) return evaluator.force(found->second, span);
  if (base.value.is(ValueKind::Module) && isLaterName(base.value.asModule().name, name))
    return evaluator.notYet(span, "`" + base.value.asModule().name + "." + name + "`");
  bool isModule = base.value.is(ValueKind::Module) && !evaluator.report.unheard;
  std::string whole = base.value.text() + "." + name; // may stand in many places
  if (isModule && !evaluator.program.hints.unknown.emplace(span.file, whole).second) return Value();
  std::vector<std::string> names;
  bool isRun = base.value.is(ValueKind::Module) && base.value.asModule().isRun;
  for (const auto &[each, binding] : scope.bindings)
    if (isRun ? binding.value.is(ValueKind::Instance) : !binding.value.is(ValueKind::Module))
      names.push_back(each); // what a module uses itself is not its own
  return unknownMember(evaluator, base, name, span, names);
}

Value tensorMember(Evaluator &evaluator, const Operand &base, const std::string &name, Span span) {
  const Tensor &tensor = base.value.asTensor();
  const std::vector<Dim> &dims = tensor.type.dims;
  if (name == "rank") return Value::whole(int64_t(dims.size()));
  if (name == "dtype") return Value::string(dtypeName(tensor.type.dtype));
  if (name == "shape") {
    std::vector<Value> sizes;
    for (const Dim &dim : dims)
      sizes.push_back(Value::size(dim.extent));
    return Value::list(std::move(sizes));
  }
  if (name != "T")
    return unknownMember(evaluator, base, name, span, {"T", "rank", "dtype", "shape"});
  if (dims.size() != 2) {
    evaluator
        .report(Kind::ShapeMismatch, span,
                "`.T` turns a matrix, and this has " + std::to_string(dims.size()) + " dimensions")
        .secondary(base.span, "is `" + typeText(tensor.type) + "`")
        .help(adviceForTurn(dims));
    return Value();
  }
  evaluator.tensors.span = cover(base.span, span);
  return Value::tensor(evaluator.tensors.transpose(tensor, {1, 0}));
}

/// Where a column of a table is in a batch: `number[:, 1]`; empty if there is no such column.
std::string fieldOfColumn(const DataSource &data, const std::string &name) {
  if (name == data.target && !name.empty()) return "target";
  size_t numbers = 0, categories = 0;
  for (const Column &column : data.columns) {
    size_t &place = column.isCategory ? categories : numbers;
    if (column.name == name)
      return (column.isCategory ? "category[:, " : "number[:, ") + std::to_string(place) + "]";
    ++place;
  }
  return "";
}

Value batchMember(Evaluator &evaluator, const Operand &base, const std::string &name, Span span) {
  const DataSource &data = base.value.asData();
  std::vector<std::string> names = {"size"};
  for (const Field &field : data.fields) {
    names.push_back(field.name);
    if (field.name != name) continue;
    TensorType type = field.type;
    type.dims.insert(type.dims.begin(), Dim::batch());
    return Value::tensor(evaluator.tensors.leaf("input", name, type, span));
  }
  if (name == "size") return Value::size(Extent::batch());
  bool isOfNumbers = name == "number" || name == "present";
  if (isOfNumbers && evaluator.program.hints.isNumberlessTold) return Value();
  Report message(evaluator.report, Kind::UnknownMember, span,
                 "the data source has no field `" + name + "`");
  message.note(
      data.span, "the fields of this source are " + [&] {
        std::string text;
        for (const Field &field : data.fields)
          text += (text.empty() ? "`" : ", `") + field.name + ": " + typeText(field.type) + "`";
        return text;
      }());
  if (std::string field = fieldOfColumn(data, name); !field.empty()) {
    std::string text = std::string(evaluator.sources.text(base.span)) + "." + field;
    message.help("the column `" + name + "` is `" + text + "`", cover(base.span, span), text);
  } else {
    message.nearest("a field", name, span, names);
  }
  return Value();
}

} // namespace

Value Evaluator::member(const Operand &base, const std::string &name, Span span) {
  const Value &value = base.value;
  switch (value.kind()) {
  case ValueKind::Poison:
    return Value();
  case ValueKind::Module:
    return scopeMember(*this, base, *value.asModule().scope, name, span);
  case ValueKind::Instance:
    return underMarker(scopeMember(*this, base, *value.asInstance().scope, name, span),
                       value.asInstance().marker);
  case ValueKind::Marked: {
    const MarkedObject &marked = value.asMarked();
    Value found = member({*marked.inner, base.expr, base.span}, name, span);
    return found.isCallable() ? Value::marked(found, marked.marks, marked.marker) : found;
  }
  case ValueKind::Tensor:
    return tensorMember(*this, base, name, span);
  case ValueKind::Data:
    if (std::optional<Value> found = dataMember(value, name)) return *found;
    return unknownMember(*this, base, name, span, dataMemberNames(value.asData()));
  case ValueKind::Columns:
    if (std::optional<Value> found = columnsMember(value, name)) return *found;
    return unknownMember(*this, base, name, span, columnsMemberNames());
  case ValueKind::Batch:
    return batchMember(*this, base, name, span);
  case ValueKind::OptimizerValue:
    if (std::optional<Value> found = optimizerMember(value, name)) return *found;
    return unknownMember(*this, base, name, span, {"update"});
  case ValueKind::Size:
    if (name == "size") return value;
    break;
  case ValueKind::Record: {
    const RecordObject &record = value.asRecord();
    if (std::optional<size_t> found = record.find(name)) return record.fields[*found].second;
    std::vector<std::string> names;
    for (const auto &[field, part] : record.fields)
      if (!field.empty()) names.push_back(field);
    return unknownMember(*this, base, name, span, names);
  }
  default:
    break;
  }
  Report message(report, Kind::UnknownMember, span,
                 value.describe() + " has no member `" + name + "`");
  if (value.is(ValueKind::Train))
    message.help("what a run leaves are the models of `trained(" + value.text() + ")`", base.span,
                 "trained(" + value.text() + ")");
  else if (std::string advice = adviceByKind(*this, base, name); !advice.empty())
    message.help(advice);
  else
    message.help(foreignMemberAdvice(name));
  return Value();
}

} // namespace dlm::sema
