// `command`: an entry point of the executable. Its arguments are flags, so they are known when it
// is called; whole numbers may be sizes, if the command says how large they get.
#pragma once

#include "compiler/sema/evaluate/Evaluator.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace dlm::sema {

class CommandCheck {
public:
  CommandCheck(Evaluator &evaluator, const ast::Item &item, const ScopePtr &scope)
      : evaluator(evaluator), report(evaluator.report), function(*item.function), outer(scope),
        inner(evaluator.makeScope(scope)) {}

  /// The command; only meaningful if nothing was reported.
  Command check();

private:
  void checkName();
  void addArgument(const ast::Param &param);
  Value argumentValue(const CommandArgument &argument);
  /// The symbol of how many bytes a string has.
  std::string lengthName(const CommandArgument &argument) const {
    return result.name + "." + argument.name + ".length";
  }
  std::string defaultText(const ast::Param &param, const std::string &type);
  /// The conditions on arguments, which are bounds when the program is compiled and are tested when
  /// the command is called.
  void readBounds();
  bool readBound(const ast::Expr &condition, const ast::Stmt &statement);
  void bound(CommandArgument &argument, const std::string &op, int64_t limit);
  void addResults(GraphBuilder &graph, const Value &value, Span span);
  void addResult(GraphBuilder &graph, const std::string &name, const Value &value, Span span);
  void boundBelow(CommandArgument &argument, const Extent &size);
  void checkSizes(const Graph &graph);
  /// What the graph's sizes are made of, and how large each gets.
  void noteBounds();
  void addTokenCounts();
  /// What a command does without flags has to be something that it accepts.
  void checkDefaults();

  Evaluator &evaluator;
  Reporter &report;
  const ast::Function &function;
  ScopePtr outer;
  ScopePtr inner;
  Command result;
  std::map<std::string, Number> defaults; // of arguments that are numbers
  std::set<const ast::Stmt *> tests;      // conditions that are tested at each call
  std::vector<CommandTest> tokenTests;
  std::set<std::string> isBoundedBelow; // arguments whose least value the program says
  std::map<std::string, int64_t> sizes; // arguments that sizes are made of: the least they can be
};

} // namespace dlm::sema
