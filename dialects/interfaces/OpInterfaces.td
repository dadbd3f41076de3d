// The op interfaces of the tree. They stand apart from any dialect so that a pass can ask an op of
// any dialect without knowing which one it belongs to.
#ifndef DLM_INTERFACES_OPINTERFACES_TD
#define DLM_INTERFACES_OPINTERFACES_TD

include "mlir/IR/OpBase.td"

def DifferentiableOpInterface : OpInterface<"DifferentiableOpInterface"> {
  let cppNamespace = "::dlm";
  let description = [{
    An op that can build its own vector-Jacobian product in ops of its own dialect.
    An op has either this interface or `ZeroGradientOpInterface`, never both.
  }];
  let methods = [
    InterfaceMethod<[{
        Given the gradient of each result (all present, of the result's type), builds the gradient
        of each operand at the builder's insertion point. Appends exactly one value per operand;
        a null value says that nothing flows to that operand (integers, conditions).
      }],
      "::mlir::LogicalResult", "buildGradient",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::ValueRange":$resultGrads,
           "::llvm::SmallVectorImpl<::mlir::Value> &":$operandGrads)>
  ];
}

def ZeroGradientOpInterface : OpInterface<"ZeroGradientOpInterface"> {
  let cppNamespace = "::dlm";
  let description = [{
    An op through which no gradient flows, by declaration. The reason is for people: it is shown
    when somebody asks why a parameter receives no gradient.
  }];
  let methods = [
    InterfaceMethod<"Why the gradient is zero, e.g. \"is piecewise constant\".",
      "::llvm::StringRef", "getZeroGradientReason">
  ];
}

def ScalarOpInterface : OpInterface<"ScalarOpInterface"> {
  let cppNamespace = "::dlm";
  let description = [{
    An elementwise op: result element i depends on element i of each operand only. The scalar text
    below is the only definition of what the op computes: the interpreter evaluates it, fusion
    puts it into kernel bodies, and code generation compiles those.
  }];
  let methods = [
    InterfaceMethod<[{
        Builds the computation on one element per operand as `arith` and `math` ops and returns
        the element of the result. `ui8` elements are given and returned as `i8` with unsigned
        meaning; all other element types stand for themselves.
      }],
      "::mlir::Value", "buildScalar",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::mlir::ValueRange":$scalars)>
  ];
}

def CostModelOpInterface : OpInterface<"CostModelOpInterface"> {
  let cppNamespace = "::dlm";
  let description = [{
    What one execution of an op costs, from its types alone. Counts are those of the unfused op;
    they rank alternatives and are no promise about time.
  }];
  let methods = [
    InterfaceMethod<"Scalar operations; a multiply-add counts two, any elementary function one.",
      "int64_t", "getFlops", (ins), /*methodBody=*/"",
      [{ return ::dlm::tensorElements($_op->getResults()); }]>,
    InterfaceMethod<"Bytes read and written if every operand and result lies in memory.",
      "int64_t", "getBytes", (ins), /*methodBody=*/"", [{
        return ::dlm::tensorBytes($_op->getOperands()) + ::dlm::tensorBytes($_op->getResults());
      }]>
  ];
}

#endif
