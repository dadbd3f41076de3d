// Checks a `train` block: its settings and sections against a closed list, its hooks, and the
// optimizer's rule. What is known to the language but has no machinery yet is reported by name.
#pragma once

#include "compiler/sema/Evaluator.h"

#include <map>
#include <string>

namespace dlm::sema {

class TrainBlock {
public:
  TrainBlock(Evaluator &evaluator, const ast::Train &train, const ScopePtr &fileScope)
      : evaluator(evaluator), report(evaluator.report), train(train),
        scope(evaluator.makeScope(fileScope)) {}

  /// The run as a typed program; only meaningful if nothing was reported.
  TypedProgram check();

private:
  friend struct SettingRow;

  // TrainBlock: the items.
  void checkItems();
  void checkLet(const ast::Item &item);
  void checkFunction(const ast::Item &item);
  void checkSetting(const ast::Item &item);
  void checkSection(const ast::Item &item);
  void checkMissing();

  // RunSettings: the values of settings.
  void setData(const ast::Item &item);
  void setBatch(const ast::Item &item);
  void setMicro(const ast::Item &item);
  void setDuration(const ast::Item &item);
  void setSeed(const ast::Item &item);
  void setOptimizer(const ast::Item &item);
  void setEvery(const ast::Item &item, Quantity &quantity);
  void setKeep(const ast::Item &item);
  void setTo(const ast::Item &item);
  void setEvaluateEvery(const ast::Item &item) { setEvery(item, result.settings.evaluateEvery); }
  void setCheckpointEvery(const ast::Item &item) {
    setEvery(item, result.settings.checkpointEvery);
  }
  Quantity needQuantity(const Operand &operand, const std::string &what);
  Operand valueOf(const ast::Item &item);
  void checkBatchFits();
  /// Sizes such as `batch / 32` are whole only for some batches.
  void checkBatchMultiple();

  // RunGraphs: the hooks.
  Graph checkLoss(bool training);
  Graph checkMetrics();
  Value runHook(const ast::Function &hook);
  void addResult(GraphBuilder &graph, const std::string &name, const Operand &operand, bool isLoss);
  void addResults(GraphBuilder &graph, const Value &value, const ast::Function &hook, bool isLoss);
  void checkCoupling(const Graph &graph);
  void checkEvaluation(const Graph &graph, bool isLoss);
  void checkScale(const Graph &graph);
  void checkGradients(const Graph &graph);
  /// Tensors that no machine could hold.
  void checkSizes();

  // OptimizerRule.
  OptimizerRule checkOptimizer(const Operand &operand);
  void addStates(const ast::Optimizer &declaration, const ScopePtr &inner, OptimizerRule &rule);
  void checkPointwise(const Graph &graph, const ast::Optimizer &declaration);

  Evaluator &evaluator;
  Reporter &report;
  const ast::Train &train;
  ScopePtr scope;
  TypedProgram result;
  std::map<std::string, Span> given;                  // settings and sections, by name
  std::map<std::string, const ast::Function *> hooks; // loss, metrics
  Operand optimizer;
  std::shared_ptr<const DataSource> data;
};

} // namespace dlm::sema
