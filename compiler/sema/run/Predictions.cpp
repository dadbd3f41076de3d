// The hook `predict`: tensors with a row for each sample, each of which depends on that sample
// alone, so that it does not matter which others a file holds.
#include "compiler/sema/run/TrainBlock.h"
#include "compiler/sema/tensor/GraphBuilder.h"
#include "compiler/sema/tensor/GraphWalk.h"
#include "compiler/sema/value/Shapes.h"

#include <algorithm>

namespace dlm::sema {

namespace {

constexpr const char *OnlyResult = "prediction"; // what a tensor without a record is called

/// The first operation in which samples meet, or that counts them; null if there is none.
const Node *meeting(const Graph &graph) {
  auto isOfBatch = [](const Node &node) {
    return node.op == "batch_reduce" || node.op == "batch_contract" || node.op == "sample_count";
  };
  if (const Node *node = findNode(graph, isOfBatch)) return node;
  for (const auto &entry : graph.results) // as of a loop that goes along the samples
    if (graph.nodes[entry.second].grade == Grade::Sum) return &graph.nodes[entry.second];
  return gradeOf(graph).inner;
}

/// Whether the first axis is the samples, and no other has to do with them.
bool isByRows(const TensorType &type) {
  auto isOpen = [](const Dim &dim) { return dim.extent.countsSamples(); };
  return !type.dims.empty() && type.dims[0].isBatch() &&
         std::none_of(type.dims.begin() + 1, type.dims.end(), isOpen);
}

} // namespace

void TrainBlock::checkPredict() {
  const ast::Function &hook = *hooks["predict"];
  Command predict;
  predict.name = hook.name.text;
  predict.doc = hook.doc;
  predict.span = hook.name.span;
  GraphScope graph(evaluator.tensors);
  ContextScope saved(evaluator);
  evaluator.context.training = false;
  Value value = runHook(hook);
  if (value.isPoison()) return;
  Span last = hook.body.statements.empty() ? hook.span : hook.body.statements.back().span;
  const ast::Expr *expr =
      hook.body.statements.empty() ? nullptr : hook.body.statements.back().value.get();
  bool isWritten = expr && expr->kind == ast::ExprKind::Record;
  if (!value.is(ValueKind::Record)) {
    addPrediction(*graph, predict, OnlyResult, {value, expr, last});
  } else {
    const auto &fields = value.asRecord().fields;
    if (fields.empty())
      report(Kind::ResultType, last, "`fn predict` gives tensors, and this record is empty");
    for (size_t i = 0; i < fields.size(); ++i) {
      Span span = isWritten ? expr->arguments[i].value->span : last;
      if (fields[i].first.empty())
        report(Kind::ResultType, span, "the results of `predict` have names")
            .help("write `(name = value)`");
      else
        addPrediction(*graph, predict, fields[i].first, {fields[i].second, nullptr, span});
    }
  }
  (*graph).prune();
  if (const Node *node = meeting(graph.graph())) {
    bool isCount = node->op == "sample_count";
    Report message(report, Kind::CoupledBatch, node->place(),
                   isCount ? "a prediction is of one sample alone, and this counts the samples"
                           : "samples influence each other here, and a prediction is of one alone");
    if (!(node->place() == node->span)) message.secondary(node->span, "");
    message.help(isCount ? "a file has any number of rows, and a row the same result in each"
                         : "the batch is axis 0; `over = -1` is the last axis of each sample");
  }
  predict.graph = std::move(graph.graph());
  result.predict = std::move(predict);
}

void TrainBlock::addPrediction(GraphBuilder &graph, Command &predict, const std::string &name,
                               const Operand &operand) {
  const Value &value = operand.value;
  if (value.isPoison()) return;
  bool isTensor = value.is(ValueKind::Tensor);
  if (!isTensor || !isByRows(value.asTensor().type)) {
    Report message(report, Kind::ResultType, operand.span,
                   "a prediction has a row for each sample, and `" + name + "` is " +
                       value.describe());
    message.help("its first axis is the batch, as of `f32[batch]` or `f32[batch, 10]`");
    return;
  }
  graph.graph.results.emplace_back(name, evaluator.tensors.use(value.asTensor()));
  predict.results.push_back({name, typeText(value.asTensor().type)});
}

} // namespace dlm::sema
