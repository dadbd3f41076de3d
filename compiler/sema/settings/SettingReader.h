// Reads settings against their rows: which there are, whether one stands twice, and what each value
// may be. Words such as `auto` or `skip(limit = 3)` mean something in their setting only, so they
// are read from the tree, and never looked up as names of the program.
#pragma once

#include "compiler/sema/evaluate/Evaluator.h"
#include "compiler/sema/settings/SettingForm.h"
#include "compiler/sema/settings/SettingTable.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace dlm::sema {

/// A name in a setting that can be looked up only when more of the run is known.
struct Mention {
  std::string name;
  Span span;
  bool isMaximized = false; // a metric, of which the largest is wanted
};

class SettingReader {
public:
  SettingReader(Evaluator &evaluator, ScopePtr scope)
      : evaluator(evaluator), report(evaluator.report), scope(std::move(scope)) {}

  /// The row of an item that stands in `section`, if there is one and it is not set yet.
  const SettingRow *claim(const ast::Item &item, const std::string &section);
  /// The value as the row's form says; nothing if something was reported.
  std::optional<SettingValue> read(const ast::Item &item, const SettingRow &row);
  /// The values of a section of a train block.
  void readSection(const ast::Item &section, Settings &settings);
  /// Takes a value of a form that the caller knows.
  std::optional<SettingValue> readForm(const ast::Expr &expr, const SettingForm &form,
                                       const std::string &what);
  /// The number with a unit; nothing if something was reported.
  std::optional<SettingValue> readPeriod(const Operand &operand, const std::string &what);
  /// Puts the value where it belongs.
  static void store(const SettingRow &row, SettingValue value, Span span, Settings &settings);
  /// A folder or file beside the program; nothing if something was reported.
  std::optional<std::string> readPath(const ast::Item &item);

  std::map<std::string, Span> given;    // by path
  std::set<std::string> meant;          // settings that unknown ones stand for
  std::vector<Mention> metrics;         // named by settings
  std::vector<Mention> splitDimensions; // named by `split`

private:
  void reportUnknown(const ast::Item &item, const std::string &section);
  std::optional<SettingValue> readWord(const ast::Expr &expr, const ast::Expr &name,
                                       const SettingForm &form, const std::string &what);
  bool reportBareMetric(const ast::Expr &expr, const SettingForm &form, const std::string &what);
  std::optional<SettingValue> readArguments(const ast::Expr &call, const FormCase &word,
                                            SettingValue value);
  std::optional<SettingValue> readKind(const Operand &operand, const SettingForm &form,
                                       const std::string &what);
  std::optional<SettingValue> readCount(const Operand &operand, const std::string &kind,
                                        const std::string &what);
  std::optional<SettingValue> readNumber(const Operand &operand, const std::string &what);
  std::optional<SettingValue> readBytes(const Value &value, Span span, const std::string &what);
  std::optional<SettingValue> readMetric(const ast::Expr &expr, const SettingForm &form,
                                         const std::string &what);
  std::optional<SettingValue> readList(const ast::Expr &expr, const SettingForm &form,
                                       const std::string &what);
  std::optional<SettingValue> readSplit(const ast::Expr &expr);
  void adviseUnit(Report &message, const Operand &operand, const std::string &unit,
                  const std::string &examples);
  void wrongKind(const Operand &operand, const SettingForm &form, const std::string &what);

  Evaluator &evaluator;
  Reporter &report;
  ScopePtr scope;
};

/// Who holds the settings of a section, for messages: "a train block", "`memory`".
std::string settingHolder(const std::string &section);
/// The value as a program would write it: `skip(limit = 3)`.
std::string settingText(const SettingValue &value);

} // namespace dlm::sema
