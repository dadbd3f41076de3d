// The `train` dialect: includes of generated code, nothing else.
#pragma once

#include "dialects/dlm/Dlm.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <string>

#include "dialects/train/TrainInterfaces.h.inc"

#include "dialects/train/TrainDialect.h.inc"
#define GET_OP_CLASSES
#include "dialects/train/TrainOps.h.inc"
