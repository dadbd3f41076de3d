// Settings that people bring along from other tools, and how each is said here.
#pragma once

#include <string>
#include <vector>

namespace dlm::sema {

/// How a setting that people know from elsewhere is said here. `@` in the advice stands for the
/// value as it was written; a setting that is merely called otherwise has no advice.
struct ForeignSetting {
  std::vector<std::string> names;
  const char *meant; // the setting that it is; empty if it is not just one
  const char *advice;
};

/// The row of a setting that there is not, or null.
const ForeignSetting *findForeignSetting(const std::string &name);
/// The word of a setting's value that a foreign one stands for: `min` is `minimum`; empty if none.
std::string settingWordHere(const std::string &word);
/// The advice with the value in it, if that is short.
std::string foreignSettingAdvice(const ForeignSetting &row, const std::string &value);

} // namespace dlm::sema
