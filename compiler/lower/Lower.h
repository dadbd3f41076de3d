// From the typed program to the IR, one op for one node: `train.run` with regions of `dlm` ops.
//
// Here the batch gets its sizes: training computes on micro-batches of a fixed number of samples,
// evaluation on batches of another, and from here on every shape is static.
#pragma once

#include "compiler/lower/Fitted.h"
#include "compiler/sema/TypedProgram.h"
#include "compiler/source/SourceManager.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace dlm::lower {

struct LowerOptions {
  int64_t microRowsMax = 512; // of a micro-batch, where the program says `auto`
  int64_t evalRowsMax = 256;  // of an evaluation batch
  FittedValues fitted = {};   // of everything that starts with `data.fit`
};

/// How many samples a micro-batch has: what the program says, or the whole batch if it is small or
/// cannot be cut, or its largest divisor up to `microRowsMax` (unless that is tiny).
int64_t microRows(const sema::TypedProgram &program, const LowerOptions &options);

/// Loads the dialects into the context that `lower` makes ops of.
void loadDialects(mlir::MLIRContext &context);

/// Returns null, after an error at the op, if the program cannot be expressed; every error a user
/// can cause has been reported before.
mlir::OwningOpRef<mlir::ModuleOp> lower(const sema::TypedProgram &program,
                                        mlir::MLIRContext &context, const SourceManager &sources,
                                        const LowerOptions &options = {});

} // namespace dlm::lower
