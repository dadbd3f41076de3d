// Names that are given and never used: a `let` inside of a block, a parameter of a function.
#pragma once

#include "compiler/sema/Reporter.h"
#include "compiler/syntax/Ast.h"

namespace dlm::sema {

/// Warns of them in a file without errors. Names that begin with `_` are meant to be unused.
void reportUnusedNames(const ast::File &file, Reporter &report);

} // namespace dlm::sema
