// Every node by hand, so that the tests of `lower` and `expand` need no front end.
#include "test/lower/SmallProgram.h"

namespace dlm::test {

namespace {

using sema::Dim;
using sema::DType;
using sema::Graph;
using sema::Node;
using sema::NodeId;
using sema::TensorType;

constexpr int64_t hiddenUnits = 5, classes = 4, pixels = 6;

Dim batchDim() { return Dim::batch(""); }
Dim size(int64_t value) { return Dim::whole(value); }

TensorType type(DType dtype, std::vector<Dim> dims) { return {dtype, std::move(dims)}; }
TensorType real(std::vector<Dim> dims) { return type(DType::F32, std::move(dims)); }

/// Appends nodes to a graph; the place and layer are those of the latest `at`.
class Writer {
public:
  void at(uint32_t line, uint32_t layer) {
    span = {0, line * 10, line * 10 + 1};
    this->layer = layer;
  }

  Node &add(const std::string &op, TensorType resultType, std::vector<NodeId> operands = {}) {
    Node node;
    node.op = op;
    node.type = std::move(resultType);
    node.operands = std::move(operands);
    node.span = span;
    node.layer = layer;
    graph.nodes.push_back(node);
    return graph.nodes.back();
  }

  NodeId last() const { return NodeId(graph.nodes.size() - 1); }

  NodeId plain(const std::string &op, TensorType resultType, std::vector<NodeId> operands = {}) {
    add(op, std::move(resultType), std::move(operands));
    return last();
  }

  NodeId named(const std::string &op, const std::string &text, TensorType resultType) {
    add(op, std::move(resultType)).text = text;
    return last();
  }

  NodeId constant(double number, TensorType resultType) {
    add("constant", std::move(resultType)).number = number;
    return last();
  }

  NodeId broadcast(NodeId operand, std::vector<int64_t> dims, TensorType resultType) {
    add("broadcast", std::move(resultType), {operand}).ints = std::move(dims);
    return last();
  }

  NodeId reduce(const std::string &op, const std::string &kind, NodeId operand,
                std::vector<int64_t> dims, TensorType resultType) {
    Node &node = add(op, std::move(resultType), {operand});
    node.text = kind;
    node.ints = std::move(dims);
    return last();
  }

  Graph graph;

private:
  Span span;
  uint32_t layer = 0;
};

/// x @ weight + bias.
NodeId linear(Writer &w, NodeId x, const std::string &path, int64_t from, int64_t to) {
  NodeId weight = w.named("parameter", path + ".weight", real({size(from), size(to)}));
  NodeId bias = w.named("parameter", path + ".bias", real({size(to)}));
  w.add("matmul", real({batchDim(), size(to)}), {x, weight}).ints = {0, 0};
  NodeId product = w.last();
  NodeId wide = w.broadcast(bias, {1}, real({batchDim(), size(to)}));
  return w.plain("add", real({batchDim(), size(to)}), {product, wide});
}

NodeId logits(Writer &w) {
  TensorType image = type(DType::U8, {batchDim(), size(2), size(3)});
  TensorType pixelsReal = real({batchDim(), size(2), size(3)});
  w.at(1, 0);
  NodeId bytes = w.named("input", "image", image);
  NodeId whole = w.plain("cast", pixelsReal, {bytes});
  NodeId scale = w.constant(255, pixelsReal);
  NodeId scaled = w.plain("div", pixelsReal, {whole, scale});
  NodeId x = w.plain("reshape", real({batchDim(), size(pixels)}), {scaled});
  w.at(2, 1);
  NodeId hidden = linear(w, x, "hidden", pixels, hiddenUnits);
  NodeId active = w.plain("tanh", real({batchDim(), size(hiddenUnits)}), {hidden});
  w.at(3, 2);
  return linear(w, active, "output", hiddenUnits, classes);
}

/// The mean over the batch of a value per sample.
NodeId mean(Writer &w, NodeId perSample) {
  NodeId sum = w.reduce("batch_reduce", "add", perSample, {0}, real({}));
  NodeId count = w.plain("sample_count", real({}));
  return w.plain("div", real({}), {sum, count});
}

NodeId crossEntropy(Writer &w, NodeId scores) {
  TensorType wide = real({batchDim(), size(classes)}), row = real({batchDim()});
  TensorType wideInt = type(DType::I32, {batchDim(), size(classes)});
  TensorType wideBool = type(DType::Bool, {batchDim(), size(classes)});
  NodeId most = w.reduce("reduce", "max", scores, {1}, row);
  NodeId shifted = w.plain("sub", wide, {scores, w.broadcast(most, {0}, wide)});
  NodeId total = w.reduce("reduce", "add", w.plain("exp", wide, {shifted}), {1}, row);
  NodeId label = w.named("input", "label", type(DType::I32, {batchDim()}));
  NodeId wanted = w.broadcast(label, {0}, wideInt);
  w.add("iota", wideInt).ints = {1};
  NodeId index = w.last();
  w.add("compare", wideBool, {wanted, index}).text = "eq";
  NodeId isLabel = w.last();
  NodeId picked = w.plain("select", wide, {isLabel, shifted, w.constant(0, wide)});
  NodeId score = w.reduce("reduce", "add", picked, {1}, row);
  return w.plain("sub", row, {w.plain("log", row, {total}), score});
}

Graph lossGraph() {
  Writer w;
  NodeId entropy = mean(w, crossEntropy(w, logits(w)));
  w.at(4, 0);
  TensorType weights = real({size(pixels), size(hiddenUnits)});
  NodeId weight = w.named("parameter", "hidden.weight", weights);
  NodeId square = w.plain("mul", weights, {weight, weight});
  NodeId norm = w.reduce("reduce", "add", square, {0, 1}, real({}));
  NodeId decay = w.plain("mul", real({}), {norm, w.constant(0.03, real({}))});
  NodeId share = w.plain("share", real({}), {decay});
  w.graph.results = {{"loss", w.plain("add", real({}), {entropy, share})}};
  return w.graph;
}

Graph metricsGraph() {
  Writer w;
  NodeId scores = logits(w);
  w.add("argmax", type(DType::I32, {batchDim()}), {scores}).ints = {1};
  NodeId guess = w.last();
  NodeId label = w.named("input", "label", type(DType::I32, {batchDim()}));
  w.add("compare", type(DType::Bool, {batchDim()}), {guess, label}).text = "eq";
  NodeId hits = w.plain("cast", real({batchDim()}), {w.last()});
  w.graph.results = {{"accuracy", mean(w, hits)}};
  return w.graph;
}

sema::OptimizerRule momentum() {
  sema::OptimizerRule rule;
  rule.name = "Momentum";
  Dim flat = {sema::Extent::symbol(sema::flatSymbol), "N", false};
  TensorType all = real({flat});
  Writer start;
  start.graph.results = {{"value", start.constant(0, all)}};
  rule.states = {{"velocity", 0, all, start.graph}};
  Writer w;
  NodeId target = w.plain("target", all);
  NodeId gradient = w.plain("gradient", all);
  NodeId velocity = w.named("state", "velocity", all);
  NodeId kept = w.plain("mul", all, {velocity, w.constant(0.9, all)});
  NodeId moved = w.plain("add", all, {kept, gradient});
  NodeId rate = w.broadcast(w.named("option", "lr", real({})), {}, all);
  NodeId next = w.plain("sub", all, {target, w.plain("mul", all, {rate, moved})});
  w.graph.results = {{"target", next}, {"velocity", moved}};
  rule.update = w.graph;
  return rule;
}

sema::Parameter parameter(const std::string &path, TensorType parameterType, bool isRandom) {
  Writer w;
  if (isRandom)
    w.named("random", "normal", parameterType);
  else
    w.constant(0, parameterType);
  w.graph.results = {{"init", w.last()}};
  return {path, parameterType, w.graph, {}};
}

} // namespace

void addSmallSource(SourceManager &sources) {
  sources.addFile("small.dlm", "line zero\nline one.\nline two.\nline thr.\nline fou.\n");
}

sema::TypedProgram smallProgram() {
  sema::TypedProgram program;
  program.name = "small";
  program.options = {{"lr", "learning rate", DType::F32, 0.1, true, {}}};
  program.data.name = "data";
  program.data.kind = "idx";
  program.data.path = "/data";
  program.data.trainCount = 100;
  program.data.validationCount = program.data.testCount = 10;
  program.data.classes = classes;
  program.data.fields = {{"image", type(DType::U8, {size(2), size(3)})},
                         {"label", type(DType::I32, {})}};
  program.parameters = {parameter("hidden.weight", real({size(pixels), size(hiddenUnits)}), true),
                        parameter("hidden.bias", real({size(hiddenUnits)}), false),
                        parameter("output.weight", real({size(hiddenUnits), size(classes)}), true),
                        parameter("output.bias", real({size(classes)}), false)};
  program.loss = program.evaluationLoss = lossGraph();
  program.metrics = metricsGraph();
  program.groups = {{momentum(), {}, true, {}}};
  for (const sema::Parameter &each : program.parameters)
    program.groups[0].parameters.push_back(each.path);
  program.settings.batch = 8;
  program.settings.seed = 3;
  program.settings.checkpointTo = "/runs/small";
  program.layers = {"", "hidden", "output"};
  return program;
}

} // namespace dlm::test
