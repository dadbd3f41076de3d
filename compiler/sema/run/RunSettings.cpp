// The settings that are more than a value: the data, the batch, the optimizer.
#include "compiler/sema/data/DataKinds.h"
#include "compiler/sema/evaluate/OpenConditions.h"
#include "compiler/sema/run/TrainBlock.h"
#include "compiler/sema/tensor/GraphWalk.h"

namespace dlm::sema {

Operand TrainBlock::valueOf(const ast::Item &item) {
  return evaluator.evalOperand(*item.value, scope);
}

void TrainBlock::setData(const ast::Item &item) {
  Operand operand = valueOf(item);
  if (operand.value.is(ValueKind::Data)) {
    data = operand.value.sharedData();
    checkBatchable(evaluator, *data, operand.span);
    if (!data->name.empty()) return;
    DataSource named = *data;
    named.name = "data";
    data = std::make_shared<const DataSource>(std::move(named));
  } else if (!operand.value.isPoison()) {
    Report message(report, Kind::SettingType, operand.span,
                   "`data` is a data source, and this is " + operand.value.describe());
    if (operand.value.is(ValueKind::String))
      message.help("functions of the module `data` make one: `data.idx(" +
                   std::string(evaluator.sources.text(operand.span)) + ")` reads IDX files");
  }
}

void TrainBlock::setBatch(const ast::Item &item) {
  Operand operand = valueOf(item);
  if (item.value->kind == ast::ExprKind::Percent) {
    report(Kind::SettingType, operand.span, "a batch is a number of samples, and this is a share")
        .help("write the number: `batch = 64`");
    return;
  }
  const Value &value = operand.value;
  if (value.is(ValueKind::Tensor) && value.asTensor().graph == 0) {
    const Node &node = evaluator.tensors.free().node(value.asTensor().node);
    for (const Option &option : evaluator.program.options) {
      if (node.op != "option" || option.name != node.text || option.dtype != DType::I64) continue;
      result.settings.batch = int64_t(option.value);
      result.settings.batchOption = option.name;
    }
  }
  if (result.settings.batchOption.empty()) {
    std::optional<int64_t> size = evaluator.needInt(operand, "`batch`");
    if (!size) return;
    result.settings.batch = *size;
  }
  constexpr int64_t batchMax = int64_t(1) << 31;
  if (result.settings.batch < 1 || result.settings.batch > batchMax) {
    report(Kind::SettingRange, operand.span,
           std::string("`batch` is at ") +
               (result.settings.batch < 1 ? "least 1" : "most 2 ** 31") + ", and this is " +
               std::to_string(result.settings.batch));
    result.settings.batch = 0; // what follows from it stays silent
    return;
  }
  if (result.settings.batchOption.empty()) return;
  const std::string &option = result.settings.batchOption;
  testWhenRun(evaluator, {option, ">=", Number::whole(1), "", operand.span});
  testWhenRun(evaluator, {option, "<=", Number::whole(batchMax), "", operand.span});
}

void TrainBlock::checkBatchFits() {
  const Settings &values = result.settings;
  if (values.micro > 0 && values.batch > 0 && values.batch % values.micro != 0)
    report(Kind::SettingRange, settings.given["micro"],
           "`batch` is " + std::to_string(values.batch) + ", not a multiple of `micro`, which is " +
               std::to_string(values.micro))
        .secondary(settings.given["batch"], "the batch");
  if (data && values.batch > data->trainCount)
    report(Kind::SmallData, settings.given["batch"],
           "a batch of " + std::to_string(values.batch) + " samples, and the data source has " +
               std::to_string(data->trainCount))
        .secondary(settings.given["data"], "the data source");
}

void TrainBlock::checkBatchMultiple() {
  Settings &values = result.settings;
  values.batchMultiple = evaluator.program.batchMultiple;
  for (const auto &[name, size] : {std::pair("batch", values.batch), {"micro", values.micro}}) {
    if (size <= 0 || size % values.batchMultiple == 0) continue;
    std::string multiple = std::to_string(values.batchMultiple);
    report(Kind::NotWhole, settings.given[name],
           std::string("`") + name + "` is " + std::to_string(size) +
               ", and the sizes need a multiple of " + multiple)
        .note(evaluator.program.batchMultiplePlace, "this is whole for multiples of " + multiple);
    return;
  }
  checkLastGroup();
}

/// Whether samples stand in groups somewhere in a graph.
static bool hasGroups(const Graph &graph) {
  return findNode(graph, [](const Node &node) {
    return std::any_of(node.type.dims.begin(), node.type.dims.end(), [](const Dim &dim) {
      if (!dim.extent.countsSamples()) return false;
      auto each = Extent::divide(dim.extent, Extent::batch());
      return !each || !each->isWhole();
    });
  });
}

/// Where samples meet in groups, an evaluation goes over whole groups; what groups them in training
/// only is no matter. How many samples a part has is the program's choice only if it cuts the part
/// itself.
void TrainBlock::checkLastGroup() {
  int64_t multiple = result.settings.batchMultiple;
  if (!data || multiple < 2) return;
  bool isGrouped = hasGroups(result.evaluationLoss) || hasGroups(result.metrics) ||
                   std::any_of(result.updates.begin(), result.updates.end(),
                               [](const Update &each) { return hasGroups(each.evaluationLoss); });
  if (!isGrouped) return;
  auto check = [&](const std::string &part, int64_t count, bool isCut) {
    int64_t rest = count % multiple;
    if (!isCut || rest == 0) return;
    report(Kind::IncompleteGroup, settings.given["data"],
           std::to_string(count) + " " + part + " samples are no whole number of groups of " +
               std::to_string(multiple) + ", so an evaluation leaves out " +
               (rest == count ? "all of them"
                : rest == 1   ? "the last one"
                              : "the last " + std::to_string(rest)))
        .note(evaluator.program.batchMultiplePlace, "the groups")
        .help("`" + part + " = " + std::to_string(rest == count ? multiple : count - rest) +
              "` leaves out none");
  };
  check("validation", data->validationCount, data->isValidationCut);
  check("test", data->testCount, data->isTestCut);
}

void TrainBlock::setOptimizer(const ast::Item &item) {
  Operand operand = valueOf(item);
  result.settings.optimizer = operand.span;
  if (checkOptimizerValue(evaluator, operand)) optimizer.value = operand;
}

} // namespace dlm::sema
