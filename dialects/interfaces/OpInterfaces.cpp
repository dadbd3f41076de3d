// Definitions of the op interfaces, and the byte counting behind the default cost model.
#include "dialects/interfaces/OpInterfaces.h"

#include "mlir/IR/BuiltinTypes.h"

#include "dialects/interfaces/OpInterfaces.cpp.inc"

namespace dlm {

int64_t tensorElements(mlir::ValueRange values) {
  int64_t count = 0;
  for (mlir::Value value : values)
    if (auto type = mlir::dyn_cast<mlir::RankedTensorType>(value.getType()))
      if (type.hasStaticShape()) count += type.getNumElements();
  return count;
}

int64_t tensorBytes(mlir::ValueRange values) {
  int64_t bytes = 0;
  for (mlir::Value value : values) {
    auto type = mlir::dyn_cast<mlir::RankedTensorType>(value.getType());
    if (!type || !type.getElementType().isIntOrFloat()) continue;
    bytes += tensorElements(value) * ((type.getElementTypeBitWidth() + 7) / 8);
  }
  return bytes;
}

} // namespace dlm
