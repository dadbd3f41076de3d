// See PrintTyped.h. Numbers are printed so that they read back as the same value.
#include "compiler/sema/PrintTyped.h"

#include "compiler/sema/settings/SettingReader.h"
#include "compiler/sema/tensor/GraphBuilder.h"
#include "compiler/sema/value/Number.h"
#include "compiler/sema/value/Value.h"

namespace dlm::sema {

namespace {

const char *gradeName(Grade grade) {
  static const char *const names[] = {"constant", "row", "sum", "coupled"};
  return names[static_cast<int>(grade)];
}

/// " (> 0) (<= 1)".
std::string testsText(const std::vector<CommandTest> &tests) {
  std::string text;
  for (const CommandTest &test : tests)
    text += " (" + test.op + " " + test.bound.text() + ")";
  return text;
}

std::string quantityText(const Quantity &quantity) {
  static const char *const units[] = {"", " steps", " epochs", " samples", " ms", " tokens", " B"};
  if (quantity.unit == Unit::None) return "none";
  return formatReal(quantity.value) + units[static_cast<int>(quantity.unit)];
}

class TypedPrinter {
public:
  explicit TypedPrinter(const TypedProgram &program) : program(program) {}

  std::string print() {
    out = program.name.empty() ? "program\n" : "program " + program.name + "\n";
    if (program.name.empty()) {
      printTests();
      return std::move(out);
    }
    for (const Option &option : program.options)
      line(1, "option " + option.name + ": " +
                  (option.kind.empty() ? dtypeName(option.dtype) : option.kind) + " = " +
                  (option.kind.empty() ? formatReal(option.value) : option.text) +
                  (option.isRunTime ? " run-time" : " compile-time") + testsText(option.tests));
    printData();
    printSettings();
    for (const Parameter &parameter : program.parameters) {
      line(1, "parameter " + parameter.path + ": " + typeText(parameter.type) +
                  (parameter.isHeld ? ", never changed" : ""));
      printGraph(parameter.init);
    }
    for (const Buffer &buffer : program.buffers) {
      line(1, "buffer " + buffer.path + ": " + typeText(buffer.type) +
                  (buffer.isPerStream ? " per stream" : ""));
      printGraph(buffer.init);
    }
    for (const Marker &marker : program.markers)
      line(1, markerText(marker));
    if (program.updates.empty()) {
      printNamed("loss", program.loss);
      if (const Node *cause = gradeOf(program.loss).cause)
        line(2, "coupled from %" + std::to_string(cause - program.loss.nodes.data()));
      printNamed("evaluation loss", program.evaluationLoss);
    }
    printNamed("metrics", program.metrics);
    for (const Update &update : program.updates)
      printUpdate(update);
    if (program.predict) printCommand(*program.predict);
    for (const Command &command : program.commands)
      printCommand(command);
    for (const Search &search : program.searches)
      printSearch(search);
    for (const Export &each : program.exports)
      printExport(each);
    bool isOne = program.groups.size() == 1 && program.constants.empty();
    for (const OptimizerGroup &group : program.groups)
      printGroup(group, isOne && group.isFlat);
    for (const std::string &path : program.constants)
      line(1, "constant " + path);
    printTests();
    return std::move(out);
  }

  void printTests() {
    for (const TypedTest &test : program.tests) {
      line(1, "test \"" + test.title + "\"");
      for (const Parameter &parameter : test.parameters)
        line(2, "parameter " + parameter.path + ": " + typeText(parameter.type));
      for (const Expectation &each : test.expectations)
        if (each.isKnown) line(2, std::string("known: ") + (each.holds ? "true" : "false"));
      printGraph(test.graph);
    }
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
                (settings.micro ? std::to_string(settings.micro) : std::string("auto")) +
                (settings.batchMultiple > 1
                     ? ", multiples of " + std::to_string(settings.batchMultiple)
                     : ""));
    line(1, "duration " + quantityText(settings.duration) + ", seed " +
                std::to_string(settings.seed) + ", evaluate every " +
                quantityText(settings.evaluateEvery));
    line(1, "checkpoint every " + quantityText(settings.checkpointEvery) + ", keep " +
                std::to_string(settings.checkpointKeep) +
                (settings.checkpointLight.unit == Unit::None
                     ? ""
                     : ", light every " + quantityText(settings.checkpointLight)));
    if (settings.skipLimit != Settings().skipLimit)
      line(1, "guard skip limit " + std::to_string(settings.skipLimit));
    if (settings.clipNorm > 0) line(1, "clip_norm " + formatReal(settings.clipNorm));
    for (const Setting &setting : settings.others)
      line(1, "setting " + setting.path + " = " + settingText(setting.value));
  }

  void printCommand(const Command &command) {
    bool isHook = program.predict && &command == &*program.predict;
    line(1, (isHook ? "" : "command ") + command.name);
    for (const CommandArgument &argument : command.arguments)
      line(2, "argument " + argument.name + ": " + argument.type +
                  (argument.isRequired         ? ""
                   : argument.type == "string" ? " = " + Value::string(argument.byDefault).text()
                                               : " = " + argument.byDefault) +
                  (argument.lower ? ", at least " + std::to_string(argument.lower) : "") +
                  (argument.upper ? ", at most " + std::to_string(*argument.upper) : ""));
    for (const CommandTest &test : command.tests)
      line(2, "test " + test.argument + " " + test.op + " " + test.bound.text());
    printGraph(command.graph);
    for (const CommandResult &each : command.results)
      line(2, "writes " + each.name + ": " + each.type);
  }

  void printSearch(const Search &search) {
    line(1, "search " + search.name + ": " + (search.isMaximized ? "maximize " : "minimize ") +
                search.objective + ", " + settingText(search.strategy));
    for (const SearchOption &each : search.space) {
      std::string text = each.kind;
      if (each.kind != "list")
        text += "(" + formatReal(each.low) + ", " + formatReal(each.high) + ")";
      for (const std::string &value : each.values)
        text += " " + value;
      line(2, each.option + ": " + text + (each.isRunTime ? "" : ", an executable each"));
    }
  }

  void printExport(const Export &each) {
    line(1, "export " + each.name + ": " + each.model +
                (each.stored.empty() ? "" : ", stored as " + each.stored));
    for (const Setting &setting : each.settings)
      line(2, setting.path + " = " + settingText(setting.value));
  }

  void printUpdate(const Update &update) {
    std::string text = "update " + update.name + ", repeat " + std::to_string(update.repeat) +
                       ", every " + std::to_string(update.every);
    if (update.clipNorm > 0) text += ", clip_norm " + formatReal(update.clipNorm);
    line(1, text);
    for (const std::string &path : update.parameters)
      line(2, "changes " + path);
    printNamed("loss of " + update.name, update.loss);
    printNamed("evaluation loss of " + update.name, update.evaluationLoss);
    for (const OptimizerGroup &group : update.groups)
      printGroup(group, update.groups.size() == 1 && update.constants.empty());
    for (const std::string &path : update.constants)
      line(1, "constant " + path);
  }

  void printGroup(const OptimizerGroup &group, bool isAll) {
    std::string paths;
    for (const std::string &path : group.parameters)
      paths += (paths.empty() ? " for " : ", ") + path;
    line(1, "optimizer " + group.rule.name + (isAll ? "" : paths));
    for (const OptimizerState &state : group.rule.states)
      if (group.isFlat) {
        line(2, "state " + state.name + " = " + formatReal(state.init));
      } else {
        line(2, "state " + state.name + ": " + typeText(state.type));
        printGraph(state.initGraph);
      }
    printGraph(group.rule.update);
  }

  void printNamed(const std::string &name, const Graph &graph) {
    line(1, name);
    printGraph(graph);
  }

  void printGraph(const Graph &graph, int indent = 2) {
    for (size_t i = 0; i < graph.nodes.size(); ++i) {
      line(indent, nodeText(graph.nodes[i], i));
      for (const auto &body : graph.nodes[i].bodies)
        printGraph(*body, indent + 1);
    }
    for (const auto &[name, node] : graph.results)
      line(indent, "result " + name + " = %" + std::to_string(node));
    for (const NextValue &next : graph.nexts)
      line(indent, "next " + next.path + " = %" + std::to_string(next.value));
  }

  static std::string markerText(const Marker &marker) {
    std::string text = marker.kind + " of " + marker.of;
    if (!marker.path.empty()) text += " at " + marker.path;
    if (marker.kind == "ema") text += ", decay " + formatReal(marker.decay);
    if (!marker.file.empty()) text += " from " + marker.file;
    for (const auto &[ours, theirs] : marker.names)
      text += ", " + ours + " = " + theirs;
    for (const std::string &name : marker.transposed)
      text += ", " + name + " transposed";
    return text;
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
    for (size_t i = 0; i < node.extents.size(); ++i)
      text += (i ? ", " : " {") + node.extents[i].text();
    if (!node.extents.empty()) text += "}";
    constexpr size_t shownMax = 8;
    for (size_t i = 0; i < node.numbers.size() && i < shownMax; ++i)
      text += (i ? ", " : " [") + formatReal(node.numbers[i]);
    if (!node.numbers.empty()) text += node.numbers.size() > shownMax ? ", ...]" : "]";
    if (node.op == "pad") text += " " + formatReal(node.number);
    if (node.op == "reduce" && node.number != 0) text += " first";
    text += " : " + typeText(node.type);
    if (node.marks & MarkPrecise) text += " precise";
    if (node.marks & MarkRecompute) text += " recompute";
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
