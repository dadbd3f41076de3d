// One row for each group of names.
#include "compiler/sema/settings/ForeignSettings.h"

#include <algorithm>
#include <map>

namespace dlm::sema {

namespace {

/// What is trained, on what, and how long.
const std::vector<ForeignSetting> &settingsOfTraining() {
  static const std::vector<ForeignSetting> rows = {
      {{"batch_size", "batchsize", "bs", "train_batch_size", "global_batch_size"}, "batch", ""},
      {{"micro_batch", "micro_batch_size"}, "micro", ""},
      {{"clip_grad_norm", "gradient_clip_norm", "grad_clip_norm", "max_grad_norm"},
       "clip_norm",
       ""},
      {{"grad_clip", "clip_grad", "gradient_clip", "gradient_clip_val", "max_norm", "clip"},
       "clip_norm",
       "`clip_norm = @` limits the norm of all gradients together"},
      {{"dataset"}, "data", ""},
      {{"optim"}, "optimizer", ""},
      {{"random_seed", "random_state"}, "seed", ""},
      {{"lr", "learning_rate"},
       "optimizer",
       "the optimizer has a learning rate: `optimizer = optim.Adam(lr = @)`"},
      {{"weight_decay", "momentum", "betas", "eps"},
       "",
       "it is an argument of the optimizer: `optimizer = optim.AdamW(...)`"},
      {{"scheduler", "lr_scheduler", "lr_schedule", "warmup", "warmup_steps"},
       "",
       "the learning rate may be a schedule: `lr = schedule.cosine(1e-3, warmup = 100 steps)`"},
      {{"epochs", "epoch", "num_epochs", "max_epochs", "n_epochs"},
       "duration",
       "write `duration = @ epochs`"},
      {{"steps", "max_steps", "num_steps", "train_steps", "iterations", "max_iters", "num_iters"},
       "duration",
       "write `duration = @ steps`"},
      {{"accumulate", "accumulation_steps", "gradient_accumulation_steps",
        "accumulate_grad_batches"},
       "",
       "`batch` is what a step counts, `micro` what is computed at once; the rest follows"},
      {{"train_data", "dataloader", "train_loader", "loader"},
       "data",
       "write `data = SOURCE`, such as `data.idx(\"folder\")`"},
      {{"net", "network", "model", "module"},
       "",
       "models are made by `let`, with any name: `let net = ...`"},
      {{"loss", "loss_fn", "criterion", "objective"},
       "loss",
       "the loss is a function: `fn loss(batch) { ... }`"},
      {{"metric", "metrics"}, "", "metrics are a function: `fn metrics(batch) { (name = ...) }`"},
      {{"dtype", "amp", "fp16", "bf16", "mixed_precision", "autocast"},
       "",
       "write `precision = mixed(bf16)`"},
  };
  return rows;
}

/// What happens around it.
const std::vector<ForeignSetting> &settingsOfRuns() {
  static const std::vector<ForeignSetting> rows = {
      {{"device", "devices", "gpus", "accelerator"},
       "",
       "the program says nothing of devices: `dlmc --target` and the flags of the executable do"},
      {{"workers", "num_workers", "world_size"},
       "",
       "write `parallel { data = auto }`; loading the data needs no setting"},
      {{"eval_every", "eval_steps", "val_interval", "val_check_interval", "validate_every"},
       "",
       "write `evaluate { every = 500 steps }`"},
      {{"save_every", "save_steps", "checkpoint_every"},
       "",
       "write `checkpoint { every = 10min }`"},
      {{"output_dir", "save_dir", "checkpoint_dir", "out_dir"},
       "",
       "write `checkpoint { to = @ }`"},
      {{"save_total_limit", "keep_last", "max_to_keep"}, "", "write `checkpoint { keep = @ }`"},
      {{"early_stopping", "early_stop", "callbacks", "patience", "restore_best_weights",
        "save_best_only", "keep_best", "load_best_model_at_end"},
       "",
       "write `evaluate { every = 1 epochs; keep_best = minimum(validation.loss); patience = 5 "
       "epochs }`"},
      {{"log_every", "logging_steps", "log_interval", "log_dir", "logger", "wandb"},
       "",
       "write `report { ... }`"},
      {{"validation", "validation_split", "val_split", "validation_data"},
       "",
       "it belongs to the source: `data.idx(\"folder\", validation = 10%)`"},
      {{"ema", "ema_decay", "averaging", "swa"},
       "",
       "the average of the parameters is a model: `ema(net, decay = 0.999)` in `fn metrics` or `fn "
       "predict`"},
      {{"dropout", "dropout_rate", "drop_rate"},
       "",
       "it belongs to the model: `x |> layer |> dropout(0.1)` in its `fn forward`"},
      {{"shuffle"}, "", "each epoch is in an order of its own, made from `seed`"},
      {{"resume", "resume_from"}, "", "the executable resumes: `./program train --resume`"},
  };
  return rows;
}

} // namespace

const ForeignSetting *findForeignSetting(const std::string &name) {
  for (const auto *rows : {&settingsOfTraining(), &settingsOfRuns()})
    for (const ForeignSetting &row : *rows)
      if (std::count(row.names.begin(), row.names.end(), name)) return &row;
  return nullptr;
}

std::string settingWordHere(const std::string &word) {
  static const std::map<std::string, const char *> words = {
      {"bfloat16", "bf16"},    {"fp16", "f16"},        {"fp32", "f32"},        {"float16", "f16"},
      {"float32", "f32"},      {"half", "f16"},        {"highest", "maximum"}, {"int4", "i4"},
      {"int8", "i8"},          {"largest", "maximum"}, {"lowest", "minimum"},  {"max", "maximum"},
      {"min", "minimum"},      {"most", "maximum"},    {"least", "minimum"},   {"off", "none"},
      {"smallest", "minimum"}, {"single", "f32"},      {"never", "none"},
  };
  auto found = words.find(word);
  return found == words.end() ? "" : found->second;
}

std::string foreignSettingAdvice(const ForeignSetting &row, const std::string &value) {
  constexpr size_t shownMax = 40;
  std::string text = row.advice;
  size_t at = text.find('@');
  bool isShort = !value.empty() && value.size() <= shownMax;
  if (at != std::string::npos) text.replace(at, 1, isShort ? value : "...");
  return text;
}

} // namespace dlm::sema
