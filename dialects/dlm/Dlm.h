// The `dlm` dialect: include this to build or match its ops.
#pragma once

#include "dialects/interfaces/OpInterfaces.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialects/dlm/DlmDialect.h.inc"
#include "dialects/dlm/DlmEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/dlm/DlmAttrs.h.inc"
#define GET_OP_CLASSES
#include "dialects/dlm/DlmOps.h.inc"

namespace dlm {

/// The tensor type of the shape of `type` with another element type.
mlir::RankedTensorType withElementType(mlir::Type type, mlir::Type elementType);

/// The tensor type of the shape of `type` with element type i1.
mlir::Type boolTypeLike(mlir::Type type);

/// The type that one element of a tensor has in scalar text: `ui8` becomes `i8`, the others stay.
mlir::Type scalarType(mlir::Type elementType);

/// What a reduction makes of two elements of the group, the earlier one first.
mlir::Value combineScalars(mlir::OpBuilder &builder, mlir::Location loc, ReduceKind kind,
                           mlir::Value left, mlir::Value right);

/// A splat constant: `value` converted to the element type of `type` (bool: value != 0).
mlir::DenseElementsAttr splat(mlir::RankedTensorType type, double value);

} // namespace dlm
