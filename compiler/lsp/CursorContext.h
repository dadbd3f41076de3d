// What can be written at a place of a text, judged from the words and brackets in front of it. The
// text is being typed, so it rarely parses; brackets and line ends are enough.
#pragma once

#include <string>
#include <string_view>

namespace dlm::lsp {

struct CursorContext {
  enum Kind {
    Nothing,     // in a comment, a string or a number, or where a new name is made
    Declaration, // at the beginning of a line, outside of all blocks
    Module,      // behind `use`
    Member,      // behind `x.`
    Type,        // behind `:` or `->`
    Setting,     // at the beginning of a line of a train block, or of a section of it
    ModelMember, // at the beginning of a line of a model or an optimizer
    Statement,   // at the beginning of a line of a body
    Argument,    // at the beginning of an argument of a call
    Expression,
  } kind = Expression;
  size_t wordBegin = 0; // of what is written of the word so far
  std::string section;  // Setting: the section, or empty
};

CursorContext contextAt(std::string_view text, size_t offset);

} // namespace dlm::lsp
