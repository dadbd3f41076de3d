// The members of a model, in the order written: each sees those before it, and functions see all.
#include "compiler/sema/Evaluator.h"
#include "compiler/sema/Initialise.h"
#include "compiler/sema/Shapes.h"

namespace dlm::sema {

namespace {

void declareFunction(Evaluator &evaluator, const ast::Function &function, const ScopePtr &inner,
                     const InstanceObject &instance) {
  FunctionObject object = evaluator.makeFunction(function, inner).asFunction();
  object.instanceText = instance.text;
  object.createdAt = instance.createdAt;
  Binding binding;
  binding.value = Value::function(std::move(object));
  binding.declared = Declared::Function;
  evaluator.declare(*inner, function.name, std::move(binding));
}

} // namespace

void Evaluator::addMember(const ast::Member &member, const ScopePtr &inner,
                          InstanceObject &instance) {
  switch (member.kind) {
  case ast::Member::StoredValue:
    if (member.stored->kind == ast::Stored::Param)
      addParameter(*member.stored, inner, instance);
    else
      notYet(member.span, "`buffer` in a model");
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

void Evaluator::addParameter(const ast::Stored &stored, const ScopePtr &inner,
                             const InstanceObject &instance) {
  Binding binding;
  binding.declared = Declared::Stored;
  std::optional<TensorType> type = storedType(*stored.type, inner);
  if (type && type->dtype != DType::F32) {
    report(Kind::DtypeMismatch, stored.type->span,
           std::string("a parameter is `f32`, and this is `") + dtypeName(type->dtype) + "`");
    type.reset();
  }
  if (type) {
    Parameter parameter;
    parameter.path = instance.path + "." + stored.name.text;
    parameter.type = *type;
    parameter.span = stored.name.span;
    program.parameterPlaces[parameter.path] = report.placeToShow(stored.name.span);
    GraphScope graph(tensors);
    std::optional<Tensor> initial = initialTensor(stored, *type, inner);
    if (initial) graph.graph().results.emplace_back("value", tensors.use(*initial));
    parameter.init = std::move(graph.graph());
    binding.value =
        Value::tensor(tensors.freeLeaf("parameter", parameter.path, *type, stored.name.span));
    program.parameters.push_back(std::move(parameter));
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
  if (value.is(ValueKind::Initialiser))
    return initialise(tensors, value.asInitialiser(), type.dims);
  if (value.is(ValueKind::Number))
    return tensors.constant(value.asNumber().toReal(), type.dtype, type.dims);
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
