// `search` and `export`: what is derived from a run. They are checked with the run they name.
#pragma once

#include "compiler/sema/settings/SettingReader.h"

#include <optional>
#include <string>
#include <vector>

namespace dlm::sema {

/// Reports searches and exports that name no train block of the file.
void checkDerivedNames(const ast::File &file, Reporter &report);

class SearchCheck {
public:
  SearchCheck(Evaluator &evaluator, const ast::Derived &search, const ScopePtr &scope)
      : evaluator(evaluator), report(evaluator.report), search(search), scope(scope),
        settings(evaluator, scope) {}

  /// The search; only meaningful if nothing was reported. Metrics that it names are in
  /// `settings.metrics`.
  Search check();

private:
  void addOption(const ast::Item &item);
  bool readRange(const ast::Expr &call, const Option &option, SearchOption &result);
  bool readValues(const ast::Expr &list, const Option &option, SearchOption &result);
  bool checkLimits(const ast::Expr &call, const Option &option, const SearchOption &range);
  void setObjective(const ast::Item &item, bool isMaximized);

  Evaluator &evaluator;
  Reporter &report;
  const ast::Derived &search;
  const ScopePtr &scope;
  Search result;

public:
  SettingReader settings;
};

/// Checks an export in the scope of its train block.
Export checkExport(Evaluator &evaluator, const ast::Derived &derived, const ScopePtr &scope);

} // namespace dlm::sema
