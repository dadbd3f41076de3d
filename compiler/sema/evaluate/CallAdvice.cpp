#include "compiler/sema/evaluate/CallAdvice.h"

#include "compiler/diagnostics/NearWords.h"
#include "compiler/sema/evaluate/Evaluator.h"
#include "compiler/sema/modules/ForeignNames.h"
#include "compiler/sema/value/DTypes.h"

#include <algorithm>

namespace dlm::sema {

void adviseNotCallable(const Evaluator &evaluator, Report &message, const Operand &callee,
                       const std::vector<CallArgument> &arguments, Span call) {
  const Value &value = callee.value;
  bool isName = callee.expr && callee.expr->kind == ast::ExprKind::Name;
  bool isType = isName && value.is(ValueKind::String) && findDType(callee.expr->text);
  if (isType && arguments.size() == 1) {
    std::string text = "cast(" + std::string(evaluator.sources.text(arguments[0].operand.span)) +
                       ", " + callee.expr->text + ")";
    bool isPiped = arguments[0].operand.span.begin < call.begin;
    message.help("an element type is given to a tensor by `" + text + "`", isPiped ? Span{} : call,
                 text);
  } else if (isName && callee.declared.isValid() &&
             evaluator.library->bindings.count(callee.expr->text)) {
    message.note(callee.declared,
                 "`" + callee.expr->text + "` is declared here, and hides the function");
  }
}

void adviseNoForward(Report &message, const InstanceObject &instance) {
  const ast::Model &model = *instance.declaration;
  const ast::Function *meant = nullptr;
  std::vector<std::string> names;
  for (const ast::Member &member : model.members)
    if (member.function) names.push_back(member.function->name.text);
  std::string near = nearestWord("forward", names);
  static const std::vector<std::string> foreign = {"call", "__call__", "predict", "apply", "run"};
  for (const ast::Member &member : model.members) {
    if (!member.function) continue;
    const std::string &name = member.function->name.text;
    bool isMeant = name == near || std::count(foreign.begin(), foreign.end(), name);
    if (isMeant || (names.size() == 1 && !meant)) meant = member.function.get();
  }
  if (!meant) {
    message.note(model.name.span, "the model is declared here");
    message.help("what it computes is `fn forward(x) { ... }` in the model");
    return;
  }
  message.note(meant->name.span, "the model has this function");
  bool isNear = meant->name.text == near;
  message.help(isNear ? "rename it to `forward`"
                      : "what a call computes is `fn forward`: rename it, or call `" +
                            meant->name.text + "` by its name",
               meant->name.span, "forward");
}

void adviseInstance(const Evaluator &evaluator, Report &message, const ModelObject &model,
                    const Scope &scope, Span call) {
  for (const Scope *outer = &scope; outer; outer = outer->parent.get())
    for (const auto &[name, binding] : outer->bindings) {
      const Value &value = binding.value;
      if (!value.is(ValueKind::Instance)) continue;
      if (value.asInstance().declaration != model.declaration) continue;
      std::string written(evaluator.sources.text(call));
      size_t open = written.find('(');
      if (open == std::string::npos) continue;
      message.help("`" + name + "` is made of it: call that", call, name + written.substr(open));
      return;
    }
  message.help("make it in a `let` of the model or the train block, so that its parameters last");
}

std::string meantParameter(const Signature &signature, const std::string &name) {
  std::string here = argumentHere(name);
  bool isParameter = std::count(signature.names.begin(), signature.names.end(), here) > 0;
  return isParameter ? here : certainWord(name, signature.names);
}

void dropParameters(Evaluator &evaluator, const std::string &optimizer,
                    std::vector<CallArgument> &arguments) {
  static const std::vector<std::string> words = {"parameters", "params", "trainable_variables",
                                                 "trainable_parameters"};
  for (size_t i = 0; i < arguments.size(); ++i) {
    const ast::Expr *expr = arguments[i].operand.expr;
    if (expr && expr->kind == ast::ExprKind::Call) expr = expr->operands[0].get();
    bool isMember = expr && expr->kind == ast::ExprKind::Member;
    if (!isMember || !std::count(words.begin(), words.end(), expr->text)) continue;
    Span span = arguments[i].operand.span;
    bool isLast = i + 1 == arguments.size();
    uint32_t end = isLast ? span.end : arguments[i + 1].operand.span.begin;
    if (!isLast && !arguments[i + 1].name.empty()) end = arguments[i + 1].nameSpan.begin;
    evaluator.report(Kind::ExtraArgument, span, "`" + optimizer + "` is not told what to change")
        .help("leave it out: all parameters are trained that are made in the train block",
              isLast && i > 0 ? Span{} : Span{span.file, span.begin, end}, "");
    arguments.erase(arguments.begin() + std::ptrdiff_t(i));
    return;
  }
}

void adviseOrder(const Evaluator &evaluator, Report &message, const Operand &before,
                 const Operand &argument, const std::string &freeParameter) {
  auto isNumber = [](const Operand &operand) {
    return operand.expr && operand.expr->kind == ast::ExprKind::Number;
  };
  Span both = cover(before.span, argument.span);
  bool isComma =
      isNumber(before) && isNumber(argument) && argument.span.begin == before.span.end + 1;
  if (isComma) {
    std::string text(evaluator.sources.text(before.span));
    text += "." + std::string(evaluator.sources.text(argument.span));
    message.help("the decimal point is `.`: `" + text + "`", both, text);
    return;
  }
  std::string name = freeParameter.empty() ? "" : ": `" + freeParameter + " = ...`";
  message.help("put it in front, or give it its name" + name);
}

} // namespace dlm::sema
