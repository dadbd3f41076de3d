// The hooks of a run: `loss`, followed twice (while training and while evaluating), and `metrics`.
#include "compiler/sema/data/MissingCells.h"
#include "compiler/sema/run/TrainBlock.h"
#include "compiler/sema/tensor/Gradients.h"
#include "compiler/sema/tensor/GraphWalk.h"
#include "compiler/sema/value/Shapes.h"
#include "compiler/sema/value/Symbols.h"

#include <algorithm>
#include <set>

namespace dlm::sema {

namespace {

/// What a run says about each step beside the terms of the loss.
const std::set<std::string> &reportedNames() {
  static const std::set<std::string> names = {"attempt",   "batches_ready",
                                              "epoch",     "final",
                                              "grad_norm", "loss",
                                              "lr",        "memory_bytes",
                                              "run",       "samples_per_second",
                                              "saved",     "seconds_left",
                                              "skipped",   "step",
                                              "waits"};
  return names;
}

/// Whether a tensor of `rows` samples, and of the other sizes at their bounds, has at most 2 ** 40
/// elements. All arithmetic on sizes and bytes behind the checker is therefore free of overflow.
bool fitsIntoMemory(const TensorType &type, int64_t rows, const Symbols &symbols) {
  std::optional<Extent> count = elementCount(type.dims);
  if (!count) return false;
  std::map<std::string, int64_t> values;
  for (const std::string &name : count->symbols()) {
    Symbol symbol = symbolOf(symbols, name);
    values[name] = name == batchSymbol         ? rows
                   : symbol.upper == INT64_MAX ? symbol.lower
                                               : symbol.upper;
  }
  std::optional<Number> elements = count->evaluate(values);
  return elements && compare(*elements, Number::whole(int64_t(1) << 40)) <= 0;
}

/// Adds the paths of the parameters that gradients reach from the results, also in loops.
void addTrained(const Graph &graph, std::set<std::string> &paths) {
  std::vector<NodeId> roots;
  for (const auto &entry : graph.results)
    roots.push_back(entry.second);
  std::vector<bool> reached = reachedByGradients(graph, roots);
  for (NodeId id = 0; id < graph.nodes.size(); ++id) {
    if (!reached[id]) continue;
    if (graph.nodes[id].op == "parameter") paths.insert(graph.nodes[id].text);
    for (const auto &body : graph.nodes[id].bodies)
      addTrained(*body, paths);
  }
}

/// For each node whether the number of samples is among what it is computed from.
std::vector<bool> countsSamples(const Graph &graph) {
  auto isCount = [](const Node &node) { return node.op == "sample_count"; };
  std::vector<bool> result;
  for (const Node &node : graph.nodes)
    result.push_back(isCount(node) || hasInside(node, isCount) ||
                     std::any_of(node.operands.begin(), node.operands.end(),
                                 [&](NodeId operand) { return result[operand]; }));
  return result;
}

/// A sum over the batch that is not divided by the number of samples on its way to the result;
/// null if there is none.
const Node *plainSum(const Graph &graph, NodeId root) {
  std::vector<bool> counts = countsSamples(graph);
  std::vector<bool> seen(graph.nodes.size());
  std::vector<NodeId> open = {root};
  while (!open.empty()) {
    NodeId id = open.back();
    open.pop_back();
    const Node &node = graph.nodes[id];
    bool isDivided =
        node.op == "div" && (counts[node.operands[1]] || isDividedByCount(node, graph));
    if (seen[id] || node.grade != Grade::Sum || isDivided) continue;
    seen[id] = true;
    if (node.op == "batch_reduce" || node.op == "batch_contract") return &node;
    open.insert(open.end(), node.operands.begin(), node.operands.end());
  }
  return nullptr;
}

/// Where a hook's last line writes a field of its record; nothing if it is no record.
std::optional<Span> fieldPlace(const ast::Function &hook, const std::string &name) {
  if (hook.body.statements.empty()) return std::nullopt;
  const ast::Expr *last = hook.body.statements.back().value.get();
  if (!last || last->kind != ast::ExprKind::Record) return std::nullopt;
  for (const ast::Argument &field : last->arguments)
    if (field.name.text == name) return field.name.span;
  return std::nullopt;
}

} // namespace

Value TrainBlock::runHook(const ast::Function &hook) {
  ScopePtr inner = evaluator.makeScope(scope);
  Binding binding;
  binding.value = Value::batch(data);
  binding.span = hook.params[0].name.span;
  binding.declared = Declared::Parameter;
  inner->bindings[hook.params[0].name.text] = std::move(binding);
  evaluator.context.functionDepth++;
  evaluator.context.data = data.get();
  return evaluator.evalBlock(hook.body, inner);
}

void TrainBlock::addResult(GraphBuilder &graph, const std::string &name, const Operand &operand,
                           bool isLoss) {
  const Value &value = operand.value;
  if (value.isPoison()) {
    unknownResults.insert(name);
    return;
  }
  std::string what = isLoss ? "a loss" : "a metric";
  std::optional<Tensor> tensor;
  if (value.is(ValueKind::Tensor))
    tensor = value.asTensor();
  else if (value.is(ValueKind::Number) || value.is(ValueKind::Size))
    tensor = evaluator.literal(operand, DType::F32, operand);
  if (tensor && tensor->type.dims.empty() && (!isLoss || tensor->type.dtype != DType::F32) &&
      tensor->type.dtype != DType::Bool && (!isLoss || tensor->isLoose))
    tensor = evaluator.tensors.cast(*tensor, DType::F32);
  if (!tensor || !tensor->type.dims.empty() || tensor->type.dtype != DType::F32) {
    Report message(report, Kind::ResultType, operand.span,
                   what + " is a number, and `" + name + "` is " + value.describe());
    if (tensor && hasBatchAxis(tensor->type.dims))
      message.help("`mean(x)` averages it over the samples");
    else if (!isLoss && tensor && tensor->type.dims.size() == 2)
      message.help("name the numbers that count: `let c = " +
                   std::string(evaluator.sources.text(operand.span)) +
                   "`, and `(hits = c[1, 1], missed = c[1, 0])`");
    else if (!isLoss && tensor && tensor->type.dims.size() == 1)
      message.help("name its elements, `(first = x[0], second = x[1])`, or reduce it: `mean(x)`");
    unknownResults.insert(name);
    return;
  }
  NodeId node = evaluator.tensors.use(*tensor);
  if (isLoss && graph.node(node).grade == Grade::Constant) node = graph.share(node);
  graph.graph.results.emplace_back(name, node);
}

void TrainBlock::addResults(GraphBuilder &graph, const Value &value, const ast::Function &hook,
                            bool isLoss) {
  Span last = hook.body.statements.empty() ? hook.span : hook.body.statements.back().span;
  const ast::Expr *expr =
      hook.body.statements.empty() ? nullptr : hook.body.statements.back().value.get();
  if (!value.is(ValueKind::Record))
    return addResult(graph, hook.name.text, {value, expr, last}, isLoss);
  const auto &fields = value.asRecord().fields;
  if (isLoss && fields.empty()) {
    report(Kind::ResultType, last, "a loss is a number or a record of them, and this is empty");
    return;
  }
  bool isWritten = expr && expr->kind == ast::ExprKind::Record;
  for (size_t i = 0; i < fields.size(); ++i) {
    Span span = isWritten ? expr->arguments[i].value->span : last;
    if (fields[i].first.empty()) {
      report(Kind::ResultType, span, "the results of `" + hook.name.text + "` have names")
          .help("write `(name = value)`");
      continue;
    }
    if (isLoss && reportedNames().count(fields[i].first)) {
      report(Kind::DuplicateName, span,
             "a run reports a `" + fields[i].first + "` of its own, and a loss is named like it");
      unknownResults.insert(fields[i].first);
      continue;
    }
    addResult(graph, fields[i].first, {fields[i].second, nullptr, span}, isLoss);
  }
}

Graph TrainBlock::checkLoss(const ast::Function &hook, bool training,
                            const std::set<std::string> &trained) {
  GraphScope graph(evaluator.tensors);
  ContextScope saved(evaluator);
  evaluator.context.training = training;
  Value value = runHook(hook);
  unsigned errors = report.diagnostics.errorCount();
  addResults(*graph, value, hook, true);
  (*graph).prune();
  bool isComplete = !graph.graph().results.empty() && errors == report.diagnostics.errorCount();
  if (isComplete && training) {
    checkCoupling(graph.graph());
    checkScale(graph.graph());
    if (data && data->maps.empty())
      warnOfMissing(evaluator, *data, graph.graph(), Span(),
                    "`where(batch.present, batch.number, 0)` chooses what stands in their place");
    checkGradients(graph.graph(), hook, trained);
  } else if (isComplete) {
    checkEvaluation(graph.graph(), true);
  }
  return std::move(graph.graph());
}

/// A metric with the name of a term of the loss: the fields of both, where they are written.
void TrainBlock::reportTwoMeanings(const std::string &name) {
  const ast::Function *loss = hooks.count("loss") ? hooks["loss"] : nullptr;
  std::optional<Span> metric = fieldPlace(*hooks["metrics"], name);
  std::optional<Span> term = loss ? fieldPlace(*loss, name) : std::nullopt;
  if (!term && loss) term = loss->name.span;
  Report message(report, Kind::DuplicateName, metric.value_or(hooks["metrics"]->name.span),
                 "the metric `" + name + "` has the name of a loss");
  if (term) message.note(*term, "the loss");
  message.help("both are reported as `" + name + "`: give one another name");
}

Graph TrainBlock::checkMetrics() {
  const ast::Function &hook = *hooks["metrics"];
  GraphScope graph(evaluator.tensors);
  ContextScope saved(evaluator);
  evaluator.context.training = false;
  Value value = runHook(hook);
  if (!value.isPoison() && !value.is(ValueKind::Record)) {
    report(Kind::ResultType, hook.body.statements.back().span,
           "metrics are a record of numbers, and this is " + value.describe())
        .help("write `(name = value)`");
    return {};
  }
  addResults(*graph, value, hook, false);
  (*graph).prune();
  for (const auto &entry : graph.graph().results)
    for (const std::string &term : metricNames(false))
      if (entry.first == term) {
        reportTwoMeanings(entry.first);
        break;
      }
  checkEvaluation(graph.graph(), false);
  return std::move(graph.graph());
}

void TrainBlock::checkScale(const Graph &graph) {
  for (const auto &entry : graph.results)
    if (const Node *sum = plainSum(graph, entry.second))
      report(Kind::PlainSum, sum->span,
             "the loss is a sum over the batch, so the size of a step "
             "depends on the size of the batch")
          .help("`mean` in the place of `sum` does not depend on it");
}

void TrainBlock::checkSizes() {
  bool isCoupled = gradeOf(result.loss).grade == Grade::Coupled;
  int64_t rows = std::max<int64_t>(result.settings.micro, isCoupled ? result.settings.batch : 512);
  rows = std::max(rows, result.settings.batchMultiple);
  auto check = [&](const TensorType &type, Span span) {
    if (fitsIntoMemory(type, rows, evaluator.program.symbols)) return true;
    report(Kind::BadSize, span,
           "a tensor has at most 2 ** 40 elements, and here is `" + typeText(type) + "`");
    return false;
  };
  for (const Parameter &parameter : evaluator.program.parameters) {
    Span place = evaluator.program.parameterPlaces[parameter.path];
    const std::vector<Dim> &dims = parameter.type.dims;
    bool isOpen =
        std::any_of(dims.begin(), dims.end(), [](const Dim &dim) { return !dim.isWhole(); });
    if (isOpen)
      report(Kind::NotConstant, place,
             "a parameter has one size for all batches, and this is `" + typeText(parameter.type) +
                 "`");
    if (isOpen || !check(parameter.type, place)) return;
  }
  std::vector<const Graph *> graphs = {&result.loss, &result.evaluationLoss, &result.metrics};
  if (result.predict) graphs.push_back(&result.predict->graph);
  for (const Update &update : result.updates) {
    graphs.push_back(&update.loss);
    graphs.push_back(&update.evaluationLoss);
  }
  for (const Graph *graph : graphs) {
    bool isWhole = true;
    forEachNode(*graph,
                [&](const Node &node) { isWhole = isWhole && check(node.type, node.span); });
    if (!isWhole) return;
  }
}

/// Whether a value is computed from a parameter.
static std::vector<bool> dependOnParameters(const Graph &graph) {
  std::vector<bool> result;
  auto isParameter = [](const Node &node) { return node.op == "parameter"; };
  for (const Node &node : graph.nodes)
    result.push_back(isParameter(node) || hasInside(node, isParameter) ||
                     std::any_of(node.operands.begin(), node.operands.end(),
                                 [&](NodeId operand) { return result[operand]; }));
  return result;
}

/// Where the way of gradients to a parameter ends; null if there is no such way.
static const Node *gradientsEnd(const Graph &graph) {
  std::vector<NodeId> roots;
  for (const auto &entry : graph.results)
    roots.push_back(entry.second);
  std::vector<bool> reached = reachedByGradients(graph, roots);
  std::vector<bool> depends = dependOnParameters(graph);
  for (const Node &node : graph.nodes) {
    bool isEnd = !passesGradients(node);
    bool hasReal = std::any_of(node.operands.begin(), node.operands.end(), [&](NodeId operand) {
      return depends[operand] && !reached[operand] && passesGradients(graph.nodes[operand]);
    });
    if (isEnd && hasReal) return &node;
  }
  return nullptr;
}

/// Where a loss is computed from what another run made of its models by `copy` or `ema`.
static std::string adviceOnLeft(const std::vector<Marker> &markers, const Graph &graph) {
  for (const Node &node : graph.nodes)
    for (const Marker &marker : markers) {
      bool isLeft = node.op == "shadow" && !marker.path.empty() && !marker.file.empty() &&
                    node.text.compare(0, marker.path.size() + 1, marker.path + ".") == 0;
      if (isLeft)
        return "what the run `" + marker.file + "` made by `" + marker.kind +
               "` is not trained: go on with the model it is made of, `trained(" + marker.file +
               ")" + marker.of.substr(marker.file.size()) + "`";
    }
  return "";
}

/// Warns of parameters that should change, and that no gradient reaches.
void TrainBlock::checkGradients(const Graph &graph, const ast::Function &hook,
                                const std::set<std::string> &trained) {
  if (report.diagnostics.errorCount() > optimizerErrors) return;
  if (trained.empty() && optimizerErrors > 0 && !result.constants.empty())
    return; // that nothing is trained is said
  std::set<std::string> missing = trained, paths;
  addTrained(graph, paths);
  bool isAny = false;
  for (const std::string &path : paths)
    isAny |= missing.erase(path) != 0;
  if (!isAny) {
    Report message(report, Kind::NoGradient, hook.name.span,
                   isInUpdate ? "the loss depends on no parameter that the update changes"
                              : "the loss depends on no parameter");
    std::string others = isInUpdate ? adviceOnOthers(paths) : "";
    if (others.empty()) others = adviceOnLeft(evaluator.program.markers, graph);
    if (const Node *end = gradientsEnd(graph); others.empty() && end) {
      message.note(end->span, "no gradient passes this");
      bool isChoice = end->op == "argmax" || end->op == "compare";
      message.help(isChoice ? "a loss of classes that has a gradient is `cross_entropy`"
                   : end->op == "stop_gradient" ? "leave `stop_gradient` out of what is trained"
                                                : "");
    } else if (!others.empty()) {
      message.help(others);
    } else {
      message.help("compute it from a model that is made in a `let` of the train block");
    }
    return;
  }
  reportUnused(missing, "no gradient reaches");
}

/// "net.first.weight": what belongs to `first` is used where that is called.
static std::string adviceOnUnused(const std::string &path) {
  std::vector<std::string> parts;
  for (size_t begin = 0, end = 0; end != std::string::npos; begin = end + 1) {
    end = path.find('.', begin);
    parts.push_back(path.substr(begin, end - begin));
  }
  if (parts.size() < 2) return "";
  const std::string &owner = parts[parts.size() - 2];
  bool isElement = owner.find_first_not_of("0123456789") == std::string::npos;
  bool isModelOfRun = parts.size() == 2;
  if (isElement) return "";
  return isModelOfRun ? "use it in what the loss calls, or take it out"
                      : "`" + owner + "` has to be called in `forward`; if not, take it out";
}

std::set<std::string> TrainBlock::reportUnusedModels(std::set<std::string> paths,
                                                     const std::string &why) {
  for (const auto &[name, binding] : scope->bindings) {
    if (!binding.value.is(ValueKind::Instance)) continue;
    std::string prefix = binding.value.asInstance().path + ".";
    std::set<uint32_t> places;
    std::vector<std::string> own;
    bool isUnused = true;
    for (const Parameter &parameter : evaluator.program.parameters) {
      if (parameter.path.rfind(prefix, 0) != 0) continue;
      isUnused &= paths.count(parameter.path) != 0;
      own.push_back(parameter.path);
      places.insert(evaluator.program.parameterPlaces[parameter.path].begin);
    }
    for (const Marker &marker : evaluator.program.markers) // of which more can be said
      isUnused &= marker.kind != "frozen" || (marker.of + ".").rfind(prefix, 0) != 0;
    if (!isUnused || places.size() < 2) continue; // one layer is shown with its parameters
    report(Kind::UnusedParameter, binding.span, why + " the parameters of `" + name + "`")
        .help("use it in a loss, or leave it out");
    for (const std::string &path : own)
      paths.erase(path);
  }
  return paths;
}

void TrainBlock::reportUnused(const std::set<std::string> &all, const std::string &why) {
  std::set<std::string> paths = reportUnusedModels(all, why);
  std::vector<std::pair<Span, std::vector<std::string>>> places; // as a layer has several
  for (const Parameter &parameter : evaluator.program.parameters) {
    if (!paths.count(parameter.path)) continue;
    Span place = evaluator.program.parameterPlaces[parameter.path];
    if (places.empty() || !(places.back().first == place)) places.push_back({place, {}});
    places.back().second.push_back(parameter.path);
  }
  for (const auto &[place, names] : places) {
    bool isFrozen = false;
    Report message(report, Kind::UnusedParameter, place,
                   why + (names.size() == 1 ? " the parameter " : " the parameters ") +
                       joinNames(names));
    for (const Marker &marker : evaluator.program.markers)
      if (marker.kind == "frozen" && names[0].rfind(marker.of + ".", 0) == 0) {
        isFrozen = true;
        message
            .note(marker.span,
                  "it is frozen here only: it still belongs to what the run trains, and "
                  "a weight decay changes it")
            .help("to keep it as it is, freeze it where it is made: `let m = frozen(...)`, or give "
                  "it `none` in `fn optimizer(p)`");
        break;
      }
    if (!isFrozen) message.help(adviceOnUnused(names.front()));
  }
}

} // namespace dlm::sema
