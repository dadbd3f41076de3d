// A two-layer network as `check` would hand it to `lower`, written by hand: 2x3 images, five
// hidden units, four classes, cross-entropy and weight decay, accuracy, momentum.
#pragma once

#include "compiler/sema/TypedProgram.h"
#include "compiler/source/SourceManager.h"

namespace dlm::test {

/// The text the nodes of `smallProgram` point at: one line a layer.
void addSmallSource(SourceManager &sources);

sema::TypedProgram smallProgram();

} // namespace dlm::test
