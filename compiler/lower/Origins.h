// Where the values of a program come from, for `PROGRAM info`: settings and initialisers with the
// lines that they stand on.
#pragma once

#include "compiler/sema/TypedProgram.h"
#include "compiler/source/SourceManager.h"

#include "mlir/IR/BuiltinAttributes.h"

namespace dlm::lower {

/// Every setting of the run, also those that are not written: `[{name, text, file, line}]`.
/// `micro` is the size of micro-batches that was chosen.
mlir::ArrayAttr settingOrigins(const sema::TypedProgram &program, mlir::MLIRContext &context,
                               const SourceManager &sources, int64_t micro);

/// Every parameter, with its initialiser as it is written; in the same form.
mlir::ArrayAttr parameterOrigins(const sema::TypedProgram &program, mlir::MLIRContext &context,
                                 const SourceManager &sources);

} // namespace dlm::lower
