// The rows, in the order in which a program would write them.
#include "compiler/sema/settings/SettingTable.h"

#include <algorithm>

namespace dlm::sema {

namespace {

Quantity quantityOf(const SettingValue &value) { return {value.number, value.unit}; }

void storeMicro(Settings &settings, const SettingValue &value) {
  settings.micro = value.kind == SettingValue::Word ? 0 : int64_t(value.number);
}

void storeDuration(Settings &settings, const SettingValue &value) {
  settings.duration = quantityOf(value);
}

void storeSeed(Settings &settings, const SettingValue &value) {
  settings.seed = uint64_t(value.number);
}

void storeEvaluateEvery(Settings &settings, const SettingValue &value) {
  settings.evaluateEvery = quantityOf(value);
}

void storeCheckpointEvery(Settings &settings, const SettingValue &value) {
  settings.checkpointEvery = quantityOf(value);
}

void storeKeep(Settings &settings, const SettingValue &value) {
  settings.checkpointKeep = int64_t(value.number);
}

void storeNonfinite(Settings &settings, const SettingValue &value) {
  settings.skipLimit = value.text == "stop" ? 0 : int64_t(value.parts[0].second.number);
}

} // namespace

std::string SettingRow::path() const {
  bool isBare = std::string(section) == "train";
  return isBare ? name : std::string(section) + "." + name;
}

const std::vector<SettingRow> &settingRows() {
  static const std::vector<SettingRow> rows = {
      {"train", "data", "SOURCE", "", "where samples come from"},
      {"train", "batch", "BATCH", "", "samples of a step, over all workers"},
      {"train", "micro", "COUNT | auto", "auto", "samples computed at once; `batch` is a multiple",
       storeMicro},
      {"train", "optimizer", "OPTIMIZER", "", "how parameters change"},
      {"train", "duration", "PERIOD", "", "when the run is complete", storeDuration},
      {"train", "seed", "WHOLE", "1", "decides initial parameters, order and randomness",
       storeSeed},
      {"train", "clip_norm", "NUMBER | none", "none", "the longest gradient of a step"},
      {"train", "precision", "f32 | f16 | bf16 | mixed(type: f16 | bf16)", "f32",
       "the type of products and stored activations; mixed keeps parameters in f32"},

      {"memory", "budget", "BYTES | auto", "auto", "the most memory a worker may take"},
      {"memory", "recompute", "auto | none | full", "auto",
       "which activations are computed again instead of stored"},

      {"parallel", "data", "COUNT | auto", "auto", "workers that share a batch"},
      {"parallel", "tensor", "COUNT", "1", "workers that share each large tensor"},
      {"parallel", "shard", "none | optimizer | gradients | parameters", "none",
       "what the workers of a batch divide instead of each holding all of it"},
      {"parallel", "split", "SPLIT", "", "which named dimensions are cut over which workers"},

      {"evaluate", "every", "PERIOD", "only at the end", "when a run is evaluated",
       storeEvaluateEvery},
      {"evaluate", "batches", "COUNT | all", "all", "batches of an evaluation on the way"},
      {"evaluate", "keep_best", "minimum(of: METRIC) | maximum(of: METRIC)", "",
       "which evaluation was the best; its checkpoint stays"},
      {"evaluate", "patience", "PERIOD", "", "the run ends after so long without a new best"},

      {"checkpoint", "every", "PERIOD", "10min, and at the end", "when the run is saved",
       storeCheckpointEvery},
      {"checkpoint", "keep", "COUNT", "3", "how many checkpoints stay", storeKeep},
      {"checkpoint", "to", "FOLDER", "runs/NAME", "where; relative to the program's file"},
      {"checkpoint", "light", "PERIOD", "", "when parameters alone are saved, in between"},

      {"guard", "nonfinite", "skip(limit: COUNT = 3) | stop", "skip(limit = 3)",
       "what follows an update that is not finite", storeNonfinite},
      {"guard", "spike", "ignore | skip(sigma: NUMBER = 6) | rollback(sigma: NUMBER = 6)", "ignore",
       "what follows a loss far outside of the usual"},

      {"report", "every", "PERIOD", "", "how often numbers are reported"},
      {"report", "tensorboard", "TEXT", "", "a folder for event files of TensorBoard"},
      {"report", "prometheus", "PORT", "", "a port at which numbers can be asked for"},
      {"report", "mlflow", "TEXT | env(name: TEXT)", "", "the address of an MLflow server"},

      {"update", "of", "MODELS", "", "the models it changes; all others are constant to it"},
      {"update", "repeat", "COUNT", "1", "how often it is made in a step, on fresh data"},
      {"update", "every", "COUNT", "1", "it is made in every n-th step only"},
      {"update", "optimizer", "OPTIMIZER", "", "how the parameters of its models change"},
      {"update", "clip_norm", "NUMBER | none", "none", "the longest gradient of the update"},

      {"search", "strategy",
       "[grid(coarse: COUNT = 3) | random(trials: COUNT) | bayes(trials: COUNT)]",
       "random(trials = 20)", "how values are chosen; several, one after the other"},
      {"search", "minimize", "METRIC", "", "what the best run has least of"},
      {"search", "maximize", "METRIC", "", "what the best run has most of"},

      {"export", "model", "MODELS", "", "the model that leaves"},
      {"export", "onnx", "TEXT", "", "an ONNX file; relative to the program's file"},
      {"export", "safetensors", "TEXT", "", "a safetensors file; relative to the program's file"},
      {"export", "precision", "f32 | f16 | bf16", "f32", "the type of its tensors"},
      {"export", "quantize", "none | i8 | i4", "none", "the type of its weights"},
  };
  return rows;
}

const std::vector<SettingInfo> &settingInfos() {
  static const std::vector<SettingInfo> infos = [] {
    std::vector<SettingInfo> result;
    for (const SettingRow &row : settingRows())
      result.push_back({row.section, row.name, row.form, row.byDefault, row.doc});
    return result;
  }();
  return infos;
}

const SettingRow *findSetting(const std::string &section, const std::string &name) {
  const std::vector<SettingRow> &rows = settingRows();
  auto found = std::find_if(rows.begin(), rows.end(), [&](const SettingRow &row) {
    return section == row.section && name == row.name;
  });
  return found == rows.end() ? nullptr : &*found;
}

std::vector<std::string> settingNames(const std::string &section) {
  std::vector<std::string> result;
  for (const SettingRow &row : settingRows())
    if (section == row.section) result.push_back(row.name);
  return result;
}

const std::vector<std::string> &sectionNames() {
  static const std::vector<std::string> names = {"memory",     "parallel", "evaluate",
                                                 "checkpoint", "guard",    "report"};
  return names;
}

} // namespace dlm::sema
