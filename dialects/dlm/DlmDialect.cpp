// Registration of the dialect and the few type questions that all its files ask.
#include "dialects/dlm/Dlm.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

#include "dialects/dlm/DlmDialect.cpp.inc"
#include "dialects/dlm/DlmEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/dlm/DlmAttrs.cpp.inc"
#define GET_OP_CLASSES
#include "dialects/dlm/DlmOps.cpp.inc"

namespace dlm {

void DlmDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/dlm/DlmAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/dlm/DlmOps.cpp.inc"
      >();
}

mlir::Operation *DlmDialect::materializeConstant(mlir::OpBuilder &builder, mlir::Attribute value,
                                                 mlir::Type type, mlir::Location loc) {
  auto elements = mlir::dyn_cast<mlir::ElementsAttr>(value);
  if (!elements || elements.getType() != type) return nullptr;
  return ConstantOp::create(builder, loc, type, elements);
}

mlir::RankedTensorType withElementType(mlir::Type type, mlir::Type elementType) {
  return mlir::cast<mlir::RankedTensorType>(type).clone(elementType);
}

mlir::Type boolTypeLike(mlir::Type type) {
  return withElementType(type, mlir::IntegerType::get(type.getContext(), 1));
}

mlir::Type scalarType(mlir::Type elementType) {
  if (elementType.isUnsignedInteger())
    return mlir::IntegerType::get(elementType.getContext(), elementType.getIntOrFloatBitWidth());
  return elementType;
}

mlir::DenseElementsAttr splat(mlir::RankedTensorType type, double value) {
  mlir::Type element = type.getElementType();
  if (auto floatType = mlir::dyn_cast<mlir::FloatType>(element))
    return mlir::DenseElementsAttr::get(type,
                                        mlir::Attribute(mlir::FloatAttr::get(floatType, value)));
  if (element.isInteger(1)) return mlir::DenseElementsAttr::get(type, value != 0);
  unsigned width = element.getIntOrFloatBitWidth();
  llvm::APInt bits(64, static_cast<uint64_t>(static_cast<int64_t>(value)), /*isSigned=*/true);
  return mlir::DenseElementsAttr::get(type, bits.trunc(width));
}

} // namespace dlm
