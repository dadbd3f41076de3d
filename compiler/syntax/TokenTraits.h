// What the token filter and the error messages need to know about single tokens.
#pragma once

#include <cstddef>
#include <string>

namespace dlm {

bool isOpeningBracket(size_t type);
bool isClosingBracket(size_t type);

/// The closing bracket of an opening one.
size_t closingOf(size_t opening);

/// A word that can never be a name.
bool isReservedWord(size_t type);

/// Whether a text can stand as a name in a program: `label`, not `in` or `class-id`.
bool isName(const std::string &text);

/// A word that can be a name: an identifier, or a declaration word such as `model`.
bool isNameToken(size_t type);

/// Whether an expression (or a type, or a block) may end with this token.
bool endsExpression(size_t type);

/// Whether an expression may begin with this token.
bool beginsExpression(size_t type);

/// Whether a line may begin with this token to continue the line above. Not `-`, `(` and `[`: these
/// may begin a statement too.
bool continuesExpression(size_t type);

/// Whether two tokens at the beginning of a line show that it is a statement or a declaration,
/// whatever brackets are open: `let x`, `fn f`, `param w`.
bool beginsStatementOnly(size_t first, size_t second);

/// Whether two tokens at the beginning of a line show that it is a declaration that stands in no
/// block: `model M`, `test "t"`.
bool beginsDeclarationOnly(size_t first, size_t second);

/// Whether a name is that of a type, here or in a language that people come from.
bool isTypeWord(const std::string &name);

/// How a punctuation or operator token is written, without quotes: `)`.
std::string spelling(size_t type);

} // namespace dlm
