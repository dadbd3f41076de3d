// A reader by descent; forms are written in the compiler and have no errors.
#include "compiler/sema/settings/SettingForm.h"

#include <algorithm>
#include <cctype>
#include <map>

namespace dlm::sema {

namespace {

class FormReader {
public:
  explicit FormReader(const std::string &text) : text(text) {}

  SettingForm form() {
    SettingForm result;
    result.isList = take('[');
    do
      result.cases.push_back(oneCase());
    while (take('|'));
    if (result.isList) take(']');
    return result;
  }

private:
  FormCase oneCase() {
    FormCase result;
    result.name = word();
    result.isKind = std::isupper(static_cast<unsigned char>(result.name[0])) != 0;
    if (!take('(')) return result;
    do {
      FormArgument argument;
      argument.name = word();
      take(':');
      argument.form = form();
      if (take('=')) argument.byDefault = word();
      result.arguments.push_back(std::move(argument));
    } while (take(','));
    take(')');
    return result;
  }

  void skipSpace() {
    while (at < text.size() && text[at] == ' ')
      ++at;
  }

  bool take(char c) {
    skipSpace();
    bool isThere = at < text.size() && text[at] == c;
    at += isThere;
    return isThere;
  }

  std::string word() {
    skipSpace();
    size_t begin = at;
    while (at < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_'))
      ++at;
    return text.substr(begin, at - begin);
  }

  const std::string &text;
  size_t at = 0;
};

const char *kindPhrase(const std::string &kind) {
  static const std::map<std::string, const char *> phrases = {
      {"COUNT", "a whole number"},
      {"WHOLE", "a whole number"},
      {"PORT", "the number of a port"},
      {"NUMBER", "a number"},
      {"BYTES", "a size in bytes"},
      {"PERIOD", "a number of steps, epochs or samples or a time"},
      {"TEXT", "a string"},
      {"METRIC", "a metric, `validation.NAME`"}};
  auto found = phrases.find(kind);
  return found == phrases.end() ? "something else" : found->second;
}

std::string caseText(const FormCase &each) {
  if (each.isKind) return kindPhrase(each.name);
  std::string text = "`" + each.name;
  for (const FormArgument &argument : each.arguments)
    text += (&argument == &each.arguments[0] ? "(" : ", ") + argument.name + " = ...";
  return text + (each.arguments.empty() ? "`" : ")`");
}

} // namespace

bool SettingForm::takes(const std::string &kind) const {
  return std::any_of(cases.begin(), cases.end(),
                     [&](const FormCase &each) { return each.isKind && each.name == kind; });
}

const FormCase *SettingForm::findWord(const std::string &word) const {
  for (const FormCase &each : cases)
    if (!each.isKind && each.name == word) return &each;
  return nullptr;
}

std::vector<std::string> SettingForm::words() const {
  std::vector<std::string> result;
  for (const FormCase &each : cases)
    if (!each.isKind) result.push_back(each.name);
  return result;
}

std::string SettingForm::describe() const {
  std::string text;
  for (size_t i = 0; i < cases.size(); ++i) {
    if (i > 0) text += i + 1 == cases.size() ? " or " : ", ";
    text += caseText(cases[i]);
  }
  return text;
}

std::string FormCase::example() const {
  static const std::map<std::string, const char *> examples = {{"COUNT", "20"},
                                                               {"WHOLE", "1"},
                                                               {"NUMBER", "1.0"},
                                                               {"BYTES", "16GiB"},
                                                               {"PORT", "9090"},
                                                               {"TEXT", "\"name\""},
                                                               {"METRIC", "validation.loss"},
                                                               {"PERIOD", "5 epochs"}};
  if (isKind) {
    auto found = examples.find(name);
    return found == examples.end() ? "..." : found->second;
  }
  std::string text = name;
  for (const FormArgument &argument : arguments)
    if (argument.byDefault.empty()) text += (text == name ? "(" : ", ") + argument.form.example();
  return text == name ? text : text + ")";
}

std::string SettingForm::example() const { return cases.back().example(); }

SettingForm parseForm(const std::string &text) { return FormReader(text).form(); }

} // namespace dlm::sema
