// Checks a `train` block: its settings and sections against a closed list, its hooks, and the
// optimizer's rule.
#pragma once

#include "compiler/sema/evaluate/Evaluator.h"
#include "compiler/sema/run/OptimizerGroups.h"
#include "compiler/sema/settings/SettingReader.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace dlm::sema {

class TrainBlock {
public:
  TrainBlock(Evaluator &evaluator, const ast::Train &train, const ScopePtr &fileScope)
      : evaluator(evaluator), report(evaluator.report), train(train),
        scope(evaluator.makeScope(fileScope)), settings(evaluator, scope) {}

  /// The run as a typed program, with the file's searches and exports of it; only meaningful if
  /// nothing was reported.
  TypedProgram check(const ast::File &file);

private:
  // TrainBlock: the items.
  void checkItems();
  void checkLet(const ast::Item &item);
  /// Whether a setting is a `let` whose word was forgotten.
  bool isForgottenLet(const ast::Item &item) const;
  void checkForgottenLet(const ast::Item &item);
  void checkFunction(const ast::Item &item);
  void checkSetting(const ast::Item &item);
  void checkSection(const ast::Item &item);
  void checkCommands();
  void checkDerived(const ast::File &file);
  void checkMissing();
  /// Notes which parameters belong to models that are not trained.
  void findHeld();
  /// Whether a name may be used by a hook or an export, and not only by `let`s of the run.
  bool isUsedOutsideOfLets(const std::string &name) const;
  /// What belongs to another run and cannot be reached from this one is no part of it.
  void dropUnusedParts(const std::set<std::string> &found);
  std::set<std::string> allParameters() const;

  // RunSettings: the values of settings.
  void setData(const ast::Item &item);
  void setBatch(const ast::Item &item);
  void setOptimizer(const ast::Item &item);
  Operand valueOf(const ast::Item &item);
  void checkBatchFits();
  /// Sizes such as `batch / 32` are whole only for some batches.
  void checkBatchMultiple();
  void checkLastGroup();

  // RunPeriods.
  void checkPeriods();
  void convertTokens(Quantity &period, const std::string &path);
  std::optional<double> stepsOf(const Quantity &period) const;
  bool isShorter(const Quantity &period, const Quantity &other) const;
  bool endsWithin(const Quantity &period) const;
  void checkSchedules(const std::vector<ast::Item> &items);

  // BestEvaluation.
  void checkBest();
  void checkPatience();

  // SettingMentions: names in settings.
  std::vector<std::string> metricNames(bool hasMetrics) const;
  void checkMetricNames(const std::vector<Mention> &mentions);
  void checkSplits();

  // Coupling: samples that meet.
  void checkCoupling(const Graph &graph);
  void checkEvaluation(const Graph &graph, bool isLoss);

  // RunBuffers.
  void checkBuffers();
  void warnOfStreams(const Buffer &buffer);

  // Predictions.
  void checkPredict();
  void addPrediction(GraphBuilder &graph, Command &predict, const std::string &name,
                     const Operand &operand);

  // RunGraphs: the hooks.
  Graph checkLoss(const ast::Function &hook, bool training, const std::set<std::string> &trained);
  Graph checkMetrics();
  Value runHook(const ast::Function &hook);
  void addResult(GraphBuilder &graph, const std::string &name, const Operand &operand, bool isLoss);
  void addResults(GraphBuilder &graph, const Value &value, const ast::Function &hook, bool isLoss);
  void reportTwoMeanings(const std::string &name);
  void checkScale(const Graph &graph);
  void checkGradients(const Graph &graph, const ast::Function &hook,
                      const std::set<std::string> &trained);
  /// Warns of parameters, those of one layer together: "no gradient reaches the parameters ...".
  /// Reports the models of the run that are not used at all; returns the other paths.
  std::set<std::string> reportUnusedModels(std::set<std::string> paths, const std::string &why);
  void reportUnused(const std::set<std::string> &paths, const std::string &why);
  /// Tensors that no machine could hold.
  void checkSizes();

  void checkOptimizer();

  // UpdateBlocks.
  void checkUpdates();
  void checkUpdate(const ast::Item &item);
  void checkBeside();
  bool isChangeable(const Operand &operand);
  void reportHeld(const Operand &operand, const Marker &marker);
  std::optional<std::set<std::string>> parametersOf(const Operand &operand);
  void reportUnchanged();
  void checkUpdateNames();
  std::vector<std::string> changeableModels() const;
  std::string adviceOnModels() const;
  std::string adviceOnOthers(const std::set<std::string> &paths) const;

  Evaluator &evaluator;
  Reporter &report;
  const ast::Train &train;
  ScopePtr scope;
  TypedProgram result;
  SettingReader settings;
  std::map<std::string, const ast::Function *> hooks; // loss, metrics, predict
  std::set<std::string> unknownResults;               // of them: what was not understood
  std::vector<const ast::Item *> updates, commands;
  bool isInUpdate = false;
  std::set<std::pair<uint32_t, uint32_t>> meetings; // places of samples that meet, reported
  unsigned optimizerErrors = 0;                     // they say nothing about the loss
  OptimizerChoice optimizer;
  std::shared_ptr<const DataSource> data;
};

/// A period as a program would write it.
std::string periodText(const Quantity &period);
/// A hook with another number of parameters than one.
void reportHookParameters(Reporter &report, const ast::Function &function, bool isOptimizer);

} // namespace dlm::sema
