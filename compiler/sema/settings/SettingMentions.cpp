// Names in settings that are looked up when the hooks are known: metrics, and dimensions that are
// to be split.
#include "compiler/sema/run/TrainBlock.h"

#include <algorithm>
#include <set>
#include <sstream>
#include <string>

namespace dlm::sema {

namespace {

/// Whether a name has one of the words: `top1_accuracy` has `accuracy`.
bool hasWord(const std::string &name, const std::set<std::string> &words) {
  std::stringstream parts(name);
  for (std::string part; std::getline(parts, part, '_');)
    if (words.count(part)) return true;
  return false;
}

/// Warns where the name of a metric says that the other direction is the better one.
void warnOfDirection(Reporter &report, const Mention &mention) {
  static const std::set<std::string> scores = {"acc", "accuracy",  "auc",    "bleu",   "f1",
                                               "iou", "precision", "recall", "correct"};
  static const std::set<std::string> faults = {"error", "errors",     "loss", "mae",
                                               "mse",   "perplexity", "rmse"};
  bool isScore = hasWord(mention.name, scores), isFault = hasWord(mention.name, faults);
  if (isScore == isFault) return; // it says neither, or both
  std::string quoted = "`" + mention.name + "`";
  if (isScore && !mention.isMaximized)
    report(Kind::MinimizedScore, mention.span,
           quoted + " is the better the larger it is, and the smallest is taken for the best")
        .help("take the maximum");
  if (isFault && mention.isMaximized)
    report(Kind::MaximizedLoss, mention.span,
           quoted + " is the better the smaller it is, and the largest is taken for the best")
        .help("take the minimum");
}

} // namespace

/// The terms of the losses, and the metrics if they are asked for. Each update has its own.
std::vector<std::string> TrainBlock::metricNames(bool hasMetrics) const {
  std::vector<std::string> names;
  auto addLoss = [&](const Graph &loss, const std::string &prefix) {
    names.push_back(prefix + "loss");
    for (const auto &entry : loss.results)
      if (entry.first != prefix + "loss") names.push_back(entry.first);
  };
  if (result.updates.empty()) addLoss(result.evaluationLoss, "");
  for (const Update &update : result.updates)
    addLoss(update.evaluationLoss, update.name + ".");
  if (!hasMetrics) return names;
  for (const auto &entry : result.metrics.results)
    names.push_back(entry.first);
  return names;
}

void TrainBlock::checkMetricNames(const std::vector<Mention> &mentions) {
  bool isKnown = !hooks.count("metrics") || !result.metrics.results.empty();
  if (result.updates.empty()) isKnown &= !result.evaluationLoss.results.empty();
  for (const Update &update : result.updates)
    isKnown &= !update.evaluationLoss.results.empty();
  if (!isKnown) return; // what is missing was reported
  std::vector<std::string> names = metricNames(true), losses = metricNames(false);
  for (const Mention &mention : mentions) {
    if (mention.isMaximized && std::count(losses.begin(), losses.end(), mention.name))
      report(Kind::MaximizedLoss, mention.span,
             "`" + mention.name + "` is a loss, and the largest is taken for the best")
          .help("a loss is the better the smaller it is: take the minimum, or a metric");
    if (std::count(names.begin(), names.end(), mention.name)) {
      bool isLoss = std::count(losses.begin(), losses.end(), mention.name) != 0;
      if (!isLoss) warnOfDirection(report, mention);
      continue;
    }
    std::string name = mention.name.substr(mention.name.rfind('.') + 1);
    if (unknownResults.count(name)) continue; // what is wrong with it was reported
    report(Kind::UnknownMetric, mention.span,
           mention.name.empty() ? "`validation` is no metric by itself"
                                : "the run has no metric `" + mention.name + "`")
        .nearestOrAll("a metric", mention.name, mention.span, names);
  }
}

/// A dimension that is split has to be there, and to be a multiple of the workers.
void TrainBlock::checkSplits() {
  std::multimap<std::string, std::pair<int64_t, Span>> sizes;
  std::set<std::string> names;
  for (const Parameter &parameter : evaluator.program.parameters)
    for (const Dim &dim : parameter.type.dims) {
      if (dim.name.empty()) continue;
      names.insert(dim.name);
      if (dim.isWhole()) sizes.emplace(dim.name, std::make_pair(dim.size(), parameter.span));
    }
  // A model of data that is not there has no parameters, and that was reported.
  if (names.empty() && report.diagnostics.errorCount() > 0) return;
  int64_t workers = 1;
  for (const Setting &setting : result.settings.others)
    if (setting.path == "parallel.tensor") workers = int64_t(setting.value.number);
  for (const Mention &mention : settings.splitDimensions) {
    if (!names.count(mention.name)) {
      report(Kind::UnknownDimension, mention.span,
             "no parameter has a dimension named `" + mention.name + "`")
          .nearestOrAll("a dimension", mention.name, mention.span, {names.begin(), names.end()});
      continue;
    }
    auto [size, end] = sizes.equal_range(mention.name);
    while (size != end && size->second.first % workers == 0)
      ++size;
    if (size == end) continue;
    report(Kind::SettingRange, mention.span,
           "`" + mention.name + "` is " + std::to_string(size->second.first) +
               ", not a multiple of `tensor`, which is " + std::to_string(workers))
        .secondary(settings.given["parallel.tensor"], "the workers of a tensor")
        .note(report.placeToShow(size->second.second), "the dimension is one of this parameter");
  }
}

} // namespace dlm::sema
