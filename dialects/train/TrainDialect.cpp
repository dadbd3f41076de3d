// Registration of the `train` dialect.
#include "dialects/train/Train.h"

#include "mlir/IR/Builders.h"

#include "dialects/train/TrainDialect.cpp.inc"
#include "dialects/train/TrainInterfaces.cpp.inc"
#define GET_OP_CLASSES
#include "dialects/train/TrainOps.cpp.inc"

void dlm::train::TrainDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "dialects/train/TrainOps.cpp.inc"
      >();
}
