// Names that stand twice in one list: parameters, fields, named arguments, the names of a pattern,
// the members of a model, the lets of a block. It is seen in the text alone, so it is told of code
// that nothing calls too.
#pragma once

#include "compiler/diagnostics/DiagnosticEngine.h"
#include "compiler/syntax/Ast.h"

namespace dlm::sema {

void reportRepeatedNames(const ast::File &file, DiagnosticEngine &diagnostics);

/// Whether a message is about a name that stands twice: there is one at each place, whether it is
/// found in the text or when what it stands in is evaluated.
bool isAboutRepeatedName(Kind kind);

} // namespace dlm::sema
