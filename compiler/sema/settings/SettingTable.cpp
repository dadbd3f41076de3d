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

void storeClipNorm(Settings &settings, const SettingValue &value) {
  settings.clipNorm = value.kind == SettingValue::Word ? 0 : value.number;
}

void storeEvaluateEvery(Settings &settings, const SettingValue &value) {
  settings.evaluateEvery = quantityOf(value);
}

void storeCheckpointEvery(Settings &settings, const SettingValue &value) {
  settings.checkpointEvery = quantityOf(value);
}

void storeLight(Settings &settings, const SettingValue &value) {
  settings.checkpointLight = quantityOf(value);
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
      {"train", "data", "SOURCE"},
      {"train", "batch", "BATCH"},
      {"train", "micro", "COUNT | auto", storeMicro},
      {"train", "optimizer", "OPTIMIZER"},
      {"train", "duration", "PERIOD", storeDuration},
      {"train", "seed", "WHOLE", storeSeed},
      {"train", "clip_norm", "NUMBER | none", storeClipNorm},
      {"train", "precision", "f32 | f16 | bf16 | mixed(type: f16 | bf16)"},

      {"memory", "budget", "BYTES | auto"},
      {"memory", "recompute", "auto | none | full"},

      {"parallel", "data", "COUNT | auto"},
      {"parallel", "tensor", "COUNT"},
      {"parallel", "shard", "none | optimizer | gradients | parameters"},
      {"parallel", "split", "SPLIT"},

      {"evaluate", "every", "PERIOD", storeEvaluateEvery},
      {"evaluate", "batches", "COUNT | all"},
      {"evaluate", "keep_best", "minimum(of: METRIC) | maximum(of: METRIC)"},
      {"evaluate", "patience", "PERIOD"},

      {"checkpoint", "every", "PERIOD", storeCheckpointEvery},
      {"checkpoint", "keep", "COUNT", storeKeep},
      {"checkpoint", "to", "FOLDER"},
      {"checkpoint", "light", "PERIOD", storeLight},

      {"guard", "nonfinite", "skip(limit: COUNT = 3) | stop", storeNonfinite},
      {"guard", "spike", "ignore | skip(sigma: NUMBER = 6) | rollback(sigma: NUMBER = 6)"},

      {"report", "every", "PERIOD"},
      {"report", "tensorboard", "TEXT"},
      {"report", "prometheus", "PORT"},
      {"report", "mlflow", "TEXT | env(name: TEXT)"},

      {"update", "of", "MODELS"},
      {"update", "repeat", "COUNT"},
      {"update", "every", "COUNT"},
      {"update", "optimizer", "OPTIMIZER"},
      {"update", "clip_norm", "NUMBER | none"},

      {"search", "strategy",
       "[grid(coarse: COUNT = 3) | random(trials: COUNT) | bayes(trials: COUNT)]"},
      {"search", "minimize", "METRIC"},
      {"search", "maximize", "METRIC"},

      {"export", "model", "MODELS"},
      {"export", "onnx", "TEXT"},
      {"export", "safetensors", "TEXT"},
      {"export", "precision", "f32 | f16 | bf16"},
      {"export", "quantize", "none | i8 | i4"},
  };
  return rows;
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
