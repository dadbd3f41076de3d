// `next`: what a buffer, or a state of an optimizer, is after the step.
#include "compiler/sema/evaluate/Evaluator.h"
#include "compiler/sema/value/DTypes.h"
#include "compiler/sema/value/Shapes.h"

namespace dlm::sema {

namespace {

/// The path of the buffer that a value is; empty for anything else.
std::string bufferPath(Evaluator &evaluator, const Value &value) {
  if (!value.is(ValueKind::Tensor) || value.asTensor().graph != 0) return "";
  const Node &node = evaluator.tensors.free().node(value.asTensor().node);
  return node.op == "buffer" ? node.text : "";
}

std::vector<std::string> bufferNames(Evaluator &evaluator, const Scope &scope) {
  std::vector<std::string> names;
  for (const Scope *outer = &scope; outer; outer = outer->parent.get())
    for (const auto &[name, binding] : outer->bindings)
      if (binding.declared == Declared::Stored && !bufferPath(evaluator, binding.value).empty())
        names.push_back(name);
  return names;
}

void reportNoBuffer(Evaluator &evaluator, const ast::Name &target, Binding *binding,
                    const Scope &scope) {
  std::string quoted = "`" + target.text + "`";
  std::vector<std::string> names = bufferNames(evaluator, scope);
  if (binding && binding->declared == Declared::Stored) {
    evaluator
        .report(Kind::UnknownState, target.span,
                quoted + " is a parameter, and `next` is for buffers")
        .note(binding->span, "it is declared here")
        .help("the optimizer changes parameters; `buffer " + target.text +
              ": T = ...` is a tensor "
              "that only `next` changes");
  } else if (names.empty() && !binding) {
    evaluator.report(Kind::MisplacedStatement, target.span,
                     "`next` stands outside of a model and of an optimizer's `update`");
  } else {
    evaluator.report(Kind::UnknownState, target.span, quoted + " is not a buffer")
        .nearestOrAll("a buffer", target.text, target.span, names);
  }
}

void nextOfState(Evaluator &evaluator, const ast::Stmt &statement, const Value &value) {
  const std::string &name = statement.target.text;
  auto state = evaluator.context.next->find(name);
  if (state == evaluator.context.next->end()) {
    std::vector<std::string> names;
    for (const auto &entry : *evaluator.context.next)
      names.push_back(entry.first);
    evaluator.report(Kind::UnknownState, statement.target.span, "`" + name + "` is not a state")
        .nearest("a state", name, statement.target.span, names);
    return;
  }
  Span &place = evaluator.program.hints.nextPlaces[&state->second];
  if (!state->second.is(ValueKind::None)) {
    evaluator.report(Kind::DuplicateNext, statement.span, "`next " + name + "` is given twice")
        .note(place, "the first is given here");
    return;
  }
  place = statement.span;
  state->second = value;
}

} // namespace

void Evaluator::evalNext(const ast::Stmt &statement, const ScopePtr &scope) {
  Operand operand = evalOperand(*statement.value, scope);
  if (context.next)
    nextOfState(*this, statement, operand.value);
  else
    nextOfBuffer(statement, operand, scope);
}

/// The value as a tensor of the buffer's type; reports why it is none.
std::optional<Tensor> Evaluator::bufferTensor(const Operand &operand, const Buffer &buffer) {
  const TensorType &type = buffer.type;
  const Value &value = operand.value;
  Operand beside = {Value::tensor({0, 0, type}), nullptr, buffer.span};
  bool isLiteral = value.is(ValueKind::Number) || value.is(ValueKind::Bool);
  std::optional<Tensor> tensor = isLiteral ? literal(operand, type.dtype, beside)
                                           : needTensor(operand, "the value of a buffer");
  if (!tensor) return std::nullopt;
  if (isLiteral) return tensors.stretch(*tensor, type.dims);
  if (tensor->isLoose && isReal(type.dtype)) tensor = tensors.cast(*tensor, type.dtype);
  bool fitsType = tensor->type.dtype == type.dtype;
  if (fitsType && sameShape(tensor->type.dims, type.dims)) return tensor;
  Report message(report, fitsType ? Kind::ShapeMismatch : Kind::DtypeMismatch, operand.span,
                 "the buffer is `" + typeText(type) + "`, and its next value is `" +
                     typeText(tensor->type) + "`");
  message.note(buffer.span, "it is declared here");
  if (!fitsType && sameShape(tensor->type.dims, type.dims))
    message.help(std::string("convert it with `cast(x, ") + dtypeName(type.dtype) + ")`");
  return std::nullopt;
}

void Evaluator::nextOfBuffer(const ast::Stmt &statement, const Operand &operand,
                             const ScopePtr &scope) {
  Binding *binding = scope->find(statement.target.text);
  bool isUnknown = binding && binding->declared == Declared::Stored && binding->value.isPoison();
  if (isUnknown) return; // its declaration was reported
  std::string path = binding ? bufferPath(*this, binding->value) : "";
  program.nextPaths.insert(path);
  if (path.empty() || binding->declared != Declared::Stored)
    return reportNoBuffer(*this, statement.target, binding, *scope);
  if (operand.value.isPoison()) return;
  const Buffer *buffer = nullptr;
  for (const Buffer &each : program.buffers)
    if (each.path == path) buffer = &each;
  tensors.span = operand.span;
  std::optional<Tensor> value = buffer ? bufferTensor(operand, *buffer) : std::nullopt;
  if (context.isInCommand()) return; // nor in `generate`, which runs a model many times
  if (context.loopDepth > 0) {
    report(Kind::MisplacedStatement, statement.span, "`next` stands in the body of a loop")
        .help("carry the value through the loop, and give it to the buffer behind it");
    return;
  }
  if (!value || !context.training.value_or(false)) return; // only training changes buffers
  Graph &graph = tensors.current().graph;
  for (const NextValue &other : graph.nexts) {
    if (other.path != path || (isReal(buffer->type.dtype) && other.call != context.call)) continue;
    bool isSameCall = other.call == context.call;
    Report message(report, Kind::DuplicateNext, statement.span,
                   isSameCall ? "`next " + statement.target.text + "` is given twice"
                              : "`" + statement.target.text + "` gets two values in one step");
    message.note(other.span, "the first is given here");
    if (!isSameCall)
      message.help(std::string("values of different calls are averaged, and those of `") +
                   dtypeName(buffer->type.dtype) + "` have no average");
    return;
  }
  NodeId node = tensors.use(*value);
  graph.nexts.push_back({path, node, statement.span, context.call});
}

} // namespace dlm::sema
