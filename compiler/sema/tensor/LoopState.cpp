// See LoopState.h.
#include "compiler/sema/tensor/LoopState.h"

#include "compiler/sema/value/Shapes.h"

#include <algorithm>

namespace dlm::sema {

namespace {

bool isScalar(const Value &value) {
  return value.is(ValueKind::Number) || value.is(ValueKind::Bool) || value.is(ValueKind::Size) ||
         value.is(ValueKind::Tensor);
}

/// The values of the leaves in order; null stands for one that cannot be carried.
void collectLeaves(const Value &value, std::vector<const Value *> &leaves) {
  if (value.is(ValueKind::Record)) {
    for (const auto &field : value.asRecord().fields)
      collectLeaves(field.second, leaves);
  } else if (value.is(ValueKind::List)) {
    for (const Value &item : value.asList())
      collectLeaves(item, leaves);
  } else {
    leaves.push_back(&value);
  }
}

/// Whether a part was not understood, which was reported.
bool holdsPoison(const Value &value) {
  std::vector<const Value *> leaves;
  collectLeaves(value, leaves);
  return std::any_of(leaves.begin(), leaves.end(),
                     [](const Value *leaf) { return leaf->isPoison(); });
}

Value rebuild(const Value &pattern, const std::vector<Tensor> &tensors, size_t &next) {
  if (pattern.is(ValueKind::Record)) {
    RecordObject record = pattern.asRecord();
    for (auto &field : record.fields)
      field.second = rebuild(field.second, tensors, next);
    return Value::record(std::move(record));
  }
  if (pattern.is(ValueKind::List)) {
    std::vector<Value> items;
    for (const Value &item : pattern.asList())
      items.push_back(rebuild(item, tensors, next));
    return Value::list(std::move(items));
  }
  return Value::tensor(tensors[next++]);
}

bool hasForm(const Value &value, const Value &pattern) {
  if (pattern.is(ValueKind::Record)) {
    if (!value.is(ValueKind::Record)) return false;
    const auto &a = value.asRecord().fields, &b = pattern.asRecord().fields;
    if (a.size() != b.size()) return false;
    for (size_t i = 0; i < a.size(); ++i)
      if (a[i].first != b[i].first || !hasForm(a[i].second, b[i].second)) return false;
    return true;
  }
  if (pattern.is(ValueKind::List)) {
    if (!value.is(ValueKind::List)) return false;
    const auto &a = value.asList(), &b = pattern.asList();
    if (a.size() != b.size()) return false;
    for (size_t i = 0; i < a.size(); ++i)
      if (!hasForm(a[i], b[i])) return false;
    return true;
  }
  return isScalar(value);
}

} // namespace

std::optional<std::vector<Tensor>> tensorsOf(Evaluator &evaluator, const Operand &operand,
                                             const std::string &what) {
  std::vector<const Value *> leaves;
  collectLeaves(operand.value, leaves);
  std::vector<Tensor> result;
  for (const Value *leaf : leaves) {
    std::optional<Tensor> tensor =
        evaluator.needTensor({*leaf, nullptr, operand.span}, "a part of " + what);
    if (!tensor) return std::nullopt;
    tensor->isLoose = false;
    result.push_back(*tensor);
  }
  return result;
}

Value withTensors(const Value &pattern, const std::vector<Tensor> &tensors) {
  size_t next = 0;
  return rebuild(pattern, tensors, next);
}

std::optional<std::vector<Tensor>> tensorsLike(Evaluator &evaluator, const Operand &operand,
                                               const Operand &pattern,
                                               const std::vector<Tensor> &begin) {
  if (holdsPoison(operand.value)) return std::nullopt;
  Value first = withTensors(pattern.value, begin);
  auto differs = [&](Kind kind, const Value &before, const Value &after) {
    evaluator
        .report(kind, operand.span,
                "the state begins as `" + before.text() + "`, and after a step it is `" +
                    after.text() + "`")
        .secondary(pattern.span, "begins here");
    return std::nullopt;
  };
  if (!hasForm(operand.value, pattern.value))
    return differs(Kind::TypeMismatch, first, operand.value);
  std::vector<const Value *> leaves;
  collectLeaves(operand.value, leaves);
  std::vector<Tensor> result;
  for (size_t i = 0; i < leaves.size(); ++i) {
    const TensorType &type = begin[i].type;
    Operand before = {Value::tensor(begin[i]), nullptr, pattern.span};
    Operand after = {*leaves[i], nullptr, operand.span};
    bool isTensor = after.value.is(ValueKind::Tensor);
    std::optional<Tensor> tensor =
        isTensor ? after.value.asTensor() : evaluator.literal(after, type.dtype, before);
    if (!tensor) return std::nullopt;
    if (tensor->isLoose && type.dtype == DType::F32)
      tensor = evaluator.tensors.cast(*tensor, type.dtype);
    if (tensor->type.dtype != type.dtype)
      return differs(Kind::DtypeMismatch, before.value, after.value);
    if (!sameShape(tensor->type.dims, type.dims))
      return differs(Kind::ShapeMismatch, before.value, Value::tensor(*tensor));
    result.push_back(*tensor);
  }
  return result;
}

} // namespace dlm::sema
