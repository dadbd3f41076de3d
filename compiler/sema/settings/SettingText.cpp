// Values of settings as text, for printing and messages.
#include "compiler/sema/settings/SettingReader.h"

namespace dlm::sema {

std::string settingText(const SettingValue &value) {
  static const char *const units[] = {"", " steps", " epochs", " samples", "ms", " tokens", "B"};
  std::string text = value.text;
  if (value.kind == SettingValue::Number)
    return formatReal(value.number) + units[static_cast<int>(value.unit)];
  if (value.kind == SettingValue::Text) return "\"" + value.text + "\"";
  bool isList = value.kind == SettingValue::List;
  if (value.parts.empty()) return text;
  text += isList ? "[" : "(";
  for (size_t i = 0; i < value.parts.size(); ++i) {
    const auto &[name, part] = value.parts[i];
    text += i > 0 ? ", " : "";
    if (!name.empty()) text += name + (isList ? " => " : " = ");
    text += settingText(part);
  }
  return text + (isList ? "]" : ")");
}

} // namespace dlm::sema
