// What the IR tools know. The list is made by the build, so that a tool needs no edit when a
// dialect or a pass library is added: see CMakeLists.txt.
#pragma once

#include "mlir/IR/DialectRegistry.h"

/// Adds every dialect of this build, and those of MLIR that its IR may hold.
void registerToolDialects(mlir::DialectRegistry &registry);

/// Registers every pass of this build.
void registerToolPasses();
