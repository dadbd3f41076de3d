// A command is a graph without a batch; the sizes that a call decides are closed first. The hook
// `predict` is a command with one.
#include "compiler/lower/Commands.h"

#include "compiler/lower/Generation.h"
#include "compiler/lower/GraphLowering.h"
#include "compiler/lower/OpenSizes.h"
#include "dialects/train/Train.h"

#include <algorithm>

namespace dlm::lower {

namespace {

/// The hook is a command whose program has a batch.
std::string programName(const std::string &command) {
  return command == "predict" ? command : "command_" + command;
}

class CommandWriter {
public:
  explicit CommandWriter(mlir::MLIRContext &context) : context(context), build(&context) {}

  mlir::Attribute describe(const sema::Command &command, const ClosedCommand &closed) {
    mlir::NamedAttrList fields;
    fields.append("name", build.getStringAttr(command.name));
    fields.append("doc", build.getStringAttr(command.doc));
    fields.append("program", build.getStringAttr(programName(command.name)));
    llvm::SmallVector<mlir::Attribute> arguments, results;
    for (const sema::CommandArgument &argument : command.arguments)
      arguments.push_back(describe(argument, closed));
    for (size_t i = 0; i < command.results.size(); ++i)
      results.push_back(describe(command.results[i], command, closed, isMade(command, i)));
    if (closed.madeMax > 0) {
      arguments.push_back(describeMade(closed.madeMax));
      results.push_back(describeHidden(NextName, "next"));
      results.push_back(describeHidden(EndName, "end"));
    }
    fields.append("arguments", build.getArrayAttr(arguments));
    fields.append("tests", testList(command.tests, context));
    fields.append("results", build.getArrayAttr(results));
    return fields.getDictionary(&context);
  }

private:
  mlir::Attribute describe(const sema::CommandArgument &argument, const ClosedCommand &closed) {
    mlir::NamedAttrList fields;
    fields.append("name", build.getStringAttr(argument.name));
    fields.append("type", build.getStringAttr(argument.type));
    fields.append("is_required", build.getBoolAttr(argument.isRequired));
    fields.append("by_default", build.getStringAttr(argument.byDefault));
    fields.append("lower", build.getI64IntegerAttr(argument.lower));
    fields.append("upper", build.getI64IntegerAttr(argument.upper.value_or(INT64_MAX)));
    auto text = closed.texts.find(argument.name);
    if (text != closed.texts.end())
      fields.append("tokens_max", build.getI64IntegerAttr(text->second));
    return fields.getDictionary(&context);
  }

  /// The ids that are made so far, of which the program is told.
  mlir::Attribute describeMade(int64_t most) {
    mlir::NamedAttrList fields;
    fields.append("name", build.getStringAttr(MadeName));
    fields.append("type", build.getStringAttr("made"));
    fields.append("is_required", build.getBoolAttr(false));
    fields.append("by_default", build.getStringAttr(""));
    fields.append("lower", build.getI64IntegerAttr(0));
    fields.append("upper", build.getI64IntegerAttr(most));
    fields.append("tokens_max", build.getI64IntegerAttr(most));
    return fields.getDictionary(&context);
  }

  mlir::Attribute describeHidden(const char *name, const char *type) {
    mlir::NamedAttrList fields;
    fields.append("name", build.getStringAttr(name));
    fields.append("type", build.getStringAttr(type));
    return fields.getDictionary(&context);
  }

  /// Whether a result is the text that is made, which grows from call to call.
  static bool isMade(const sema::Command &command, size_t result) {
    const sema::Graph &graph = command.graph;
    const sema::Node &node = graph.nodes[graph.results[result].second];
    return node.op == "decode" && graph.nodes[node.operands[0]].op == "generate";
  }

  mlir::Attribute describe(const sema::CommandResult &result, const sema::Command &command,
                           const ClosedCommand &closed, bool isMade) {
    mlir::NamedAttrList fields;
    fields.append("name", build.getStringAttr(result.name));
    fields.append("type", build.getStringAttr(result.type));
    bool isOpen = std::any_of(result.sizes.begin(), result.sizes.end(),
                              [](const sema::Extent &size) { return !size.isWhole(); });
    llvm::SmallVector<mlir::Attribute> shape;
    for (const sema::Extent &size : result.sizes)
      shape.push_back(describe(size, command, closed));
    if (isMade) shape = {build.getArrayAttr(term(1, {int64_t(command.arguments.size())}))};
    if (isOpen || isMade) fields.append("shape", build.getArrayAttr(shape));
    return fields.getDictionary(&context);
  }

  /// `[{factor, arguments}]`, arguments by their numbers.
  mlir::Attribute describe(const sema::Extent &size, const sema::Command &command,
                           const ClosedCommand &closed) {
    llvm::SmallVector<mlir::Attribute> terms;
    auto add = [&](const sema::Number &factor, const sema::Extent::Product &product) {
      llvm::SmallVector<int64_t> numbers;
      for (const std::string &symbol : product)
        numbers.push_back(numberOf(closed.arguments.at(symbol), command));
      terms.push_back(term(factor.numerator, numbers));
    };
    if (size.constantPart().numerator != 0) add(size.constantPart(), {});
    for (const auto &[product, factor] : size.products())
      add(factor, product);
    return build.getArrayAttr(terms);
  }

  /// An argument's place in the list; the ids that are made stand behind it.
  static int64_t numberOf(const std::string &name, const sema::Command &command) {
    size_t i = 0;
    while (i < command.arguments.size() && command.arguments[i].name != name)
      ++i;
    return int64_t(i);
  }

  mlir::Attribute term(int64_t factor, llvm::ArrayRef<int64_t> numbers) {
    mlir::NamedAttrList fields;
    fields.append("factor", build.getI64IntegerAttr(factor));
    fields.append("arguments", build.getDenseI64ArrayAttr(numbers));
    return fields.getDictionary(&context);
  }

  mlir::MLIRContext &context;
  mlir::Builder build;
};

} // namespace

mlir::ArrayAttr testList(const std::vector<sema::CommandTest> &tests, mlir::MLIRContext &context) {
  mlir::Builder build(&context);
  llvm::SmallVector<mlir::Attribute> list;
  for (const sema::CommandTest &test : tests) {
    mlir::NamedAttrList fields;
    fields.append("argument", build.getStringAttr(test.argument));
    fields.append("op", build.getStringAttr(test.op));
    fields.append("bound", build.getF64FloatAttr(test.bound.toReal()));
    fields.append("message", build.getStringAttr(test.message));
    list.push_back(fields.getDictionary(&context));
  }
  return build.getArrayAttr(list);
}

mlir::LogicalResult lowerCommands(const sema::TypedProgram &program, mlir::OpBuilder &build,
                                  const Places &places, int64_t rows) {
  auto lowerOne = [&](const sema::Command &command, const sema::Graph &graph, int64_t rows,
                      GraphPart part) {
    auto op = train::CommandOp::create(build, places.of(command.span), command.name,
                                       programName(command.name), rows);
    std::string site = "command." + command.name;
    return GraphLowering(build, places, {rows, 0}, site, command.name)
        .as(part)
        .with(program.buffers)
        .lower(graph, op.getBody());
  };
  if (program.predict &&
      failed(lowerOne(*program.predict, program.predict->graph, rows, GraphPart::Prediction)))
    return mlir::failure();
  for (const sema::Command &command : program.commands)
    if (failed(
            lowerOne(command, closeSizes(command, program.data.name).graph, 0, GraphPart::Command)))
      return mlir::failure();
  return mlir::success();
}

mlir::ArrayAttr commandList(const sema::TypedProgram &program, mlir::MLIRContext &context) {
  llvm::SmallVector<mlir::Attribute> list;
  if (program.predict) list.push_back(CommandWriter(context).describe(*program.predict, {}));
  for (const sema::Command &command : program.commands)
    list.push_back(
        CommandWriter(context).describe(command, closeSizes(command, program.data.name)));
  return mlir::Builder(&context).getArrayAttr(list);
}

} // namespace dlm::lower
