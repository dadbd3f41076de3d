#include "compiler/sema/evaluate/CallAdvice.h"

#include "compiler/diagnostics/NearWords.h"
#include "compiler/sema/evaluate/Evaluator.h"
#include "compiler/sema/modules/ForeignMembers.h"
#include "compiler/sema/modules/ForeignNames.h"
#include "compiler/sema/modules/NameAdvice.h"
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

/// Whether a call that makes a model is not the call of one: `nn.Linear(4, 4)(x)` gives what it
/// makes its input, and numbers alone are none.
static bool givesSizes(const Evaluator &evaluator, const std::string &arguments, Span call) {
  Span behind = {call.file, call.end, call.end + 1};
  bool isAtEnd = call.end >= evaluator.sources.text(call.file).size();
  bool isCalled = !isAtEnd && evaluator.sources.text(behind) == "(";
  return isCalled || arguments.find_first_not_of("()0123456789., ") == std::string::npos;
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
      bool areSizes = givesSizes(evaluator, written.substr(open), call);
      message.help("`" + name + "` is made of it: call that", call,
                   areSizes ? name : name + written.substr(open));
      return;
    }
  message.help("make it in a `let` of the model or the train block, so that its parameters last");
}

MeantArgument meantArgument(const Evaluator &evaluator, const Signature &signature,
                            const std::string &name) {
  auto isParameter = [&](const std::string &word) {
    return std::count(signature.names.begin(), signature.names.end(), word) > 0;
  };
  MeantArgument result;
  if (std::string here = argumentHere(name); isParameter(here)) {
    result.certain = here;
    result.advice = "it is called `" + here + "` here";
    return result;
  }
  result.advice = isParameter("betas") ? foreignArgumentAdvice(name) : "";
  if (!result.advice.empty()) return result;
  if (std::string near = argumentNear(name); isParameter(near)) {
    result.near = near;
    result.advice = "what comes near is `" + near + "`";
    return result;
  }
  static const std::vector<std::string> shuffles = {"shuffle", "random_state", "stratify"};
  bool hasSplit =
      signature.callee == "csv" || signature.callee == "jsonl" || signature.callee == "npy";
  if (hasSplit && std::count(shuffles.begin(), shuffles.end(), name)) {
    result.advice = "`split = shuffled` cuts `validation` and `test` from all over the file; "
                    "training sees its samples in another order in each epoch anyway";
    return result;
  }
  static const std::vector<std::string> ofTables = {"drop_columns", "exclude",  "ignore",
                                                    "usecols",      "features", "index_col"};
  if (signature.callee == "jsonl" && std::count(ofTables.begin(), ofTables.end(), name)) {
    result.advice = "`drop = [\"NAME\", ...]` leaves keys out";
    return result;
  }
  if (signature.callee == "csv" && std::count(ofTables.begin(), ofTables.end(), name)) {
    result.advice = "`drop = [\"NAME\", ...]` leaves columns out, and `columns = [\"NAME\" => "
                    "data.number(), ...]` names those that are read";
    return result;
  }
  result.advice = foreignLayerArgumentAdvice(name);
  if (!result.advice.empty()) return result;
  if (std::string other = otherWithParameter(evaluator, signature, name); !other.empty())
    result.advice = "`" + other + "` has it";
  else if (evaluator.report.seeksNames())
    result.certain = certainWord(name, signature.names);
  return result;
}

std::string reportUnknownArgument(Evaluator &evaluator, const Signature &signature,
                                  const CallArgument &argument) {
  const std::string &name = argument.name;
  Report message(evaluator.report, Kind::UnknownArgument, argument.nameSpan,
                 "`" + signature.callee + "` has no parameter `" + name + "`");
  MeantArgument meant = meantArgument(evaluator, signature, name);
  if (!evaluator.report.seeksNames()) return meant.certain;
  if (meant.advice.empty())
    message.nearestOrAll("a parameter", name, argument.nameSpan, signature.names);
  else if (!meant.certain.empty())
    message.help(meant.advice, argument.nameSpan, meant.certain, Applicability::Exact);
  else if (!meant.near.empty())
    message.help(meant.advice, argument.nameSpan, meant.near);
  else
    message.help(meant.advice);
  return meant.certain;
}

namespace {

/// Whether a value can be what a parameter is declared as; true where its type does not tell.
bool canBe(const ast::Param &param, const Value &value) {
  if (!param.type || param.type->isOptional || value.isPoison()) return true;
  const ast::TypeRef &type = *param.type;
  bool isTensor = value.is(ValueKind::Tensor);
  if (type.kind == ast::TypeRef::List) return value.is(ValueKind::List);
  if (type.kind != ast::TypeRef::Named) return true;
  if (type.hasDims) {
    bool isPlain = std::none_of(type.dims.begin(), type.dims.end(),
                                [](const ast::Dim &dim) { return dim.isEllipsis; });
    std::optional<DType> dtype = findDType(type.text);
    if (!isTensor) return type.dims.empty() && value.is(ValueKind::Number);
    const TensorType &is = value.asTensor().type;
    return (!isPlain || is.dims.size() == type.dims.size()) && (!dtype || is.dtype == *dtype);
  }
  bool isString = value.is(ValueKind::String) || value.is(ValueKind::RunTimeString);
  if (type.text == "string") return isString;
  if (type.text == "bool") return value.is(ValueKind::Bool) || isTensor;
  bool isNumber = value.is(ValueKind::Number) || value.is(ValueKind::Size) ||
                  (isTensor && value.asTensor().type.dims.empty());
  bool wantsNumber = type.text == "int" || type.text == "number" || findDType(type.text);
  return !wantsNumber || isNumber;
}

/// The parameter without an argument that a positional argument seems to be meant for, by its name
/// or by its type; that of the argument as it stands if it is not clear.
size_t parameterFor(const Signature &signature, const CallArgument &argument, size_t stands,
                    const std::vector<int> &matched) {
  const ast::Expr *expr = argument.operand.expr;
  bool isNamed = expr && (expr->kind == ast::ExprKind::Name || expr->kind == ast::ExprKind::Member);
  size_t result = stands, count = 0;
  for (size_t i = 0; i < matched.size(); ++i) {
    if (matched[i] >= 0) continue;
    if (isNamed && expr->text == signature.names[i] && expr->text != signature.names[stands])
      return i;
    const std::vector<ast::Param> *params = signature.params;
    bool isByType = params && (*params)[i].type &&
                    !canBe((*params)[stands], argument.operand.value) &&
                    canBe((*params)[i], argument.operand.value);
    if (!isByType) continue;
    result = i;
    ++count;
  }
  return count == 1 ? result : stands;
}

} // namespace

void reportMissing(Evaluator &evaluator, const Signature &signature,
                   const std::vector<CallArgument> &arguments, const std::vector<int> &matched,
                   Span call) {
  constexpr size_t labelsMax = 4;
  std::vector<int> meant = matched;
  std::vector<std::pair<size_t, size_t>> positional; // parameters: as it stands, as it is meant
  for (size_t i = 0; i < matched.size(); ++i) {
    if (matched[i] < 0 || !arguments[size_t(matched[i])].name.empty()) continue;
    size_t other = parameterFor(signature, arguments[size_t(matched[i])], i, meant);
    if (other != i) std::swap(meant[other], meant[i]);
    positional.emplace_back(i, other);
  }
  auto lacking = [&](const std::vector<int> &given) {
    std::vector<std::string> names;
    for (size_t i = 0; i < given.size(); ++i)
      if (given[i] < 0 && !signature.isOptional[i]) names.push_back(signature.names[i]);
    return names;
  };
  std::vector<std::string> missing = lacking(meant);
  if (missing.empty()) missing = lacking(matched); // what it stands for may be left out
  Report message(evaluator.report, Kind::MissingArgument, call,
                 "`" + signature.callee + "` is called without " + joinNames(missing));
  for (const auto &[stands, other] : positional) {
    const Operand &operand = arguments[size_t(matched[stands])].operand;
    const std::string &name = signature.names[stands], &meantName = signature.names[other];
    if (positional.size() <= labelsMax)
      message.secondary(operand.span,
                        stands == other
                            ? "is `" + name + "`"
                            : "stands for `" + name + "`, and seems to be `" + meantName + "`");
    if (stands == other) continue;
    std::string text = meantName + " = " + std::string(evaluator.sources.text(operand.span));
    bool isPiped = operand.span.begin < call.begin;
    message.help("give it its name: `" + text + "`", isPiped ? Span{} : operand.span, text);
  }
  if (signature.declared.isValid() && !evaluator.report.libraryFiles.count(signature.declared.file))
    message.note(signature.declared, "it is declared here");
  if (missing.front() == "lr" && evaluator.report.libraryFiles.count(signature.declared.file))
    message.help("`lr` is the learning rate, a number or a schedule: `" + signature.callee +
                 "(lr = 1e-3)`");
  if (missing.front() == "over")
    message.help("`over` is the axis it goes along: `over = -1` is the last one, where the classes "
                 "usually are");
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
