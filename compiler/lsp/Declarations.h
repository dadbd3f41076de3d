// What a file declares, as an outline of its syntax tree: for the list of symbols, and for what is
// said about a name that stands for a declaration.
#pragma once

#include "compiler/source/SourceManager.h"
#include "compiler/syntax/Ast.h"

#include <string>
#include <vector>

namespace dlm::lsp {

enum class DeclarationKind {
  Option,
  Let,
  Function,
  Model,
  Optimizer,
  Stored,
  Parameter,
  Train,
  Setting,
  Section,
  Test,
};

struct Declaration {
  DeclarationKind kind = DeclarationKind::Let;
  std::string name;
  std::string header; // as written, without the body: "fn f(x: f32[B]) -> f32[]"
  std::string doc;
  std::string section; // of a setting: the section it stands in
  Span nameSpan;
  Span span;
  std::vector<Declaration> children;
};

/// The declarations of a file in the order of the text.
std::vector<Declaration> declarationsOf(const ast::File &file, const SourceManager &sources);

/// The declaration around whose name an offset lies; null if there is none.
const Declaration *declarationAt(const std::vector<Declaration> &all, uint32_t offset);

} // namespace dlm::lsp
