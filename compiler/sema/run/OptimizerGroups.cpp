// The function is called once for each parameter, and a rule is followed once for each shape.
#include "compiler/sema/run/OptimizerGroups.h"

#include "compiler/sema/value/Shapes.h"

#include <algorithm>
#include <cctype>

namespace dlm::sema {

namespace {

std::string inLowerCase(std::string text) {
  for (char &c : text)
    c = char(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

/// `p` of `fn optimizer(p)`.
Value parameterRecord(const Parameter &parameter) {
  RecordObject record;
  std::vector<Value> sizes;
  for (const Dim &dim : parameter.type.dims)
    sizes.push_back(Value::size(dim.extent));
  size_t point = parameter.path.rfind('.');
  record.fields = {
      {"path", Value::string(parameter.path)},
      {"name", Value::string(point == std::string::npos ? parameter.path
                                                        : parameter.path.substr(point + 1))},
      {"shape", Value::list(sizes)},
      {"rank", Value::whole(int64_t(sizes.size()))},
      {"dtype", Value::string(dtypeName(parameter.type.dtype))}};
  return Value::record(std::move(record));
}

bool endsIn(const ast::Block &block, const ast::Expr *open);

/// Whether `open` decides the value of an expression: it is the last `if` on a way through it.
bool endsIn(const ast::Expr &expr, const ast::Expr *open) {
  if (expr.kind != ast::ExprKind::If || &expr == open) return &expr == open;
  return endsIn(*expr.body, open) || (expr.elseBody && endsIn(*expr.elseBody, open)) ||
         (expr.operands.size() > 1 && endsIn(*expr.operands[1], open));
}

bool endsIn(const ast::Block &block, const ast::Expr *open) {
  if (block.statements.empty()) return false;
  const ast::Stmt &last = block.statements.back();
  return last.kind == ast::StmtKind::Expr && endsIn(*last.value, open);
}

/// "`net.weight`, `net.bias` and 3 more".
std::string someOf(const std::vector<std::string> &paths) {
  constexpr size_t shownMax = 3;
  std::string text;
  size_t shown = paths.size() <= shownMax + 1 ? paths.size() : shownMax;
  for (size_t i = 0; i < shown; ++i)
    text += (i == 0 ? "`" : i + 1 == paths.size() ? " and `" : ", `") + paths[i] + "`";
  if (shown < paths.size()) text += " and " + std::to_string(paths.size() - shown) + " more";
  return text;
}

} // namespace

bool checkOptimizerValue(Evaluator &evaluator, const Operand &operand) {
  const Value &value = operand.value;
  if (value.is(ValueKind::OptimizerValue)) return true;
  if (value.isPoison()) return false;
  bool isBare = value.is(ValueKind::OptimizerType);
  Report message(evaluator.report, Kind::SettingType, operand.span,
                 "`optimizer` is an optimizer with its arguments, and this is " +
                     (isBare ? "`" + value.text() + "` without them" : value.describe()));
  if (isBare) {
    std::string written(evaluator.sources.text(operand.span));
    message.help("write `" + written + "(lr = 1e-3)`");
  }
  if (!value.is(ValueKind::String)) return false;
  std::string chosen = "Adam"; // or the one whose name is meant
  const ModuleFile *optim = evaluator.modules.findInLibrary("optim");
  for (const ast::Optimizer &known : optim->file->optimizers)
    if (inLowerCase(known.name.text) == inLowerCase(value.asString())) chosen = known.name.text;
  message.help("optimizers are called: `optim." + chosen + "(lr = 1e-3)`");
  return false;
}

bool OptimizerGroups::check(const OptimizerChoice &choice,
                            const std::vector<const Parameter *> &parameters) {
  if (!choice.function && parameters.empty()) { // nothing to train, but the rule may be wrong too
    std::optional<OptimizerRule> rule =
        RuleFollower(evaluator, choice.value, nullptr).follow({DType::F32, {flatDim()}});
    if (rule) groups.push_back({std::move(*rule), {}, true, {}});
    return rule.has_value();
  }
  if (choice.function && report.diagnostics.errorCount() == 0)
    warnOfUnknownPaths(evaluator, *choice.function);
  for (const Parameter *parameter : parameters) {
    Operand optimizer = choice.value;
    if (choice.function) {
      std::optional<Operand> chosen = choose(*choice.function, *parameter);
      if (!chosen) return false; // the next parameter would most likely say the same
      optimizer = *chosen;
    }
    if (optimizer.value.is(ValueKind::None))
      constants.push_back(parameter->path);
    else if (!add(optimizer, *parameter))
      return false;
  }
  bool isFine = !choice.function || checkLeftOut(*choice.function, parameters.size());
  for (size_t i = 0; i < groups.size(); ++i)
    isFine &= !groups[i].isFlat || flatten(groups[i], optimizers[i]);
  return isFine;
}

bool OptimizerGroups::checkLeftOut(const ast::Function &function, size_t count) {
  const char *help = "say in an `else { ... }` what the others get: `else { none }` says that they "
                     "stay as they are";
  if (count > 0 && constants.size() == count) {
    bool isOpen = leftOut.size() == count;
    report(Kind::ResultType, function.name.span,
           "`fn optimizer` gives no parameter an optimizer, so nothing is trained")
        .help(isOpen ? help : "give what is to be trained one: `optim.Adam(lr = 1e-3)`");
    return false;
  }
  if (leftOut.empty()) return true;
  bool isOne = leftOut.size() == 1;
  report(Kind::LeftOutParameter, withoutElse->operands[0]->span,
         std::to_string(leftOut.size()) + " of " + std::to_string(count) + " parameters " +
             (isOne ? "gets" : "get") + " no optimizer, because no branch gives " +
             (isOne ? "it" : "them") + " one")
      .note(std::string(isOne ? "it is " : "they are ") + someOf(leftOut))
      .help(help);
  return true;
}

bool OptimizerGroups::flatten(OptimizerGroup &group, const Operand &optimizer) {
  TensorType flat = {DType::F32, {flatDim()}};
  if (!group.type.dims.empty()) {
    group.rule = flattened(group.rule, group.type);
  } else { // scalars only, in which what is stretched cannot be told from what is not
    std::optional<OptimizerRule> rule = RuleFollower(evaluator, optimizer, nullptr).follow(flat);
    if (!rule) return false;
    // Over no axes a sum is its element; over the row of all scalars it is not.
    group.isFlat = isElementwise(*rule, flat) && isSameRule(group.rule, *rule);
    if (!group.isFlat) return true;
    group.rule = std::move(*rule);
  }
  group.type = flat;
  return true;
}

std::optional<Operand> OptimizerGroups::choose(const ast::Function &function,
                                               const Parameter &parameter) {
  Operand argument;
  argument.value = parameterRecord(parameter);
  argument.span = function.params[0].span;
  FreeGraphScope graph(evaluator.tensors); // rules outlive the call
  FunctionObject object = evaluator.makeFunction(function, scope).asFunction();
  Span last =
      function.body.statements.empty() ? function.span : function.body.statements.back().span;
  Operand result;
  evaluator.openIf = nullptr;
  {
    // Called by no line of the program: messages name the parameter instead of a place.
    FrameScope frame(report, {"optimizer", {}, {}, nullptr, nullptr, nullptr, parameter.path});
    result.value = evaluator.callFunction(object, {{"", {}, argument, true}}, scope, function.span);
  }
  result.span = last;
  if (result.value.isPoison()) return std::nullopt;
  if (result.value.is(ValueKind::OptimizerValue)) {
    result.span = result.value.asOptimizer().createdAt;
    return result;
  }
  if (result.value.is(ValueKind::None)) {
    if (!evaluator.openIf || !endsIn(function.body, evaluator.openIf)) return result;
    if (leftOut.empty()) withoutElse = evaluator.openIf;
    leftOut.push_back(parameter.path);
    return result;
  }
  bool isBare = result.value.is(ValueKind::OptimizerType);
  Report message(
      report, Kind::ResultType, last,
      "`fn optimizer` gives an optimizer or `none`, and for `" + parameter.path + "` it is " +
          (isBare ? "`" + result.value.text() + "` without arguments" : result.value.describe()));
  if (isBare) message.help("write `" + result.value.text() + "(...)`");
  return std::nullopt;
}

const OptimizerRule *OptimizerGroups::ruleOf(const Operand &optimizer, const Parameter &parameter) {
  const OptimizerObject &object = optimizer.value.asOptimizer();
  auto key =
      std::make_pair(static_cast<const Scope *>(object.scope.get()), typeText(parameter.type));
  auto known = followed.find(key);
  if (known == followed.end())
    known = followed
                .emplace(
                    key,
                    Followed{optimizer,
                             RuleFollower(evaluator, optimizer, &parameter).follow(parameter.type)})
                .first;
  return known->second.rule ? &*known->second.rule : nullptr;
}

bool OptimizerGroups::add(const Operand &optimizer, const Parameter &parameter) {
  const OptimizerRule *rule = ruleOf(optimizer, parameter);
  if (!rule) return false;
  bool isFlat = isElementwise(*rule, parameter.type);
  for (OptimizerGroup &group : groups) {
    bool isAlike = group.isFlat == isFlat && isSameRule(group.rule, *rule);
    if (isAlike && (isFlat || sameShape(group.type.dims, parameter.type.dims))) {
      // A scalar's rule cannot be flattened: any other member stands for the group.
      if (group.type.dims.empty() && !parameter.type.dims.empty()) {
        group.rule = *rule;
        group.type = parameter.type;
      }
      group.parameters.push_back(parameter.path);
      return true;
    }
  }
  groups.push_back({*rule, parameter.type, isFlat, {parameter.path}});
  optimizers.push_back(optimizer);
  return true;
}

} // namespace dlm::sema
