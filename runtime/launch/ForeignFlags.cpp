// Two tables: words for a flag that every program has, and words for a value that a program may
// have an option for. Names are compared without `-` and `_`.
#include "runtime/launch/ForeignFlags.h"

#include <algorithm>
#include <map>

namespace dlm {

namespace {

/// `VALUE` stands for what was given.
const std::map<std::string, std::string> &flagsHere() {
  static const std::map<std::string, std::string> table = {
      {"checkpoint", "--from PATH names a checkpoint, --to DIR the folder for new ones"},
      {"checkpointdir", "--to DIR"},
      {"ckpt", "--from PATH names a checkpoint, --to DIR the folder for new ones"},
      {"continue", "--resume"},
      {"cores", "--threads VALUE"},
      {"cuda", "--device cuda, of programs that `dlmc --target=cuda` made"},
      {"dataset", "--data PATH"},
      {"epochs", "--duration \"VALUE epochs\""},
      {"file", "--data PATH"},
      {"gpu", "--device cuda, of programs that `dlmc --target=cuda` made"},
      {"input", "--data PATH"},
      {"iterations", "--steps VALUE"},
      {"iters", "--steps VALUE"},
      {"load", "--from PATH"},
      {"logdir", "--to DIR"},
      {"maxepochs", "--duration \"VALUE epochs\""},
      {"maxiters", "--steps VALUE"},
      {"maxsteps", "--steps VALUE"},
      {"minutes", "--duration \"VALUE min\""},
      {"model", "--from PATH"},
      {"numepochs", "--duration \"VALUE epochs\""},
      {"numsteps", "--steps VALUE"},
      {"numthreads", "--threads VALUE"},
      {"numworkers", "--loader-threads VALUE"},
      {"out", "--to PATH"},
      {"output", "--to PATH"},
      {"outputdir", "--to DIR"},
      {"randomseed", "--seed VALUE"},
      {"restore", "--resume, or --from PATH"},
      {"resumefrom", "--resume, with --to DIR for the folder"},
      {"savedir", "--to DIR"},
      {"time", "--duration \"VALUE min\""},
      {"workers", "--loader-threads VALUE"}};
  return table;
}

/// What a program calls its option for it, the first that it has; then how a program would write
/// one.
struct ValueWords {
  std::vector<std::string> words, options;
  std::string what, line;
};

const std::vector<ValueWords> &valuesOfPrograms() {
  static const std::vector<ValueWords> table = {{{"learningrate", "lr", "rate", "peaklr"},
                                                 {"lr", "learning_rate", "rate"},
                                                 "the learning rate",
                                                 "option lr = 1e-3"},
                                                {{"batchsize", "batch", "bs"},
                                                 {"batch_size", "batch", "rows"},
                                                 "the size of the batch",
                                                 "option batch_size = 64"},
                                                {{"weightdecay", "wd", "decay"},
                                                 {"weight_decay", "decay", "wd"},
                                                 "the weight decay",
                                                 "option weight_decay = 0.01"},
                                                {{"dropout", "droprate", "drop"},
                                                 {"dropout", "drop", "rate"},
                                                 "the share that is dropped",
                                                 "option dropout = 0.1"},
                                                {{"hidden", "hiddensize", "hiddendim", "width"},
                                                 {"width", "hidden"},
                                                 "the number of hidden units",
                                                 "option width = 64"}};
  return table;
}

bool holds(const std::vector<std::string> &list, const std::string &word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

} // namespace

std::string plainFlagWord(std::string name) {
  name.erase(std::remove_if(name.begin(), name.end(), [](char c) { return c == '-' || c == '_'; }),
             name.end());
  return name;
}

std::string foreignFlagAdvice(const std::string &name, const std::string &value,
                              const std::vector<std::string> &options) {
  std::string word = plainFlagWord(name);
  for (const ValueWords &row : valuesOfPrograms()) {
    if (!holds(row.words, word)) continue;
    for (const std::string &option : row.options)
      if (holds(options, option))
        return "here that is --" + option + " " + (value.empty() ? "VALUE" : value);
    return row.what + " is no option of this program; `" + row.line +
           "` in its text would make it one";
  }
  if (word == "patience" || word == "earlystopping")
    return "the program says it: `evaluate { every = 1 epochs; keep_best = "
           "minimum(validation.loss); patience = 5 epochs }`";
  auto found = flagsHere().find(word);
  if (found == flagsHere().end()) return "";
  std::string text = found->second;
  size_t place = text.find("VALUE");
  if (place != std::string::npos && !value.empty()) text.replace(place, 5, value);
  return "here that is " + text;
}

std::string foreignCommand(const std::string &name) {
  static const std::map<std::string, std::string> table = {
      {"benchmark", "bench"}, {"evaluate", "eval"}, {"fit", "train"},         {"infer", "predict"},
      {"profile", "bench"},   {"resume", "train"},  {"run", "train"},         {"score", "eval"},
      {"summary", "info"},    {"test", "eval"},     {"transform", "predict"}, {"validate", "eval"}};
  auto found = table.find(name);
  return found == table.end() ? "" : found->second;
}

} // namespace dlm
