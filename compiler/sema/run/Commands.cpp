// The arguments become leaves of the command's graph; whole numbers also become symbols.
#include "compiler/sema/run/Commands.h"

#include "compiler/sema/value/Shapes.h"
#include "runtime/abi/ProgramFlags.h"

#include <algorithm>
#include <map>

namespace dlm::sema {

namespace {

/// The commands that every program has.
const std::vector<std::string> &builtInCommands() {
  static const std::vector<std::string> names = {"train", "eval", "bench",
                                                 "info",  "help", "version"};
  return names;
}

std::string typeOf(const Evaluator &evaluator, const ast::Param &param) {
  return param.type ? std::string(evaluator.sources.text(param.type->span)) : "";
}

/// The symbol of a whole number; another command may have one of the same name.
std::string symbolName(const Program &program, const std::string &command,
                       const std::string &argument) {
  return program.symbols.count(argument) ? command + "." + argument : argument;
}

std::string mirrored(const std::string &op) {
  static const std::map<std::string, std::string> others = {
      {"<", ">"}, {"<=", ">="}, {">", "<"}, {">=", "<="}};
  return others.at(op);
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
  Value value = evaluator.evalBlock(function.body, inner);
  Span last =
      function.body.statements.empty() ? function.span : function.body.statements.back().span;
  if (function.result)
    value = evaluator.conform(*function.result, {value, nullptr, last}, inner,
                              "the result of `" + result.name + "`", false);
  addResults(*graph, value, last);
  (*graph).prune();
  if (errors == report.diagnostics.errorCount()) checkSizes(graph.graph());
  result.graph = std::move(graph.graph());
  return std::move(result);
}

void CommandCheck::checkName() {
  const std::vector<std::string> &names = builtInCommands();
  if (std::count(names.begin(), names.end(), result.name) == 0) return;
  report(Kind::CommandName, result.span, "a command cannot be called `" + result.name + "`")
      .help("every compiled program has a command of this name");
}

void CommandCheck::addArgument(const ast::Param &param) {
  static const std::vector<std::string> types = {"int", "f32", "bool", "string", "[string]"};
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
        .help("the types of flags are " + joinNames(types));
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
  if (argument.type == "int")
    argument.symbol = symbolName(evaluator.program, result.name, argument.name);
  result.arguments.push_back(std::move(argument));
}

std::string CommandCheck::defaultText(const ast::Param &param, const std::string &type) {
  Operand operand = evaluator.evalOperand(*param.value, outer);
  std::string what = "`" + param.name.text + "`";
  if (type == "int") evaluator.needInt(operand, what);
  if (type == "f32") evaluator.needNumber(operand, what);
  if (type == "bool") evaluator.needBool(operand, what);
  if (type == "string") evaluator.needString(operand, what);
  if (type == "[string]") evaluator.conform(*param.type, operand, outer, what, false);
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
  if (argument.type != "string" && argument.type != "[string]") return Value();
  Symbol length;
  length.lower = 0;
  length.declared = argument.span;
  length.what = "the number of bytes of `" + argument.name + "`";
  std::string name = result.name + "." + argument.name + ".length";
  evaluator.program.symbols[name] = length;
  return Value::runTimeString(leaf({DType::U8, {{Extent::symbol(name), "", false}}}));
}

void CommandCheck::readBounds() {
  for (const ast::Stmt &statement : function.body.statements)
    if (statement.kind == ast::StmtKind::Require) readBound(statement);
}

/// `require n <= 64`, also turned round.
void CommandCheck::readBound(const ast::Stmt &statement) {
  const ast::Expr &condition = *statement.value;
  bool isOrder =
      condition.kind == ast::ExprKind::Binary && (condition.text == "<" || condition.text == "<=" ||
                                                  condition.text == ">" || condition.text == ">=");
  if (!isOrder) return;
  for (size_t side : {0, 1}) {
    const ast::Expr &name = *condition.operands[side];
    auto found = std::find_if(result.arguments.begin(), result.arguments.end(),
                              [&](const CommandArgument &each) { return each.name == name.text; });
    bool isArgument = name.kind == ast::ExprKind::Name && found != result.arguments.end();
    if (!isArgument || found->type != "int") continue;
    std::string op = side == 0 ? condition.text : mirrored(condition.text);
    Operand limit = evaluator.evalOperand(*condition.operands[1 - side], inner);
    std::optional<int64_t> whole = evaluator.needInt(limit, "the bound of `" + found->name + "`");
    tests.insert(&statement);
    if (!whole) return;
    bound(*found, op, *whole);
    result.tests.push_back({found->name, op, *whole, statement.message, statement.span});
    return;
  }
}

void CommandCheck::bound(CommandArgument &argument, const std::string &op, int64_t limit) {
  constexpr int64_t limitMax = int64_t(1) << 40; // no tensor is larger
  bool isUpper = op == "<" || op == "<=";
  int64_t most = std::min(limit, limitMax) - (op == "<" ? 1 : 0);
  if (isUpper)
    argument.upper = argument.upper ? std::min(*argument.upper, most) : most;
  else
    argument.lower = std::max(argument.lower, std::min(limit, limitMax) + (op == ">" ? 1 : 0));
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
  graph.graph.results.emplace_back(name, tensors.use(*tensor));
  result.results.push_back({name, isText ? "string" : typeText(tensor->type)});
}

/// Memory is planned for the largest size, so each argument that is one has to be bounded.
void CommandCheck::checkSizes(const Graph &graph) {
  std::set<std::string> said;
  for (const Node &node : graph.nodes)
    for (const Dim &dim : node.type.dims)
      for (const CommandArgument &argument : result.arguments) {
        bool isOpen = !argument.symbol.empty() && !argument.upper;
        if (!isOpen || !dim.extent.has(argument.symbol) || !said.insert(argument.name).second)
          continue;
        report(Kind::UnboundedSize, node.span,
               "`" + argument.name + "` is a size here, and nothing bounds it")
            .note(argument.span, "it is an argument of `" + result.name + "`")
            .help("memory is planned for the largest: write `require " + argument.name +
                  " <= 1024`, or whatever is enough, in the command");
      }
}

} // namespace dlm::sema
