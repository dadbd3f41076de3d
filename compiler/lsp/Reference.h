// What the language reference says in one line about a function of the compiler, a setting, an
// ambient name. The reference, grammar/README.md, is part of this library as a text; its tables are
// read when first asked for, so that nothing is written down twice.
#pragma once

#include <string>
#include <vector>

namespace dlm::lsp {

struct ReferenceEntry {
  std::string name;      // "softmax", "data.idx", "every"
  std::string section;   // of a setting: "evaluate"; else empty
  std::string written;   // "softmax log_softmax (x, over)", "evaluate { every = d }"
  std::string byDefault; // of a setting
  std::string meaning;
};

/// The functions of the compiler, initialisers and data sources. A name may have several entries.
const std::vector<ReferenceEntry> &referenceFunctions();
/// What may stand in a train block: settings, sections (without a name of a setting), hooks.
const std::vector<ReferenceEntry> &referenceSettings();
/// Names that mean something in a run without being declared: `step`.
const std::vector<ReferenceEntry> &referenceAmbient();

/// What is said about a name, one line an entry; empty if nothing is.
std::string meaningOf(const std::vector<ReferenceEntry> &entries, const std::string &name,
                      const std::string &section = "");

} // namespace dlm::lsp
