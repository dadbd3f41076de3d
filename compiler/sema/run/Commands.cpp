// The arguments become leaves of the command's graph; whole numbers also become symbols.
#include "compiler/sema/run/Commands.h"

#include "compiler/sema/evaluate/OpenConditions.h"
#include "compiler/sema/tensor/GraphWalk.h"
#include "compiler/sema/value/Shapes.h"
#include "compiler/sema/value/Symbols.h"
#include "runtime/abi/ProgramFlags.h"

#include <algorithm>

namespace dlm::sema {

namespace {

/// The commands that every program has.
const std::vector<std::string> &builtInCommands() {
  static const std::vector<std::string> names = {"train", "eval", "predict", "bench",
                                                 "info",  "help", "version"};
  return names;
}

std::string typeOf(const Evaluator &evaluator, const ast::Param &param) {
  return param.type ? std::string(evaluator.sources.text(param.type->span)) : "";
}

/// A command gets its whole numbers as f32, which has all of them up to here.
constexpr int64_t ArgumentMax = int64_t(1) << 24;

/// The symbol of a whole number; another command may have one of the same name.
std::string symbolName(const Program &program, const std::string &command,
                       const std::string &argument) {
  return program.symbols.count(argument) ? command + "." + argument : argument;
}

} // namespace

Command CommandCheck::check() {
  result.name = function.name.text;
  result.doc = function.doc;
  result.span = function.name.span;
  checkName();
  unsigned errors = report.diagnostics.errorCount();
  GraphScope graph(evaluator.tensors);
  ContextScope saved(evaluator);
  for (const ast::Param &param : function.params)
    addArgument(param);
  readBounds();
  for (const CommandArgument &argument : result.arguments) {
    Binding &binding = inner->bindings[argument.name];
    binding.value = argumentValue(argument);
    binding.span = argument.span;
    binding.declared = Declared::Parameter;
  }
  evaluator.context.training = false;
  evaluator.context.functionDepth++;
  evaluator.context.runTimeTests = &tests;
  evaluator.context.tokenTests = &tokenTests;
  Value value = evaluator.evalBlock(function.body, inner);
  Span last =
      function.body.statements.empty() ? function.span : function.body.statements.back().span;
  if (function.result)
    value = evaluator.conform(*function.result, {value, nullptr, last}, inner,
                              "the result of `" + result.name + "`", false);
  addResults(*graph, value, last);
  (*graph).prune();
  if (errors == report.diagnostics.errorCount()) checkSizes(graph.graph());
  checkDefaults();
  result.graph = std::move(graph.graph());
  addTokenCounts();
  noteBounds();
  return std::move(result);
}

void CommandCheck::checkName() {
  const std::vector<std::string> &names = builtInCommands();
  if (std::count(names.begin(), names.end(), result.name) == 0) return;
  report(Kind::CommandName, result.span, "a command cannot be called `" + result.name + "`")
      .help(result.name == "predict"
                ? "what a model says of samples is a hook: `fn predict(batch) { (name = ...) }`"
                : "every compiled program has a command of this name");
}

void CommandCheck::addArgument(const ast::Param &param) {
  static const std::vector<std::string> types = {"int", "f32", "bool", "string"};
  CommandArgument argument;
  argument.name = param.name.text;
  argument.type = typeOf(evaluator, param);
  argument.span = param.name.span;
  if (!param.type)
    report(Kind::CommandArgument, param.name.span,
           "an argument of a command has a type, and `" + argument.name + "` has none")
        .help("write `" + argument.name + ": int`, or another of " + joinNames(types));
  else if (std::count(types.begin(), types.end(), argument.type) == 0)
    report(Kind::CommandArgument, param.type->span,
           "no flag gives a `" + argument.type + "` to a command")
        .help(argument.type == "[string]"
                  ? "a flag gives one string: `" + argument.name + ": string`; `encode` takes it " +
                        "apart, with `tokenizer = data.words()` into words"
                  : "the types of flags are " + joinNames(types) +
                        (param.type->kind == ast::TypeRef::List || param.type->hasDims
                             ? "; several values are an argument each: `low: f32, high: f32`"
                             : ""));
  if (const FlagSpec *flag = findProgramFlag(argument.name))
    report(Kind::OptionName, param.name.span,
           "an argument cannot be called `" + argument.name + "`")
        .help("`--" + std::string(flag->name) +
              "` is a flag of every compiled program; choose another name");
  for (const Option &option : evaluator.program.options)
    if (option.name == argument.name)
      report(Kind::DuplicateName, param.name.span,
             "one `--" + argument.name + "` would set both an option and an argument")
          .note(option.span, "the option is declared here");
  for (const CommandArgument &other : result.arguments)
    if (other.name == argument.name)
      report(Kind::DuplicateName, param.name.span, "`" + argument.name + "` is declared twice")
          .note(other.span, "it is declared here first");
  argument.isRequired = param.value == nullptr;
  if (param.value) argument.byDefault = defaultText(param, argument.type);
  auto byDefault = defaults.find(argument.name);
  bool isBelowZero = byDefault != defaults.end() && compare(byDefault->second, Number()) < 0;
  if (argument.type == "int" && isBelowZero) argument.lower = -ArgumentMax;
  if (argument.type == "int")
    argument.symbol = symbolName(evaluator.program, result.name, argument.name);
  result.arguments.push_back(std::move(argument));
}

std::string CommandCheck::defaultText(const ast::Param &param, const std::string &type) {
  Operand operand = evaluator.evalOperand(*param.value, outer);
  std::string what = "`" + param.name.text + "`";
  if (type == "f32" || (type == "int" && evaluator.needInt(operand, what)))
    if (std::optional<Number> number = evaluator.needNumber(operand, what))
      defaults[param.name.text] = *number;
  if (type == "bool") evaluator.needBool(operand, what);
  if (type == "string") return evaluator.needString(operand, what).value_or("");
  return operand.value.text();
}

Value CommandCheck::argumentValue(const CommandArgument &argument) {
  TensorWriter &tensors = evaluator.tensors;
  auto leaf = [&](const TensorType &type) {
    return tensors.leaf("argument", argument.name, type, argument.span);
  };
  if (argument.type == "int") {
    Symbol symbol;
    symbol.lower = argument.lower;
    if (argument.upper) symbol.upper = *argument.upper;
    symbol.declared = argument.span;
    symbol.what = "the argument `" + argument.name + "` of `" + result.name + "`";
    evaluator.program.symbols[argument.symbol] = symbol;
    return Value::size(Extent::symbol(argument.symbol));
  }
  if (argument.type == "f32") return Value::tensor(leaf({DType::F32, {}}));
  if (argument.type == "bool") return Value::tensor(leaf({DType::Bool, {}}));
  if (argument.type != "string") return Value();
  Symbol length;
  length.lower = 0;
  length.declared = argument.span;
  length.what = "the number of bytes of `" + argument.name + "`";
  std::string name = lengthName(argument);
  evaluator.program.symbols[name] = length;
  return Value::runTimeString(leaf({DType::U8, {{Extent::symbol(name), "", false}}}));
}

void CommandCheck::readBounds() {
  for (const ast::Stmt &statement : function.body.statements) {
    bool isTest = statement.kind == ast::StmtKind::Require;
    if (isTest && readBound(*statement.value, statement)) tests.insert(&statement);
  }
}

/// `require n <= 64`, also turned round, and several joined by `and`. False if the condition is
/// about anything else; then it has to be known when the program is compiled.
bool CommandCheck::readBound(const ast::Expr &condition, const ast::Stmt &statement) {
  if (condition.kind != ast::ExprKind::Binary) return false;
  if (condition.text == "and") {
    bool isLeft = readBound(*condition.operands[0], statement);
    return readBound(*condition.operands[1], statement) && isLeft;
  }
  bool isOrder = condition.text == "<" || condition.text == "<=" || condition.text == ">" ||
                 condition.text == ">=";
  if (!isOrder) return false;
  auto argumentOf = [&](const ast::Expr &side) -> CommandArgument * {
    for (CommandArgument &each : result.arguments)
      if (side.kind == ast::ExprKind::Name && each.name == side.text) return &each;
    return nullptr;
  };
  for (size_t side : {0, 1}) {
    CommandArgument *found = argumentOf(*condition.operands[side]);
    bool isNumber = found && (found->type == "int" || found->type == "f32");
    if (!isNumber) continue;
    if (argumentOf(*condition.operands[1 - side])) {
      reportOpenTest(report, condition.span);
      return true;
    }
    std::string op = side == 0 ? condition.text : mirroredOrder(condition.text);
    std::string what = "the bound of `" + found->name + "`";
    Operand limit = evaluator.evalOperand(*condition.operands[1 - side], inner);
    if (found->type == "int") {
      std::optional<int64_t> whole = evaluator.needInt(limit, what);
      if (!whole) return true; // reported
      bound(*found, op, *whole);
    }
    std::optional<Number> number = evaluator.needNumber(limit, what);
    if (number)
      result.tests.push_back({found->name, op, *number, statement.message, condition.span});
    return true;
  }
  return false;
}

void CommandCheck::bound(CommandArgument &argument, const std::string &op, int64_t limit) {
  constexpr int64_t limitMax = int64_t(1) << 40; // no tensor is larger
  bool isUpper = op == "<" || op == "<=";
  int64_t least = std::max(std::min(limit, limitMax) + (op == ">" ? 1 : 0), -ArgumentMax);
  int64_t most = std::min(limit, limitMax) - (op == "<" ? 1 : 0);
  bool isBelowZero = isUpper && most < 0 && !isBoundedBelow.count(argument.name);
  if (isBelowZero) argument.lower = -ArgumentMax;
  if (isUpper)
    argument.upper = argument.upper ? std::min(*argument.upper, most) : most;
  else
    argument.lower =
        isBoundedBelow.insert(argument.name).second ? least : std::max(argument.lower, least);
}

void CommandCheck::addResults(GraphBuilder &graph, const Value &value, Span span) {
  if (value.isPoison()) return;
  if (!value.is(ValueKind::Record)) return addResult(graph, "value", value, span);
  for (const auto &[name, part] : value.asRecord().fields) {
    if (!name.empty()) {
      addResult(graph, name, part, span);
      continue;
    }
    report(Kind::ResultType, span, "the results of `" + result.name + "` have names")
        .help("write `(name = value)`");
    return;
  }
}

void CommandCheck::addResult(GraphBuilder &graph, const std::string &name, const Value &value,
                             Span span) {
  if (value.isPoison()) return;
  TensorWriter &tensors = evaluator.tensors;
  std::optional<Tensor> tensor;
  bool isText = value.is(ValueKind::RunTimeString);
  if (isText)
    tensor = value.asRunTimeString();
  else if (value.is(ValueKind::Tensor) || value.is(ValueKind::Number) ||
           value.is(ValueKind::Bool) || value.is(ValueKind::Size))
    tensor = evaluator.needTensor({value, nullptr, span}, "the result");
  if (!tensor) {
    report(Kind::ResultType, span,
           "a command gives a string, a tensor or a record of them, and this is " +
               value.describe());
    return;
  }
  NodeId id = tensors.use(*tensor);
  graph.graph.results.emplace_back(name, id);
  CommandResult entry = {name, isText ? "string" : typeText(tensor->type)};
  const Node &node = graph.node(id);
  const Node &written = node.op == "decode" ? graph.node(node.operands[0]) : node;
  for (const Dim &dim : written.type.dims)
    entry.sizes.push_back(dim.extent);
  result.results.push_back(std::move(entry));
}

void CommandCheck::noteBounds() {
  auto add = [&](const Extent &extent) {
    for (const std::string &name : extent.symbols()) {
      Symbol symbol = symbolOf(evaluator.program.symbols, name);
      result.bounds[name] = {symbol.lower, symbol.upper};
    }
  };
  forEachNode(result.graph, [&](const Node &node) {
    for (const Dim &dim : node.type.dims)
      add(dim.extent);
    for (const Extent &extent : node.extents)
      add(extent);
  });
  for (const TokenCount &count : result.tokenCounts)
    add(Extent::symbol(count.symbol));
}

/// The tests of symbols are of the arguments whose tokens these count.
void CommandCheck::addTokenCounts() {
  for (const auto &[text, symbol] : evaluator.program.tokenCounts)
    for (const CommandArgument &argument : result.arguments)
      if (text.first == lengthName(argument))
        result.tokenCounts.push_back({symbol, argument.name, text.second});
  for (CommandTest &test : tokenTests)
    for (const TokenCount &count : result.tokenCounts) {
      if (count.symbol != test.argument) continue;
      test.argument = count.argument;
      result.tests.push_back(test);
    }
}

/// Raises what an argument is at least so far that a size is at least 1. In a size of several
/// arguments that may become smaller none is below 0.
void CommandCheck::boundBelow(CommandArgument &argument, const Extent &size) {
  Interval range = intervalOf(evaluator.program.symbols, size);
  if (range.lower && compare(*range.lower, Number::whole(1)) >= 0) return;
  int64_t least = leastValue(size, argument.symbol).value_or(0);
  argument.lower = std::max(argument.lower, least);
  Symbol &symbol = evaluator.program.symbols[argument.symbol];
  symbol.lower = std::max(symbol.lower, std::min<int64_t>(least, 0));
  auto [known, isNew] = sizes.emplace(argument.name, least);
  if (!isNew) known->second = std::max(known->second, least);
}

/// Memory is planned for the largest size, so each argument that is one has to be bounded.
void CommandCheck::checkSizes(const Graph &graph) {
  for (CommandArgument &argument : result.arguments) {
    auto found = evaluator.program.symbols.find(argument.symbol);
    if (found == evaluator.program.symbols.end() || found->second.lower <= argument.lower) continue;
    argument.lower = sizes[argument.name] = found->second.lower; // raised by a size
  }
  std::set<std::string> said;
  auto checkSize = [&](const Node &node, const Extent &size) {
    for (CommandArgument &argument : result.arguments) {
      if (argument.symbol.empty() || !size.has(argument.symbol)) continue;
      boundBelow(argument, size);
      bool isOpen = !argument.upper || argument.lower == -ArgumentMax;
      if (!isOpen || !said.insert(argument.name).second) continue;
      report(Kind::UnboundedSize, node.span,
             "`" + argument.name + "` is a size here, and nothing bounds it")
          .note(argument.span, "it is an argument of `" + result.name + "`")
          .help("memory is planned for the largest: write `require " + argument.name +
                (argument.upper ? " >= -64" : " <= 1024") +
                "`, or whatever is enough, in the command");
    }
  };
  forEachNode(graph, [&](const Node &node) {
    for (const Dim &dim : node.type.dims)
      checkSize(node, dim.extent);
    if (node.op == "generate") checkSize(node, node.extents[0]);
  });
}

void CommandCheck::checkDefaults() {
  for (const ast::Param &param : function.params) {
    auto found = defaults.find(param.name.text);
    if (found == defaults.end()) continue;
    std::string name = "`" + param.name.text + "`", value = found->second.text();
    bool isReported = false;
    for (const CommandTest &test : result.tests) {
      if (test.argument != param.name.text || isReported) continue;
      bool isReal = !found->second.isWhole() || typeOf(evaluator, param) == "f32";
      if (fulfils(found->second.toReal(), isReal ? DType::F32 : DType::I64, test)) continue;
      isReported = true;
      report(Kind::CommandArgument, param.value->span,
             name + " is " + value + " where no flag gives it, and the command refuses that")
          .secondary(test.span, "is tested at each call")
          .help("give it a default that is `" + test.op + " " + test.bound.text() + "`, or none");
    }
    auto size = sizes.find(param.name.text);
    bool isTooSmall = size != sizes.end() && !isReported &&
                      compare(found->second, Number::whole(size->second)) < 0;
    if (!isTooSmall) continue;
    report(Kind::CommandArgument, param.value->span,
           name + (size->second == 1 ? " is a size" : " is a part of a size") + ", and is " +
               value + " where no flag gives it")
        .help("a size is at least 1" + (size->second == 1 ? ""
                                                          : ", so " + name + " is at least " +
                                                                std::to_string(size->second)));
  }
}

} // namespace dlm::sema
