// `x[...]` of lists, and what else can be written so; tensors are in TensorSubscripts.cpp.
#include "compiler/sema/evaluate/DataAdvice.h"
#include "compiler/sema/evaluate/Evaluator.h"

namespace dlm::sema {

namespace {

/// A bound of a list slice, negative ones counted from the end.
std::optional<int64_t> bound(Evaluator &evaluator, const ast::Expr *expr, const ScopePtr &scope,
                             int64_t size, int64_t otherwise) {
  if (!expr) return otherwise;
  std::optional<int64_t> value =
      evaluator.needInt(evaluator.evalOperand(*expr, scope), "a bound of a slice");
  if (!value) return std::nullopt;
  int64_t counted = *value < 0 ? *value + size : *value;
  if (counted >= 0 && counted <= size) return counted;
  evaluator.report(Kind::IndexRange, expr->span,
                   "the bound " + std::to_string(*value) + " is outside of a list of " +
                       std::to_string(size));
  return std::nullopt;
}

Value listSubscript(Evaluator &evaluator, const ast::Expr &expr, const std::vector<Value> &items,
                    const ScopePtr &scope) {
  const ast::Index &index = expr.indices[0];
  int64_t size = int64_t(items.size());
  if (expr.indices.size() > 1 || index.kind == ast::Index::Ellipsis) {
    evaluator.report(Kind::TypeMismatch, expr.span, "a list has one index");
    return Value();
  }
  if (index.kind == ast::Index::Slice) {
    auto begin = bound(evaluator, index.begin.get(), scope, size, 0);
    auto end = bound(evaluator, index.end.get(), scope, size, size);
    if (!begin || !end) return Value();
    if (*begin >= *end) return Value::list({});
    return Value::list({items.begin() + *begin, items.begin() + *end});
  }
  Operand operand = evaluator.evalOperand(*index.begin, scope);
  std::optional<int64_t> at = evaluator.needInt(operand, "the index of a list");
  if (!at) return Value();
  int64_t counted = *at < 0 ? *at + size : *at;
  if (counted >= 0 && counted < size) return items[counted];
  evaluator.report(Kind::IndexRange, index.span,
                   "index " + std::to_string(*at) + " is outside of a list of " +
                       std::to_string(size));
  return Value();
}

/// The fields of a batch, by their names.
std::string adviceForFields(const std::string &batch, const DataSource &data) {
  std::vector<std::string> fields;
  for (const Field &field : data.fields)
    fields.push_back(batch + "." + field.name);
  return fields.empty() ? "" : "its fields have names: " + joinNames(fields);
}

/// For a tuple that is indexed: `let (a, b) = t`.
std::string adviceForTuple(const std::string &tuple, size_t count) {
  constexpr size_t namesMax = 26; // letters
  if (count > namesMax) return "`let (...) = " + tuple + "` takes it apart";
  std::string names;
  for (size_t i = 0; i < count; ++i)
    names += std::string(i > 0 ? ", " : "") + char('a' + i);
  return "take it apart: `let (" + names + ") = " + tuple + "`";
}

/// The fields of a record that is indexed by a number, as they are asked for.
std::string adviceForRecord(const std::string &text, const RecordObject &record) {
  std::vector<std::string> fields;
  for (const auto &field : record.fields)
    fields.push_back(text + "." + field.first);
  return fields.empty() ? "" : "its fields have names: " + joinNames(fields);
}

} // namespace

Value Evaluator::subscript(const ast::Expr &expr, const ScopePtr &scope) {
  Operand base = evalOperand(*expr.operands[0], scope);
  if (base.value.isPoison() || expr.indices.empty()) return Value();
  if (base.value.is(ValueKind::Map)) {
    const ast::Index &index = expr.indices[0];
    if (expr.indices.size() == 1 && index.kind == ast::Index::Single)
      return lookUp(base.value.asMap(), evalOperand(*index.begin, scope));
    report(Kind::TypeMismatch, expr.span, "a map has one key in `[ ]`");
    return Value();
  }
  if (base.value.is(ValueKind::List)) return listSubscript(*this, expr, base.value.asList(), scope);
  if (base.value.is(ValueKind::Tensor)) return tensorSubscript(expr, base, scope);
  Report message(report, Kind::TypeMismatch, expr.span,
                 base.value.describe() + " has no elements to index");
  const ast::Index &index = expr.indices[0];
  bool isRecord = base.value.is(ValueKind::Record);
  bool isTuple = isRecord && !base.value.asRecord().fields.empty() &&
                 base.value.asRecord().fields[0].first.empty();
  bool hasMembers = base.value.is(ValueKind::Batch) || (isRecord && !isTuple);
  std::string text(sources.text(expr.operands[0]->span));
  if (isTuple)
    message.help(adviceForTuple(text, base.value.asRecord().fields.size()));
  else if (hasMembers && index.kind == ast::Index::Single &&
           index.begin->kind == ast::ExprKind::String && !index.begin->text.empty())
    message.help("members follow a point: `" + text + "." + eval(*index.begin, scope).asString() +
                 "`");
  else if (base.value.is(ValueKind::Columns) && index.kind == ast::Index::Single)
    message.help("`columns.index` gives the place of a column", expr.span,
                 text + ".index(" + std::string(sources.text(index.span)) + ")");
  else if (base.value.is(ValueKind::Data))
    message.help(adviceForSamples(*this, base));
  else if (base.value.is(ValueKind::Batch))
    message.help(adviceForFields(text, base.value.asData()));
  else if (isRecord)
    message.help(adviceForRecord(text, base.value.asRecord()));
  return Value();
}

} // namespace dlm::sema
