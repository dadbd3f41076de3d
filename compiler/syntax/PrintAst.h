// The text of `dlmc --emit=ast`: the program as the parser understood it.
#pragma once

#include "compiler/syntax/Ast.h"

#include <string>

namespace dlm {

/// The file in DLM's own notation, declarations grouped by kind, one statement a line, with every
/// operator in parentheses, so that precedence and grouping are seen. It parses to the same tree.
/// `withDocs`: documentation, too.
std::string printAst(const ast::File &file, bool withDocs = true);

/// An expression on one line (blocks inside it as `{ a; b }`).
std::string printExpr(const ast::Expr &expr);

/// A type as written.
std::string printType(const ast::TypeRef &type);

} // namespace dlm
