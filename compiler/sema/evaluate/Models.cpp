// The members of a model, in the order written: each sees those before it, and functions see all.
#include "compiler/sema/evaluate/Evaluator.h"
#include "compiler/sema/tensor/Initialise.h"
#include "compiler/sema/value/DTypes.h"
#include "compiler/sema/value/Shapes.h"

#include <algorithm>

namespace dlm::sema {

namespace {

/// The function without its parameter `self`, if that is short enough to be shown.
std::string withoutSelf(const SourceManager &sources, const ast::Function &function) {
  constexpr size_t shownMax = 80;
  std::string text(sources.text(function.span));
  if (text.size() > shownMax || text.find('\n') != std::string::npos) return "";
  for (const char *word : {"self, ", "self.", "self"})
    for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at))
      text.erase(at, std::string(word).size());
  return text;
}

void reportSelf(Evaluator &evaluator, const ast::Function &function) {
  Report message(evaluator.report, Kind::UnknownName, function.params[0].name.span,
                 "functions of a model have no `self`");
  std::string text = withoutSelf(evaluator.sources, function);
  message.help("the members of a model see each other by their plain names" +
               (text.empty() ? "" : ": `" + text + "`"));
}

void declareFunction(Evaluator &evaluator, const ast::Function &function, const ScopePtr &inner,
                     const InstanceObject &instance) {
  if (!function.params.empty() && function.params[0].name.text == "self") {
    reportSelf(evaluator, function);
    evaluator.declare(*inner, function.name, {});
    return;
  }
  FunctionObject object = evaluator.makeFunction(function, inner).asFunction();
  object.instanceText = instance.text;
  object.createdAt = instance.createdAt;
  Binding binding;
  binding.value = Value::function(std::move(object));
  binding.declared = Declared::Function;
  evaluator.declare(*inner, function.name, std::move(binding));
}

/// Whether a tensor of this type can be a parameter; reports why not.
bool canBeTrained(Reporter &report, const TensorType &type, const ast::Stored &stored) {
  if (!isReal(type.dtype)) {
    report(Kind::DtypeMismatch, stored.type->span,
           std::string("a parameter holds real numbers, and this is `") + dtypeName(type.dtype) +
               "`")
        .help("a `buffer` holds a tensor of any type");
    return false;
  }
  return true;
}

/// What `data.fit` computes for a stored value. Its own graph is the body of one node: it looks at
/// all training samples, before the run.
std::optional<Tensor> fittedTensor(Evaluator &evaluator, const InitialiserObject &initialiser,
                                   const ast::Stored &stored, const TensorType &type, Span span) {
  const std::shared_ptr<const Graph> &fit = initialiser.fit;
  TensorType given = fit->nodes[fit->results[0].second].type;
  bool hasSamples = !given.dims.empty() && given.dims[0].name == fittedAxis;
  if (initialiser.columns > 0)
    given.dims.insert(given.dims.begin(), Dim::whole(initialiser.columns));
  if (given.dtype == type.dtype && sameShape(given.dims, type.dims)) {
    Node node;
    node.op = "fit";
    node.type = type;
    node.bodies = {fit};
    if (initialiser.columns > 0) node.ints = {initialiser.columns};
    return evaluator.tensors.emit(std::move(node), {});
  }
  bool fitsShape = sameShape(given.dims, type.dims);
  Report message(evaluator.report, fitsShape ? Kind::DtypeMismatch : Kind::ShapeMismatch, span,
                 "`" + stored.name.text + "` is `" + typeText(type) + "`, and `data.fit` gives `" +
                     typeText(given) + "`");
  message.secondary(stored.type->span, "declared here");
  if (fitsShape)
    message.help(std::string("convert it with `cast(x, ") + dtypeName(type.dtype) + ")`");
  else if (hasSamples)
    message.help(
        "it has a value for each training sample: reduce over them, as `mean(x, over = 0)` "
        "does");
  return std::nullopt;
}

} // namespace

void Evaluator::addMember(const ast::Member &member, const ScopePtr &inner,
                          InstanceObject &instance) {
  switch (member.kind) {
  case ast::Member::StoredValue:
    addStored(*member.stored, inner, instance);
    break;
  case ast::Member::Fn:
    declareFunction(*this, *member.function, inner, instance);
    break;
  case ast::Member::Require:
    evalRequire(*member.statement, inner);
    break;
  case ast::Member::Let: {
    const ast::Stmt &let = *member.statement;
    ContextScope saved(*this);
    enterPath(let.pattern.names[0].text);
    Operand operand = evalOperand(*let.value, inner);
    if (let.type)
      operand.value =
          conform(*let.type, operand, inner, "`" + let.pattern.names[0].text + "`", false);
    bind(let.pattern, operand.value, operand.span, *inner, Declared::Let);
    break;
  }
  }
}

void Evaluator::addStored(const ast::Stored &stored, const ScopePtr &inner,
                          const InstanceObject &instance) {
  bool isBuffer = stored.kind == ast::Stored::Buffer;
  Binding binding;
  binding.declared = Declared::Stored;
  std::optional<TensorType> type = storedType(*stored.type, inner);
  if (type && !isBuffer && !canBeTrained(report, *type, stored)) type.reset();
  if (type) {
    std::string path = instance.path + "." + stored.name.text;
    Span place = report.placeToShow(stored.name.span);
    GraphScope graph(tensors);
    std::optional<Tensor> initial = initialTensor(stored, *type, inner);
    if (initial) graph.graph().results.emplace_back("value", tensors.use(*initial));
    (*graph).prune();
    binding.value = Value::tensor(
        tensors.freeLeaf(isBuffer ? "buffer" : "parameter", path, *type, stored.name.span));
    Span init = stored.init ? stored.init->span : Span{};
    if (isBuffer)
      program.buffers.push_back(
          {path, *type, std::move(graph.graph()), hasBatchAxis(type->dims), place, init});
    else
      program.parameters.push_back(
          {path, *type, std::move(graph.graph()), stored.name.span, false, init});
    program.parameterPlaces[path] = place;
  }
  declare(*inner, stored.name, std::move(binding));
}

std::optional<Tensor> Evaluator::initialTensor(const ast::Stored &stored, const TensorType &type,
                                               const ScopePtr &scope) {
  if (!stored.init) {
    report(Kind::MissingInit, stored.span, "`" + stored.name.text + "` has no initial value")
        .help("write `= zeros`, `= normal(std = 0.02)` or another initialiser behind its type");
    return std::nullopt;
  }
  Operand operand = evalOperand(*stored.init, scope);
  if (operand.value.is(ValueKind::BuiltinFunction))
    operand.value = call(operand, {}, scope, operand.span);
  tensors.span = operand.span;
  const Value &value = operand.value;
  if (value.is(ValueKind::Initialiser)) {
    const InitialiserObject &initialiser = value.asInitialiser();
    if (initialiser.fit) return fittedTensor(*this, initialiser, stored, type, operand.span);
    if (initialiser.name == "constant")
      return tensors.constant(initialiser.first, type.dtype, type.dims);
    if (isReal(type.dtype))
      return tensors.cast(initialise(tensors, initialiser, type.dims), type.dtype);
    report(Kind::DtypeMismatch, operand.span,
           "`" + stored.name.text + "` is `" + typeText(type) +
               "`, and this initialiser gives real numbers")
        .secondary(stored.type->span, "declared here");
    return std::nullopt;
  }
  if (value.is(ValueKind::Bool) || value.is(ValueKind::Number)) {
    Operand beside = {Value::tensor({0, 0, type}), nullptr, stored.type->span};
    bool isBool = value.is(ValueKind::Bool);
    if (!literal(operand, type.dtype, beside)) return std::nullopt;
    return tensors.constant(isBool ? value.asBool() : value.asNumber().toReal(), type.dtype,
                            type.dims);
  }
  if (value.is(ValueKind::Tensor)) {
    const Tensor &tensor = value.asTensor();
    if (tensor.type.dtype == type.dtype && sameShape(tensor.type.dims, type.dims)) return tensor;
    report(Kind::ShapeMismatch, operand.span,
           "`" + stored.name.text + "` is `" + typeText(type) + "`, and starts with `" +
               typeText(tensor.type) + "`")
        .secondary(stored.type->span, "declared here");
  } else if (!value.isPoison()) {
    report(Kind::TypeMismatch, operand.span,
           "an initial value is an initialiser, a number or a tensor, and this is " +
               value.describe());
  }
  return std::nullopt;
}

} // namespace dlm::sema
