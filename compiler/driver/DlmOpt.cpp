// dlm-opt: runs single passes on IR text. What tests and people use to look at one pass.
#include "compiler/driver/Registry.h"

#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registerToolDialects(registry);
  registerToolPasses();
  mlir::registerTransformsPasses(); // canonicalize, cse, ...
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "runs passes on the compiler's IR\n", registry));
}
