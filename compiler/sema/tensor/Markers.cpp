// Models of models: what a name or a call means where something was made of the model it belongs
// to. A model is not copied for it: its functions are followed again, with another meaning of its
// parameters.
#include "compiler/sema/tensor/Markers.h"

#include "compiler/sema/evaluate/Evaluator.h"

namespace dlm::sema {

namespace {

/// The parameter or buffer that a value is; null for anything else.
const Node *storedNode(Evaluator &evaluator, const Value &value) {
  if (!value.is(ValueKind::Tensor) || value.asTensor().graph != 0) return nullptr;
  const Node &node = evaluator.tensors.free().node(value.asTensor().node);
  return node.op == "parameter" || node.op == "buffer" ? &node : nullptr;
}

} // namespace

std::string storedPath(const Marker &marker, const std::string &path) {
  if (marker.path.empty()) return "";
  const std::string &of = marker.of;
  bool isBelow =
      path.compare(0, of.size(), of) == 0 && (path.size() == of.size() || path[of.size()] == '.');
  return marker.path + (isBelow ? path.substr(of.size()) : "." + path);
}

Value Evaluator::underMarker(const Value &value, int marker) {
  if (marker < 0) return value;
  if (value.is(ValueKind::Instance)) {
    InstanceObject instance = value.asInstance();
    if (instance.marker < 0) instance.marker = marker;
    return Value::instance(std::make_shared<InstanceObject>(std::move(instance)));
  }
  if (value.is(ValueKind::Function)) return Value::marked(value, 0, marker);
  if (value.is(ValueKind::List)) {
    std::vector<Value> items;
    for (const Value &item : value.asList())
      items.push_back(underMarker(item, marker));
    return Value::list(std::move(items));
  }
  const Node *node = storedNode(*this, value);
  if (!node) return value;
  const Marker &made = program.markers[size_t(marker)];
  if (made.kind == "frozen")
    return node->op == "buffer" ? value
                                : Value::tensor(tensors.unary("stop_gradient", value.asTensor()));
  std::string path = storedPath(made, node->text);
  return Value::tensor(tensors.freeLeaf("shadow", path, value.asTensor().type, node->span));
}

/// Calls a function or model with what is said of it. A model that is not trained is not in
/// training either.
Value Evaluator::callMarked(const MarkedObject &marked, const Operand &callee,
                            std::vector<CallArgument> arguments, const ScopePtr &scope, Span span) {
  evalArguments(arguments, scope);
  ContextScope saved(*this);
  uint8_t marks = tensors.marks;
  tensors.marks |= marked.marks;
  uint32_t recomputation = tensors.recomputation;
  if ((marked.marks & MarkRecompute) && !recomputation)
    tensors.recomputation = ++tensors.recomputations;
  if (marked.marker >= 0) {
    context.marker = marked.marker;
    if (context.training) context.training = false;
  }
  Value result = call({*marked.inner, callee.expr, callee.span}, std::move(arguments), scope, span);
  tensors.marks = marks;
  tensors.recomputation = recomputation;
  return result;
}

} // namespace dlm::sema
