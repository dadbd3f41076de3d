// Evaluates expressions by kind: names, literals, chains of operators, and what is delegated to
// the files for calls, subscripts and members.
//
// Chains such as `a + b + c` and `x |> f |> g` are walked in a loop: they may be thousands of
// links long, while all other nesting is limited by the parser.
#include "compiler/diagnostics/NearWords.h"
#include "compiler/sema/evaluate/Evaluator.h"
#include "compiler/sema/modules/ForeignNames.h"
#include "compiler/sema/modules/LaterNames.h"
#include "compiler/sema/modules/NameAdvice.h"
#include "compiler/sema/run/Tests.h"
#include "compiler/sema/value/Units.h"

#include <algorithm>
#include <cctype>

namespace dlm::sema {

namespace {

bool isUnit(const std::string &word) {
  std::vector<std::string> names = unitNames();
  return std::count(names.begin(), names.end(), word) > 0;
}

std::string unitAdvice(const std::string &name) {
  constexpr size_t lettersMin = 5; // `s` and `min` are names more often
  bool isWord = name.size() >= lettersMin && isUnit(name);
  return isWord ? "a unit stands behind a number: `5 " + name + "`" : "";
}

/// `epochs(5)` for `5 epochs`; nothing for any other call.
std::optional<Value> calledUnit(Evaluator &evaluator, const ast::Expr &expr,
                                const ScopePtr &scope) {
  const ast::Expr &callee = *expr.operands[0];
  bool isWord = callee.kind == ast::ExprKind::Name && expr.arguments.size() == 1;
  if (!isWord || !expr.arguments[0].name.text.empty()) return std::nullopt;
  const ast::Expr &amount = *expr.arguments[0].value;
  std::string unit = isUnit(callee.text) ? callee.text : unitHere(callee.text);
  if (unit.empty() || amount.kind != ast::ExprKind::Number || !amount.unit.empty() ||
      scope->find(callee.text))
    return std::nullopt;
  evaluator
      .report(Kind::UnknownName, callee.span, "`" + callee.text + "` is a unit, and not a function")
      .help("a unit stands behind a number", expr.span, amount.text + " " + unit,
            unit == callee.text ? Applicability::Exact : Applicability::Guess);
  return evaluator.evalQuantity(amount.text, unit, callee.span);
}

} // namespace

ContextScope::ContextScope(Evaluator &evaluator)
    : evaluator(evaluator), saved(evaluator.context), savedLayer(evaluator.tensors.layer) {}

ContextScope::~ContextScope() {
  evaluator.context = std::move(saved);
  evaluator.tensors.layer = savedLayer;
}

Evaluator::Evaluator(Program &program, SourceManager &sources, ModuleFiles &modules,
                     DiagnosticEngine &diagnostics, WorkBudget &budget)
    : program(program), sources(sources), modules(modules), report(diagnostics), budget(budget),
      library(std::make_shared<Scope>()), observer(program.checkOptions.observer) {
  tensors.report = &report;
  declareLibrary();
}

/// Functions hold the scope they stand in, which holds them: the circles are broken here.
Evaluator::~Evaluator() {
  library->bindings.clear();
  for (const std::weak_ptr<Scope> &each : scopes)
    if (ScopePtr scope = each.lock()) scope->bindings.clear();
}

ScopePtr Evaluator::makeScope(const ScopePtr &parent) {
  ScopePtr scope = std::make_shared<Scope>(parent);
  if (scopes.size() >= scopesMax) { // forgets those that are gone
    scopes.erase(std::remove_if(scopes.begin(), scopes.end(),
                                [](const std::weak_ptr<Scope> &each) { return each.expired(); }),
                 scopes.end());
    scopesMax = std::max<size_t>(1024, 2 * scopes.size());
  }
  scopes.push_back(scope);
  return scope;
}

void Evaluator::enterPath(const std::string &component) {
  if (!context.path.empty()) context.path += ".";
  context.path += component;
}

Value Evaluator::notYet(Span span, const std::string &construct) {
  if (program.notYet.insert(construct).second)
    report(Kind::NotYet, span, construct + " cannot be compiled yet");
  return Value();
}

Value Evaluator::eval(const ast::Expr &expr, const ScopePtr &scope) {
  constexpr int depthMax = 4000;
  if (depth >= depthMax) {
    report(Kind::Nesting, expr.span, "expressions and calls are nested more than 4000 deep");
    return Value();
  }
  if (!spend(1, expr.span)) return Value();
  ++depth;
  Value result = evalUncounted(expr, scope);
  --depth;
  return weigh(expr, result) ? result : Value();
}

Operand Evaluator::evalOperand(const ast::Expr &expr, const ScopePtr &scope) {
  Operand result = {eval(expr, scope), &expr, expr.span};
  if (expr.kind == ast::ExprKind::Name)
    if (Binding *binding = scope->find(expr.text))
      if (binding->declared != Declared::Library) {
        result.declared = binding->span;
        result.written = binding->written;
      }
  return result;
}

Value Evaluator::evalUncounted(const ast::Expr &expr, const ScopePtr &scope) {
  switch (expr.kind) {
  case ast::ExprKind::Number:
  case ast::ExprKind::Percent:
  case ast::ExprKind::Quantity:
  case ast::ExprKind::String:
  case ast::ExprKind::Bool:
  case ast::ExprKind::None:
    return evalLiteral(expr);
  case ast::ExprKind::Name:
    return evalName(expr, scope);
  case ast::ExprKind::Member: {
    Operand base = evalOperand(*expr.operands[0], scope);
    Value value = member(base, expr.text, expr.nameSpan);
    if (observer) observer->member(expr, base.value, value);
    return value;
  }
  case ast::ExprKind::Call:
    if (std::optional<Value> quantity = calledUnit(*this, expr, scope)) return *quantity;
    return call(evalOperand(*expr.operands[0], scope), argumentsOf(expr), scope, expr.span);
  case ast::ExprKind::Subscript:
    return subscript(expr, scope);
  case ast::ExprKind::Unary:
    return unary(expr.text, evalOperand(*expr.operands[0], scope), expr.span);
  case ast::ExprKind::Binary:
  case ast::ExprKind::Pipe:
    return evalChain(expr, scope);
  case ast::ExprKind::Record:
    return evalRecord(expr, scope);
  case ast::ExprKind::List:
    return evalList(expr, scope);
  case ast::ExprKind::Comprehension:
    return evalComprehension(expr, scope);
  case ast::ExprKind::If:
    return evalIf(expr, scope);
  case ast::ExprKind::Lambda: {
    FunctionObject object;
    object.params = &expr.params;
    object.result = expr.resultType.get();
    object.body = expr.body.get();
    object.scope = scope;
    return Value::function(std::move(object));
  }
  }
  return Value();
}

Value Evaluator::force(Binding &binding, Span use) {
  binding.isUsed = true;
  if (binding.state == Binding::Ready) return binding.value;
  if (binding.state == Binding::Running) {
    report(Kind::Cycle, use, "`" + std::string(sources.text(use)) + "` is needed to compute itself")
        .note(binding.span, "it is declared here");
    return Value();
  }
  binding.state = Binding::Running;
  FreeGraphScope graph(tensors);
  ContextScope saved(*this);
  context = Context();
  tensors.layer = 0; // whichever layer asks first, it is of none
  std::vector<Frame> frames;
  frames.swap(report.frames);
  binding.value = binding.make();
  frames.swap(report.frames);
  binding.state = Binding::Ready;
  return binding.value;
}

/// Whether a name is that of a parameter whose argument is not bound yet.
static bool isUnboundParameter(Evaluator &evaluator, const Scope &scope, const ast::Expr &name) {
  constexpr size_t comparedInAStep = 64;
  for (const Scope *outer = &scope; outer; outer = outer->parent.get()) {
    if (!outer->pending) continue;
    const std::vector<ast::Param> &params = *outer->pending;
    evaluator.spend((params.size() - outer->pendingFrom) / comparedInAStep, name.span);
    for (size_t i = outer->pendingFrom; i < params.size(); ++i)
      if (params[i].name.text == name.text) return true;
  }
  return false;
}

Value Evaluator::evalName(const ast::Expr &expr, const ScopePtr &scope) {
  constexpr int64_t scopesInAStep = 8;
  spend(scope->depth / scopesInAStep, expr.span);
  Binding *binding = scope->find(expr.text);
  if (binding && binding->declared == Declared::Library && isUnboundParameter(*this, *scope, expr))
    binding = nullptr; // not what was meant
  Value value = binding ? force(*binding, expr.span) : evalAmbient(expr, scope);
  bool isStored = binding && binding->declared == Declared::Stored;
  if (isStored && context.marker >= 0) value = underMarker(value, context.marker);
  if (observer) observer->name(expr, scope, binding, value);
  return value;
}

/// A model named as an instance of it would be: `net`, where only `Net` is declared.
static std::string instanceAdvice(const std::string &name, const std::string &model) {
  auto lower = [](std::string text) {
    for (char &c : text)
      c = char(std::tolower(static_cast<unsigned char>(c)));
    return text;
  };
  if (lower(name) != lower(model)) return "";
  return "make one of the model `" + model + "`: `let " + name + " = " + model +
         "(...)` in the train block";
}

/// Whether a name may be a slip for one of the program's own.
static bool isNearOwnName(Scope &scope, const std::string &name,
                          const std::vector<std::string> &names) {
  for (const std::string &near : nearWords(name, names)) {
    const Binding *binding = scope.find(near);
    if (binding && binding->declared != Declared::Library) return true;
  }
  return false;
}

/// Those of the names that are of models with parameters.
static std::vector<std::string> instancesIn(Scope &scope, const std::vector<std::string> &names) {
  std::vector<std::string> result;
  for (const std::string &name : names)
    if (Binding *binding = scope.find(name); binding && binding->value.is(ValueKind::Instance))
      result.push_back(name);
  return result;
}

/// A file beside this one whose `use` is missing, once; false if the name is none.
static bool reportFileBeside(Evaluator &evaluator, const ast::Expr &expr) {
  std::string advice = fileAdvice(evaluator, expr.text, expr.span);
  if (advice.empty()) return false;
  Reporter &report = evaluator.report;
  auto &known = evaluator.program.hints.unknown;
  if (report.unheard || known.emplace(expr.span.file, expr.text).second)
    report(Kind::UnknownName, expr.span, "`" + expr.text + "` is not declared").help(advice);
  return true;
}

/// The names that may be meant by one that is not declared.
static std::vector<std::string> namesAt(Evaluator &evaluator, const ast::Expr &expr, Scope &scope) {
  std::vector<std::string> names;
  if (evaluator.report.seeksNames()) names = scope.names();
  if (!isMemberAsked(evaluator, expr.span)) { // a module is no value
    auto isModule = [&](const std::string &each) {
      return scope.find(each)->value.is(ValueKind::Module);
    };
    names.erase(std::remove_if(names.begin(), names.end(), isModule), names.end());
  }
  names.insert(names.end(), {"training", "step", "steps", "epoch", "seed"});
  if (evaluator.context.isRule) names.emplace_back("updates");
  return names;
}

Value Evaluator::evalAmbient(const ast::Expr &expr, const ScopePtr &scope) {
  const std::string &name = expr.text;
  if (name == "batch") return context.test ? Value::whole(testRows) : Value::size(Extent::batch());
  if (name == "training" && context.training) return Value::boolean(*context.training);
  bool isOfRun = name == "step" || name == "steps" || name == "epoch" || name == "seed";
  if (isOfRun || (name == "updates" && context.isRule)) {
    Tensor tensor = tensors.freeLeaf("ambient", name, {DType::I64, {}}, expr.span);
    tensor.isLoose = true;
    return Value::tensor(tensor);
  }
  if (name == "updates") {
    report(Kind::AmbientName, expr.span, "`updates` is read outside of an optimizer's `fn update`")
        .help("the `step` of the run can be read everywhere in it");
    return Value();
  }
  if (name == "training" || name == "new") {
    report(Kind::AmbientName, expr.span,
           name == "new" ? "`new` stands outside of an index"
                         : "`training` is read outside of a hook or model");
    return Value();
  }
  bool isUnbound = isUnboundParameter(*this, *scope, expr);
  if (!isUnbound && isLaterName("", name)) return notYet(expr.span, "`" + name + "`");
  auto place = std::make_pair(&expr, report.placeToShow(expr.span).begin);
  bool isModelMisplaced =
      program.hints.misplaced.count("net") + program.hints.misplaced.count("model") > 0;
  if (program.hints.misplaced.count(name)) return Value();
  if (unknown.count(place)) return Value(); // said already: code may be followed a million times
  if (!isUnbound && reportFileBeside(*this, expr)) return Value();
  std::vector<std::string> names = namesAt(*this, expr, *scope);
  bool isModelNeeded = program.hints.isModelNeeded;
  if (isModelNeeded) names = instancesIn(*scope, names);
  Binding *near = scope->find(nearestWord(name, names));
  if (near && near->declared == Declared::Model && isModelMisplaced) return Value();
  Report message(report, Kind::UnknownName, expr.span, "`" + name + "` is not declared");
  std::string advice = isUnbound ? "arguments are bound from left to right: the parameter `" +
                                       name + "` has to stand before what needs it"
                                 : foreignNameAdvice(name);
  if (advice.empty() && !isUnbound) advice = unitAdvice(name);
  if (advice.empty()) advice = moduleAdvice(name);
  if (advice.empty() && near && near->declared == Declared::Model)
    advice = instanceAdvice(name, nearestWord(name, names));
  if (std::string meant = nameHere(name); !meant.empty() && !isUnbound) {
    message.help("it is written `" + meant + "`", expr.span, meant,
                 isNearOwnName(*scope, name, names) ? Applicability::Guess : Applicability::Exact);
    if (meant == "true" || meant == "false") return Value::boolean(meant == "true");
    if (meant == "none") return Value::none();
    Binding *binding = scope->find(meant);
    return binding ? force(*binding, expr.span) : Value();
  }
  if (std::string meant = certainWord(name, names); advice.empty() && !meant.empty() && near) {
    message.nearest(declaredWord(near->declared), name, expr.span, names);
    return force(*near, expr.span);
  }
  if (isForeignModule(name))
    adviseForeignModule(*this, message, expr.span);
  else if (std::string like = libraryFunctionLike(*this, name); advice.empty() && !like.empty())
    message.help("it is the function `" + like + "`", withEmptyCall(*this, expr.span), like);
  else if (advice.empty() && isModelNeeded)
    message.nearestOrAll("a model", name, expr.span, names);
  else if (advice.empty())
    message.nearest(near ? declaredWord(near->declared) : "a name", name, expr.span, names);
  else
    message.help(advice);
  unknown.insert(place);
  return Value();
}

Value Evaluator::evalQuantity(const std::string &digits, const std::string &unit, Span span) {
  std::optional<Number> amount = parseNumber(digits);
  if (!amount) {
    report(Kind::NumberRange, span, rangeText(digits));
    return Value();
  }
  if (std::optional<Value> value = quantityOf(*amount, unit)) return *value;
  Report message(report, Kind::UnknownUnit, span, "`" + unit + "` is not a unit");
  std::string meant = unitHere(unit);
  if (meant.empty()) {
    message.nearestOrAll("a unit", unit, span, unitNames());
    return Value();
  }
  bool isLarger = meant.find("iB") != std::string::npos; // than the power of ten that was written
  message.help("the unit is `" + meant + "`" + (isLarger ? ", a power of 1024 bytes" : ""), span,
               meant, isLarger ? Applicability::Guess : Applicability::Exact);
  return evalQuantity(digits, meant, span);
}

Value Evaluator::evalLiteral(const ast::Expr &expr) {
  switch (expr.kind) {
  case ast::ExprKind::String:
    return Value::string(expr.text);
  case ast::ExprKind::Bool:
    return Value::boolean(expr.text == "true");
  case ast::ExprKind::None:
    return Value::none();
  default:
    break;
  }
  if (expr.kind == ast::ExprKind::Quantity) {
    size_t split = 0;
    while (split < expr.text.size() && !std::isalpha(static_cast<unsigned char>(expr.text[split])))
      ++split;
    Span unit = {expr.span.file, expr.span.begin + uint32_t(split), expr.span.end};
    return evalQuantity(expr.text.substr(0, split), expr.text.substr(split), unit);
  }
  if (!expr.unit.empty()) return evalQuantity(expr.text, expr.unit, expr.nameSpan);
  std::optional<Number> number = parseNumber(expr.text);
  if (!number) {
    report(Kind::NumberRange, expr.span, rangeText(expr.text));
    return Value();
  }
  if (expr.kind == ast::ExprKind::Percent) number = calculate("/", *number, Number::whole(100));
  return Value::number(*number);
}

Value Evaluator::evalChain(const ast::Expr &expr, const ScopePtr &scope) {
  std::vector<const ast::Expr *> links;
  const ast::Expr *first = &expr;
  while (first->kind == ast::ExprKind::Binary || first->kind == ast::ExprKind::Pipe) {
    links.push_back(first);
    first = first->operands[0].get();
  }
  Operand lhs = evalOperand(*first, scope);
  for (auto link = links.rbegin(); link != links.rend(); ++link) {
    const ast::Expr &here = **link;
    Value value;
    if (here.kind == ast::ExprKind::Pipe)
      value = evalPipe(here, lhs, scope);
    else if (here.text == "and" || here.text == "or")
      value = evalLogic(here, lhs, scope);
    else
      value =
          binary(here.text, lhs, evalOperand(*here.operands[1], scope), here.span, here.nameSpan);
    lhs = {value, &here, here.span};
  }
  return lhs.value;
}

Value Evaluator::evalLogic(const ast::Expr &expr, const Operand &lhs, const ScopePtr &scope) {
  if (lhs.value.is(ValueKind::Bool) && lhs.value.asBool() == (expr.text == "or")) return lhs.value;
  return binary(expr.text, lhs, evalOperand(*expr.operands[1], scope), expr.span, expr.nameSpan);
}

Value Evaluator::evalPipe(const ast::Expr &expr, const Operand &lhs, const ScopePtr &scope) {
  const ast::Expr &right = *expr.operands[1];
  bool isCall = right.kind == ast::ExprKind::Call;
  const ast::Expr &function = isCall ? *right.operands[0] : right;
  std::vector<CallArgument> arguments;
  if (isCall) arguments = argumentsOf(right);
  arguments.insert(arguments.begin(), {"", {}, lhs, true});
  Operand callee = evalOperand(function, scope);
  if (callee.value.is(ValueKind::ModelType)) {
    report(Kind::ConstructorInFunction, right.span,
           "`|>` would give its left side to the constructor of `" + callee.value.text() + "`")
        .help("build the model in a `let`, and apply its name here");
    return Value();
  }
  return call(callee, std::move(arguments), scope, right.span);
}

} // namespace dlm::sema
