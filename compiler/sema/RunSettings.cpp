// The values of settings.
#include "compiler/sema/DataKinds.h"
#include "compiler/sema/TrainBlock.h"

#include <cctype>
#include <filesystem>

namespace dlm::sema {

namespace {

std::string inLowerCase(std::string text) {
  for (char &c : text)
    c = char(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

} // namespace

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
    report(Kind::SettingType, operand.span,
           "`data` is a data source, and this is " + operand.value.describe());
  }
}

void TrainBlock::setBatch(const ast::Item &item) {
  Operand operand = valueOf(item);
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
  }
}

void TrainBlock::setMicro(const ast::Item &item) {
  if (item.value->kind == ast::ExprKind::Name && item.value->text == "auto") return;
  Operand operand = valueOf(item);
  std::optional<int64_t> size = evaluator.needInt(operand, "`micro`");
  if (!size) return;
  result.settings.micro = *size;
  if (*size < 1)
    report(Kind::SettingRange, operand.span,
           "`micro` is at least 1, and this is " + std::to_string(*size));
}

void TrainBlock::checkBatchFits() {
  const Settings &settings = result.settings;
  if (settings.micro > 0 && settings.batch > 0 && settings.batch % settings.micro != 0)
    report(Kind::SettingRange, given["micro"],
           "`batch` is " + std::to_string(settings.batch) +
               ", not a multiple of `micro`, which is " + std::to_string(settings.micro))
        .secondary(given["batch"], "the batch");
  if (data && settings.batch > data->trainCount)
    report(Kind::SmallData, given["batch"],
           "a batch of " + std::to_string(settings.batch) + " samples, and the data source has " +
               std::to_string(data->trainCount))
        .secondary(given["data"], "the data source");
}

void TrainBlock::checkBatchMultiple() {
  Settings &settings = result.settings;
  settings.batchMultiple = evaluator.program.batchMultiple;
  for (const auto &[name, size] : {std::pair("batch", settings.batch), {"micro", settings.micro}}) {
    if (size <= 0 || size % settings.batchMultiple == 0) continue;
    std::string multiple = std::to_string(settings.batchMultiple);
    report(Kind::NotWhole, given[name],
           std::string("`") + name + "` is " + std::to_string(size) +
               ", and the sizes need a multiple of " + multiple)
        .note(evaluator.program.batchMultiplePlace, "this is whole for multiples of " + multiple);
    return;
  }
}

Quantity TrainBlock::needQuantity(const Operand &operand, const std::string &what) {
  const Value &value = operand.value;
  if (value.isPoison()) return {};
  bool isQuantity = value.is(ValueKind::Quantity);
  Unit unit = Unit::None;
  if (isQuantity && value.asMeasure() == Measure::Steps) unit = Unit::Steps;
  if (isQuantity && value.asMeasure() == Measure::Epochs) unit = Unit::Epochs;
  if (isQuantity && value.asMeasure() == Measure::Samples) unit = Unit::Samples;
  if (isQuantity && value.asMeasure() == Measure::Time) unit = Unit::Milliseconds;
  if (unit == Unit::None) {
    report(Kind::SettingType, operand.span,
           what + " is a number of steps, epochs or samples or a time, and this is `" +
               value.text() + "`")
        .help("write a unit, such as `5 epochs`, `1000 steps` or `30min`");
    return {};
  }
  double amount = value.asNumber().toReal();
  bool needsWhole = unit == Unit::Steps || unit == Unit::Samples;
  if (amount <= 0 || (needsWhole && !value.asNumber().isWhole())) {
    report(Kind::SettingRange, operand.span,
           what + " is more than zero" + (needsWhole ? " and whole" : "") + ", and this is " +
               value.text());
    return {};
  }
  return {amount, unit};
}

void TrainBlock::setDuration(const ast::Item &item) {
  result.settings.duration = needQuantity(valueOf(item), "`duration`");
}

void TrainBlock::setEvery(const ast::Item &item, Quantity &quantity) {
  quantity = needQuantity(valueOf(item), "`every`");
}

void TrainBlock::setSeed(const ast::Item &item) {
  Operand operand = valueOf(item);
  std::optional<int64_t> seed = evaluator.needInt(operand, "`seed`");
  if (!seed) return;
  if (*seed < 0)
    report(Kind::SettingRange, operand.span,
           "`seed` is not negative, and this is " + std::to_string(*seed));
  result.settings.seed = uint64_t(*seed);
}

void TrainBlock::setOptimizer(const ast::Item &item) {
  optimizer = valueOf(item);
  const Value &value = optimizer.value;
  if (value.isPoison() || value.is(ValueKind::OptimizerValue)) return;
  bool isBare = value.is(ValueKind::OptimizerType);
  Report message(report, Kind::SettingType, optimizer.span,
                 "`optimizer` is an optimizer with its arguments, and this is " +
                     (isBare ? "`" + value.text() + "` without them" : value.describe()));
  if (isBare) message.help("write `" + value.text() + "(...)`");
  if (!value.is(ValueKind::String)) return;
  std::string chosen = "Adam"; // or the one whose name is meant
  const ModuleFile *optim = evaluator.modules.findInLibrary("optim");
  for (const ast::Optimizer &known : optim->file->optimizers)
    if (inLowerCase(known.name.text) == inLowerCase(value.asString())) chosen = known.name.text;
  message.help("optimizers are called: `optim." + chosen + "(lr = 1e-3)`");
}

void TrainBlock::setKeep(const ast::Item &item) {
  Operand operand = valueOf(item);
  std::optional<int64_t> count = evaluator.needInt(operand, "`keep`");
  if (!count) return;
  result.settings.checkpointKeep = *count;
  if (*count < 1)
    report(Kind::SettingRange, operand.span,
           "`keep` is at least 1, and this is " + std::to_string(*count));
}

void TrainBlock::setTo(const ast::Item &item) {
  namespace fs = std::filesystem;
  Operand operand = valueOf(item);
  std::optional<std::string> path = evaluator.needString(operand, "`to`");
  if (!path) return;
  if (path->empty()) {
    report(Kind::SettingRange, operand.span, "`to` is the name of a folder, and this is empty");
    return;
  }
  fs::path file(std::string(evaluator.sources.path(item.span.file)));
  result.settings.checkpointTo =
      fs::absolute(file.parent_path() / *path).lexically_normal().string();
}

} // namespace dlm::sema
