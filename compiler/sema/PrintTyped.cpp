// See PrintTyped.h. Numbers are printed so that they read back as the same value.
#include "compiler/sema/PrintTyped.h"

#include "compiler/sema/Number.h"
#include "compiler/sema/Value.h"

namespace dlm::sema {

namespace {

const char *gradeName(Grade grade) {
  static const char *const names[] = {"constant", "row", "sum", "coupled"};
  return names[static_cast<int>(grade)];
}

std::string quantityText(const Quantity &quantity) {
  static const char *const units[] = {"", " steps", " epochs", " samples", " ms"};
  if (quantity.unit == Unit::None) return "none";
  return formatReal(quantity.value) + units[static_cast<int>(quantity.unit)];
}

class TypedPrinter {
public:
  explicit TypedPrinter(const TypedProgram &program) : program(program) {}

  std::string print() {
    out = "program " + program.name + "\n";
    for (const Option &option : program.options)
      line(1, "option " + option.name + ": " +
                  (option.kind.empty() ? dtypeName(option.dtype) : option.kind) + " = " +
                  (option.kind.empty() ? formatReal(option.value) : option.text) +
                  (option.isRunTime ? " run-time" : " compile-time"));
    printData();
    printSettings();
    for (const Parameter &parameter : program.parameters) {
      line(1, "parameter " + parameter.path + ": " + typeText(parameter.type));
      printGraph(parameter.init);
    }
    printNamed("loss", program.loss);
    printNamed("evaluation loss", program.evaluationLoss);
    printNamed("metrics", program.metrics);
    line(1, "optimizer " + program.optimizer.name);
    for (const OptimizerState &state : program.optimizer.states)
      line(2, "state " + state.name + " = " + formatReal(state.init));
    printGraph(program.optimizer.update);
    return std::move(out);
  }

private:
  void line(int indent, const std::string &text) {
    out += std::string(size_t(indent) * 2, ' ') + text + "\n";
  }

  void printData() {
    const DataSource &data = program.data;
    line(1, "data " + data.name + ": " + data.kind + ", train " + std::to_string(data.trainCount) +
                ", validation " + std::to_string(data.validationCount) + ", test " +
                std::to_string(data.testCount) + ", classes " + std::to_string(data.classes));
    if (data.vocab > 0) line(2, "vocab " + std::to_string(data.vocab));
    if (!data.order.empty()) line(2, "order " + data.order);
    for (const Column &column : data.columns)
      line(2, "column " + column.name + ": " +
                  (column.isCategory ? "category of " + std::to_string(column.size) : "number"));
    for (const Field &field : data.fields)
      line(2, field.name + ": " + typeText(field.type));
    for (const SampleMap &map : data.maps) {
      printNamed("map, training", map.training);
      printNamed("map, evaluation", map.evaluation);
    }
  }

  void printSettings() {
    const Settings &settings = program.settings;
    std::string batch = std::to_string(settings.batch);
    if (!settings.batchOption.empty()) batch += " (option " + settings.batchOption + ")";
    line(1, "batch " + batch + ", micro " +
                (settings.micro ? std::to_string(settings.micro) : std::string("auto")));
    line(1, "duration " + quantityText(settings.duration) + ", seed " +
                std::to_string(settings.seed) + ", evaluate every " +
                quantityText(settings.evaluateEvery));
    line(1, "checkpoint every " + quantityText(settings.checkpointEvery) + ", keep " +
                std::to_string(settings.checkpointKeep));
  }

  void printNamed(const std::string &name, const Graph &graph) {
    line(1, name);
    printGraph(graph);
  }

  void printGraph(const Graph &graph) {
    for (size_t i = 0; i < graph.nodes.size(); ++i)
      line(2, nodeText(graph.nodes[i], i));
    for (const auto &[name, node] : graph.results)
      line(2, "result " + name + " = %" + std::to_string(node));
  }

  std::string nodeText(const Node &node, size_t index) const {
    std::string text = "%" + std::to_string(index) + " = " + node.op;
    if (!node.text.empty()) text += " " + node.text;
    for (size_t i = 0; i < node.operands.size(); ++i)
      text += (i ? ", %" : " %") + std::to_string(node.operands[i]);
    if (node.op == "constant") text += " " + formatReal(node.number);
    if (!node.ints.empty()) {
      text += " {";
      for (size_t i = 0; i < node.ints.size(); ++i)
        text += (i ? ", " : "") + std::to_string(node.ints[i]);
      text += "}";
    }
    text += " : " + typeText(node.type);
    if (node.grade != Grade::Constant) text += std::string(" ") + gradeName(node.grade);
    if (node.layer < program.layers.size() && !program.layers[node.layer].empty())
      text += " in " + program.layers[node.layer];
    return text;
  }

  const TypedProgram &program;
  std::string out;
};

} // namespace

std::string printTyped(const TypedProgram &program) { return TypedPrinter(program).print(); }

} // namespace dlm::sema
