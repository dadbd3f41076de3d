// What can be written at a place: the words of the grammar from the text in front of it, and the
// names from checking the text with a stand-in at the place.
#pragma once

#include "compiler/lsp/Analysis.h"

#include <string>
#include <vector>

namespace dlm::lsp {

enum class SuggestionKind { Name, Function, Model, Member, Module, Type, Word, Setting, Argument };

struct Suggestion {
  std::string label;
  SuggestionKind kind = SuggestionKind::Name;
  std::string detail; // "let x: f32[batch, 10]"
  std::string documentation;
  std::string insert; // what is written; the label if empty
};

/// Suggestions in the order to show them, whatever of the word is there already.
std::vector<Suggestion> suggestionsAt(const Analysis &analysis, const std::string &path,
                                      const std::string &text, uint32_t offset,
                                      const Library &library,
                                      const SourceManager::Overlay &overlay);

} // namespace dlm::lsp
