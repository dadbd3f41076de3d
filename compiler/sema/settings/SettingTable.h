// Every setting that may stand in a `train` block, its sections, `update`, `search` and `export`,
// as one table. The checker reads it, the editor shows it, the reference is compared with it.
#pragma once

#include "compiler/sema/TypedProgram.h"

#include <string>
#include <vector>

namespace dlm::sema {

/// A row of the table; what it means, and what holds without it, says the reference. `form` is what
/// SettingForm.h explains; a form of one word in capitals that is not explained there is read by
/// the block itself. `store` puts the value into its field; without it the value goes into
/// `Settings::others`.
struct SettingRow {
  const char *section; // where it stands: "train", "memory", "update", "search", ...
  const char *name;    // "budget"
  const char *form;    // what it takes: "BYTES | auto"
  void (*store)(Settings &, const SettingValue &) = nullptr;

  /// "memory.budget"; of the settings that stand in no section just the name.
  std::string path() const;
};

const std::vector<SettingRow> &settingRows();
/// The row, or null.
const SettingRow *findSetting(const std::string &section, const std::string &name);
/// The names of a section's settings.
std::vector<std::string> settingNames(const std::string &section);
/// The sections of a train block.
const std::vector<std::string> &sectionNames();

} // namespace dlm::sema
