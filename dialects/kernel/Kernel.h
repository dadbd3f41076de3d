// Includes the `kernel` dialect.
#pragma once

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialects/kernel/KernelDialect.h.inc"
#include "dialects/kernel/KernelEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/kernel/KernelAttrs.h.inc"
#define GET_OP_CLASSES
#include "dialects/kernel/KernelOps.h.inc"
