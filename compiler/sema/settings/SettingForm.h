// What a setting takes, as a short text that both people and the checker read:
//
//   "COUNT | auto"                     a whole number from 1 on, or the word `auto`
//   "skip(limit: COUNT = 3) | stop"    a word with an argument, or another word
//   "[grid(...) | bayes(...)]"         one of these, or a list of them
//
// Kinds of values are in capitals: COUNT WHOLE NUMBER BYTES PERIOD TEXT PORT METRIC.
#pragma once

#include <string>
#include <vector>

namespace dlm::sema {

struct FormArgument;

/// A kind of value, or a word with its arguments.
struct FormCase {
  std::string name;
  bool isKind = false;
  std::vector<FormArgument> arguments;

  /// `mixed(bf16)`, with what has to be given.
  std::string example() const;
};

struct SettingForm {
  std::vector<FormCase> cases;
  bool isList = false; // one value, or a list of them

  bool takes(const std::string &kind) const;
  const FormCase *findWord(const std::string &word) const;
  std::vector<std::string> words() const;
  /// "a whole number or `auto`".
  std::string describe() const;
  /// A value of the form, as a program might write it.
  std::string example() const;
};

struct FormArgument {
  std::string name;
  SettingForm form;
  std::string byDefault; // empty: it has to be given
};

/// Reads the text of a form, which is well formed.
SettingForm parseForm(const std::string &text);

} // namespace dlm::sema
