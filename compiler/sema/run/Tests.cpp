// A test is followed like the body of a function, with a graph of its own. No run surrounds it, so
// what a run would say has fixed values there: options have their defaults (or what `-D` gave), and
// the ambient names stand at the beginning of a run.
#include "compiler/sema/run/Tests.h"

#include "compiler/sema/tensor/GraphWalk.h"

#include <map>

namespace dlm::sema {

namespace {

/// What the ambient names are in a test.
const std::map<std::string, double> &testAmbients() {
  static const std::map<std::string, double> values = {
      {"step", 0}, {"steps", 1000}, {"epoch", 0}, {"seed", 1}};
  return values;
}

/// Puts numbers in the place of what only a run knows.
void fixLeaves(Graph &graph, const Program &program) {
  changeNodes(graph, [&](Node &node) {
    if (node.op == "buffer") node.op = "parameter";
    if (node.op == "option")
      for (const Option &option : program.options)
        if (option.name == node.text) node.number = option.value;
    if (node.op == "ambient" && testAmbients().count(node.text))
      node.number = testAmbients().at(node.text);
    else if (node.op != "option")
      return;
    node.op = "constant";
    node.text.clear();
  });
}

/// The nodes that a condition compares: those of a comparison, or of the difference in `abs(a - b)
/// <= e`. Nothing for another condition.
std::optional<std::pair<NodeId, NodeId>> comparedNodes(const Graph &graph, NodeId condition) {
  const Node &node = graph.nodes[condition];
  if (node.op != "compare") return std::nullopt;
  const Node &left = graph.nodes[node.operands[0]];
  if (left.op == "abs" && graph.nodes[left.operands[0]].op == "sub") {
    const Node &difference = graph.nodes[left.operands[0]];
    return std::make_pair(difference.operands[0], difference.operands[1]);
  }
  return std::make_pair(node.operands[0], node.operands[1]);
}

void reportFailure(Evaluator &evaluator, const Expectation &expectation) {
  std::string text(evaluator.sources.text(expectation.span));
  Report message(evaluator.report, Kind::ExpectFailed, expectation.span,
                 expectation.text.empty() ? "`" + text + "` does not hold" : expectation.text);
  for (const auto &[place, side] : expectation.notes)
    message.note(place, side);
}

} // namespace

void Evaluator::evalExpect(const ast::Stmt &statement, const ScopePtr &scope) {
  Operand condition = evalOperand(*statement.value, scope);
  if (condition.value.isPoison()) return;
  if (!context.test || context.functionDepth > 0) {
    report(Kind::MisplacedStatement, statement.span, "`expect` stands outside of a test")
        .help("`require` states what must hold elsewhere");
    return;
  }
  Expectation expectation;
  expectation.span = condition.span;
  expectation.text = statement.message;
  const Value &value = condition.value;
  bool isBool = value.is(ValueKind::Tensor) && value.asTensor().type.dtype == DType::Bool;
  if (isBool) {
    Graph &graph = tensors.current().graph;
    NodeId node = tensors.use(value.asTensor());
    std::string name = std::to_string(context.test->expectations.size());
    graph.results.emplace_back(name, node);
    if (auto sides = comparedNodes(graph, node)) {
      graph.results.emplace_back(name + ".left", sides->first);
      graph.results.emplace_back(name + ".right", sides->second);
    }
  } else {
    if (value.is(ValueKind::Tensor) && !value.asTensor().isLoose) {
      report(Kind::TypeMismatch, condition.span,
             "what `expect` states is a bool, and this is " + value.describe());
      return;
    }
    std::optional<bool> holds = needBool(condition, "what `expect` states");
    if (!holds) return;
    expectation.isKnown = true;
    expectation.holds = *holds;
    if (!*holds) expectation.notes = sidesOf(*statement.value, scope);
    bool isReported = program.checkOptions.purpose != Purpose::Test;
    if (!*holds && isReported) reportFailure(*this, expectation);
  }
  context.test->expectations.push_back(std::move(expectation));
}

std::vector<TypedTest> checkTests(Evaluator &evaluator, const ast::File &file,
                                  const ScopePtr &scope) {
  std::vector<TypedTest> result;
  for (const ast::Test &test : file.tests) {
    TypedTest typed;
    typed.title = test.title;
    typed.span = test.span;
    GraphScope graph(evaluator.tensors);
    ContextScope saved(evaluator);
    evaluator.context = Context();
    evaluator.context.training = false;
    evaluator.context.isInRun = true;
    evaluator.context.test = &typed;
    evaluator.program.forgetInstances();
    evaluator.evalBlock(test.body, scope);
    (*graph).prune();
    typed.parameters = std::move(evaluator.program.parameters);
    for (Buffer &buffer : evaluator.program.buffers) // nothing changes them here
      typed.parameters.push_back({buffer.path, buffer.type, std::move(buffer.init), buffer.span});
    typed.graph = std::move(graph.graph());
    fixLeaves(typed.graph, evaluator.program);
    for (Parameter &parameter : typed.parameters)
      fixLeaves(parameter.init, evaluator.program);
    for (const TypedTest &other : result)
      if (other.title == typed.title)
        evaluator
            .report(Kind::DuplicateName, test.span, "two tests are named \"" + test.title + "\"")
            .note(other.span, "the first is here");
    result.push_back(std::move(typed));
  }
  return result;
}

} // namespace dlm::sema
