// What is shown about the name at a place, and where it is declared.
#pragma once

#include "compiler/lsp/Analysis.h"

#include <optional>
#include <string>

namespace dlm::lsp {

/// A text in Markdown and the place it is about.
struct HoverText {
  std::string markdown;
  Span place;
};

std::optional<HoverText> hoverAt(const Analysis &analysis, uint32_t offset);

/// Where the name at an offset of the document is declared; no place if that is not known.
Span definitionAt(const Analysis &analysis, uint32_t offset);

/// The line of code that stands for a name: "let x: f32[batch, 10]", "softmax(x, over)".
std::string headline(const Analysis &analysis, const Fact &fact);
/// Its documentation: the comment at its declaration, or the line of the reference.
std::string documentation(const Analysis &analysis, const Fact &fact);

} // namespace dlm::lsp
