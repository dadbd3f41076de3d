// Elementwise ops: result element i is a function of element i of each operand. Their one
// definition is the scalar text of ScalarOpInterface (DlmScalars.cpp). Shapes are equal on all
// sides; stretching is always a `dlm.broadcast`.
#ifndef DLM_DLM_DLMOPSELEMENTWISE_TD
#define DLM_DLM_DLMOPSELEMENTWISE_TD

include "dialects/dlm/DlmDialect.td"

defvar Dlm_Differentiable = DeclareOpInterfaceMethods<DifferentiableOpInterface>;
defvar Dlm_ZeroGradient = DeclareOpInterfaceMethods<ZeroGradientOpInterface>;
defvar Dlm_Scalar = DeclareOpInterfaceMethods<ScalarOpInterface>;
defvar Dlm_Cost = DeclareOpInterfaceMethods<CostModelOpInterface>;

//===--- one operand ------------------------------------------------------------------------===//

class Dlm_UnaryOp<string mnemonic, TypeConstraint type, list<Trait> traits>
    : Dlm_Op<mnemonic, [SameOperandsAndResultType, Dlm_Scalar, Dlm_Cost] # traits> {
  let arguments = (ins type:$x);
  let results = (outs type:$result);
  let assemblyFormat = "$x attr-dict `:` type($result)";
}

def Dlm_NegOp : Dlm_UnaryOp<"neg", Dlm_NumberTensor, [Dlm_Differentiable]> {
  let summary = "negation";
  let description = [{
    result = -x.

    Constraints:
    - (C1) The element type of `x` is f32, i32 or i64.

    Lifespan: until `fuse`. Example: `%y = dlm.neg %x : tensor<4xf32>`
  }];
}

def Dlm_AbsOp : Dlm_UnaryOp<"abs", Dlm_NumberTensor, [Dlm_Differentiable]> {
  let summary = "absolute value";
  let description = [{
    result = |x|.

    Constraints:
    - (C1) The element type of `x` is f32, i32 or i64.

    Lifespan: until `fuse`. Example: `%y = dlm.abs %x : tensor<4xf32>`
  }];
}

def Dlm_ExpOp : Dlm_UnaryOp<"exp", Dlm_FloatTensor, [Dlm_Differentiable]> {
  let summary = "exponential";
  let description = [{
    result = e^x.

    Constraints:
    - (C1) The element type of `x` is f32.

    Lifespan: until `fuse`. Example: `%y = dlm.exp %x : tensor<4xf32>`
  }];
}

def Dlm_LogOp : Dlm_UnaryOp<"log", Dlm_FloatTensor, [Dlm_Differentiable]> {
  let summary = "natural logarithm";
  let description = [{
    result = ln x.

    Constraints:
    - (C1) The element type of `x` is f32.

    Lifespan: until `fuse`. Example: `%y = dlm.log %x : tensor<4xf32>`
  }];
}

def Dlm_SqrtOp : Dlm_UnaryOp<"sqrt", Dlm_FloatTensor, [Dlm_Differentiable]> {
  let summary = "square root";
  let description = [{
    result = sqrt(x), correctly rounded.

    Constraints:
    - (C1) The element type of `x` is f32.

    Lifespan: until `fuse`. Example: `%y = dlm.sqrt %x : tensor<4xf32>`
  }];
}

def Dlm_RsqrtOp : Dlm_UnaryOp<"rsqrt", Dlm_FloatTensor, [Dlm_Differentiable]> {
  let summary = "reciprocal square root";
  let description = [{
    result = 1 / sqrt(x): two roundings, no approximation.

    Constraints:
    - (C1) The element type of `x` is f32.

    Lifespan: until `fuse`. Example: `%y = dlm.rsqrt %x : tensor<4xf32>`
  }];
}

def Dlm_TanhOp : Dlm_UnaryOp<"tanh", Dlm_FloatTensor, [Dlm_Differentiable]> {
  let summary = "hyperbolic tangent";
  let description = [{
    result = tanh(x).

    Constraints:
    - (C1) The element type of `x` is f32.

    Lifespan: until `fuse`. Example: `%y = dlm.tanh %x : tensor<4xf32>`
  }];
}

def Dlm_ErfOp : Dlm_UnaryOp<"erf", Dlm_FloatTensor, [Dlm_Differentiable]> {
  let summary = "error function";
  let description = [{
    result = erf(x).

    Constraints:
    - (C1) The element type of `x` is f32.

    Lifespan: until `fuse`. Example: `%y = dlm.erf %x : tensor<4xf32>`
  }];
}

def Dlm_SinOp : Dlm_UnaryOp<"sin", Dlm_FloatTensor, [Dlm_Differentiable]> {
  let summary = "sine";
  let description = [{
    result = sin(x), x in radians.

    Constraints:
    - (C1) The element type of `x` is f32.

    Lifespan: until `fuse`. Example: `%y = dlm.sin %x : tensor<4xf32>`
  }];
}

def Dlm_CosOp : Dlm_UnaryOp<"cos", Dlm_FloatTensor, [Dlm_Differentiable]> {
  let summary = "cosine";
  let description = [{
    result = cos(x), x in radians.

    Constraints:
    - (C1) The element type of `x` is f32.

    Lifespan: until `fuse`. Example: `%y = dlm.cos %x : tensor<4xf32>`
  }];
}

def Dlm_FloorOp : Dlm_UnaryOp<"floor", Dlm_FloatTensor, [Dlm_ZeroGradient]> {
  let summary = "largest integer that is not above x";
  let description = [{
    result = floor(x).

    Constraints:
    - (C1) The element type of `x` is f32.

    Lifespan: until `fuse`. Example: `%y = dlm.floor %x : tensor<4xf32>`
  }];
}

def Dlm_CeilOp : Dlm_UnaryOp<"ceil", Dlm_FloatTensor, [Dlm_ZeroGradient]> {
  let summary = "smallest integer that is not below x";
  let description = [{
    result = ceil(x).

    Constraints:
    - (C1) The element type of `x` is f32.

    Lifespan: until `fuse`. Example: `%y = dlm.ceil %x : tensor<4xf32>`
  }];
}

def Dlm_RoundOp : Dlm_UnaryOp<"round", Dlm_FloatTensor, [Dlm_ZeroGradient]> {
  let summary = "nearest integer, ties to even";
  let description = [{
    result = round-half-to-even(x), as IEEE 754 roundTiesToEven.

    Constraints:
    - (C1) The element type of `x` is f32.

    Lifespan: until `fuse`. Example: `%y = dlm.round %x : tensor<4xf32>`
  }];
}

def Dlm_SignOp : Dlm_UnaryOp<"sign", Dlm_NumberTensor, [Dlm_ZeroGradient]> {
  let summary = "sign";
  let description = [{
    result = 1 if x > 0, -1 if x < 0, else x (so zeros keep their sign and NaN stays).

    Constraints:
    - (C1) The element type of `x` is f32, i32 or i64.

    Lifespan: until `fuse`. Example: `%y = dlm.sign %x : tensor<4xf32>`
  }];
}

def Dlm_ReluOp : Dlm_UnaryOp<"relu", Dlm_FloatTensor, [Dlm_Differentiable]> {
  let summary = "rectifier";
  let description = [{
    result = 0 if x < 0, else x (so NaN and -0.0 pass).

    Constraints:
    - (C1) The element type of `x` is f32.

    Lifespan: until `fuse`. Example: `%y = dlm.relu %x : tensor<4xf32>`
  }];
}

//===--- two operands -----------------------------------------------------------------------===//

class Dlm_BinaryOp<string mnemonic, TypeConstraint type, list<Trait> traits>
    : Dlm_Op<mnemonic, [SameOperandsAndResultType, Dlm_Scalar, Dlm_Cost] # traits> {
  let arguments = (ins type:$lhs, type:$rhs);
  let results = (outs type:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
}

def Dlm_AddOp : Dlm_BinaryOp<"add", Dlm_NumberTensor, [Dlm_Differentiable]> {
  let summary = "sum";
  let description = [{
    result = lhs + rhs.

    Constraints:
    - (C1) The element type is f32, i32 or i64.
    - (C2) `lhs`, `rhs` and the result have the same type.

    Lifespan: until `fuse`. Example: `%y = dlm.add %a, %b : tensor<4xf32>`
  }];
  let hasFolder = 1;
}

def Dlm_SubOp : Dlm_BinaryOp<"sub", Dlm_NumberTensor, [Dlm_Differentiable]> {
  let summary = "difference";
  let description = [{
    result = lhs - rhs.

    Constraints:
    - (C1) The element type is f32, i32 or i64.
    - (C2) `lhs`, `rhs` and the result have the same type.

    Lifespan: until `fuse`. Example: `%y = dlm.sub %a, %b : tensor<4xf32>`
  }];
  let hasFolder = 1;
}

def Dlm_MulOp : Dlm_BinaryOp<"mul", Dlm_NumberTensor, [Dlm_Differentiable]> {
  let summary = "product";
  let description = [{
    result = lhs * rhs.

    Constraints:
    - (C1) The element type is f32, i32 or i64.
    - (C2) `lhs`, `rhs` and the result have the same type.

    Lifespan: until `fuse`. Example: `%y = dlm.mul %a, %b : tensor<4xf32>`
  }];
  let hasFolder = 1;
}

def Dlm_DivOp : Dlm_BinaryOp<"div", Dlm_NumberTensor, [Dlm_Differentiable]> {
  let summary = "quotient";
  let description = [{
    result = lhs / rhs; integers truncate toward zero, and x / 0 is unspecified.

    Constraints:
    - (C1) The element type is f32, i32 or i64.
    - (C2) `lhs`, `rhs` and the result have the same type.

    Lifespan: until `fuse`. Example: `%y = dlm.div %a, %b : tensor<4xf32>`
  }];
  let hasFolder = 1;
}

def Dlm_MaxOp : Dlm_BinaryOp<"max", Dlm_NumberTensor, [Dlm_Differentiable]> {
  let summary = "larger of two";
  let description = [{
    result = lhs if lhs > rhs, else rhs; then lhs if lhs is NaN: NaN on either side wins.

    Constraints:
    - (C1) The element type is f32, i32 or i64.
    - (C2) `lhs`, `rhs` and the result have the same type.

    Lifespan: until `fuse`. Example: `%y = dlm.max %a, %b : tensor<4xf32>`
  }];
}

def Dlm_MinOp : Dlm_BinaryOp<"min", Dlm_NumberTensor, [Dlm_Differentiable]> {
  let summary = "smaller of two";
  let description = [{
    result = lhs if lhs < rhs, else rhs; then lhs if lhs is NaN: NaN on either side wins.

    Constraints:
    - (C1) The element type is f32, i32 or i64.
    - (C2) `lhs`, `rhs` and the result have the same type.

    Lifespan: until `fuse`. Example: `%y = dlm.min %a, %b : tensor<4xf32>`
  }];
}

def Dlm_PowOp : Dlm_BinaryOp<"pow", Dlm_FloatTensor, [Dlm_Differentiable]> {
  let summary = "power";
  let description = [{
    result = lhs ^ rhs.

    Constraints:
    - (C1) The element type is f32.
    - (C2) `lhs`, `rhs` and the result have the same type.

    Lifespan: until `fuse`. Example: `%y = dlm.pow %a, %b : tensor<4xf32>`
  }];
}

//===--- logic ------------------------------------------------------------------------------===//

def Dlm_CompareOp : Dlm_Op<"compare", [
    Dlm_Scalar, Dlm_Cost, Dlm_ZeroGradient, SameTypeOperands,
    TypesMatchWith<"result has the shape of the operands and element type i1", "lhs", "result",
                   "::dlm::boolTypeLike($_self)">]> {
  let summary = "comparison";
  let description = [{
    result = lhs `kind` rhs. On floats every comparison with NaN is false but `ne`, which is true;
    integers compare signed (`ui8` unsigned, false < true).

    Constraints:
    - (C1) `lhs` and `rhs` have the same type.
    - (C2) The result has their shape and element type i1.

    Lifespan: until `fuse`. Example: `%y = dlm.compare lt %a, %b : tensor<4xf32>`
  }];
  let arguments = (ins Dlm_CompareKindAttr:$kind, Dlm_Tensor:$lhs, Dlm_Tensor:$rhs);
  let results = (outs Dlm_BoolTensor:$result);
  let assemblyFormat = "$kind $lhs `,` $rhs attr-dict `:` type($lhs)";
}

class Dlm_LogicOp<string mnemonic>
    : Dlm_Op<mnemonic, [SameOperandsAndResultType, Dlm_Scalar, Dlm_Cost, Dlm_ZeroGradient]>;

def Dlm_AndOp : Dlm_LogicOp<"and"> {
  let summary = "both are true";
  let description = [{
    result = lhs and rhs.

    Constraints:
    - (C1) The element type is i1.
    - (C2) `lhs`, `rhs` and the result have the same type.

    Lifespan: until `fuse`. Example: `%y = dlm.and %a, %b : tensor<4xi1>`
  }];
  let arguments = (ins Dlm_BoolTensor:$lhs, Dlm_BoolTensor:$rhs);
  let results = (outs Dlm_BoolTensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
}

def Dlm_OrOp : Dlm_LogicOp<"or"> {
  let summary = "at least one is true";
  let description = [{
    result = lhs or rhs.

    Constraints:
    - (C1) The element type is i1.
    - (C2) `lhs`, `rhs` and the result have the same type.

    Lifespan: until `fuse`. Example: `%y = dlm.or %a, %b : tensor<4xi1>`
  }];
  let arguments = (ins Dlm_BoolTensor:$lhs, Dlm_BoolTensor:$rhs);
  let results = (outs Dlm_BoolTensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
}

def Dlm_NotOp : Dlm_LogicOp<"not"> {
  let summary = "true becomes false";
  let description = [{
    result = not x.

    Constraints:
    - (C1) The element type is i1.

    Lifespan: until `fuse`. Example: `%y = dlm.not %x : tensor<4xi1>`
  }];
  let arguments = (ins Dlm_BoolTensor:$x);
  let results = (outs Dlm_BoolTensor:$result);
  let assemblyFormat = "$x attr-dict `:` type($result)";
  let hasFolder = 1;
}

def Dlm_SelectOp : Dlm_Op<"select", [
    Dlm_Scalar, Dlm_Cost, Dlm_Differentiable, AllTypesMatch<["onTrue", "onFalse", "result"]>,
    TypesMatchWith<"condition has the shape of the result and element type i1", "result",
                   "condition", "::dlm::boolTypeLike($_self)">]> {
  let summary = "one of two values, element by element";
  let description = [{
    result = onTrue where condition, else onFalse. The value not chosen has no influence, not even
    as NaN; its gradient is zero.

    Constraints:
    - (C1) `onTrue`, `onFalse` and the result have the same type.
    - (C2) `condition` has their shape and element type i1.

    Lifespan: until `fuse`. Example: `%y = dlm.select %c, %a, %b : tensor<4xf32>`
  }];
  let arguments = (ins Dlm_BoolTensor:$condition, Dlm_Tensor:$onTrue, Dlm_Tensor:$onFalse);
  let results = (outs Dlm_Tensor:$result);
  let assemblyFormat = "$condition `,` $onTrue `,` $onFalse attr-dict `:` type($result)";
  let hasFolder = 1;
}

//===--- conversion -------------------------------------------------------------------------===//

def Dlm_CastOp : Dlm_Op<"cast", [Dlm_Scalar, Dlm_Cost, Dlm_Differentiable]> {
  let summary = "conversion to another element type";
  let description = [{
    result = x converted: to bool x != 0; bool to number 0 or 1; float to integer truncates toward
    zero and saturates, NaN gives 0; integer to float rounds to nearest even; integers widen by
    their sign (`ui8` and i1 unsigned) and narrow by dropping high bits.

    Constraints:
    - (C1) `x` and the result have the same shape.

    Lifespan: until `fuse`. Example: `%y = dlm.cast %x : tensor<4xui8> -> tensor<4xf32>`
  }];
  let arguments = (ins Dlm_Tensor:$x);
  let results = (outs Dlm_Tensor:$result);
  let assemblyFormat = "$x attr-dict `:` type($x) `->` type($result)";
  let builders = [OpBuilder<(ins "::mlir::Value":$x, "::mlir::Type":$elementType), [{
    build($_builder, $_state, ::dlm::withElementType(x.getType(), elementType), x);
  }]>];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Dlm_StopGradientOp : Dlm_Op<"stop_gradient", [
    SameOperandsAndResultType, Dlm_Scalar, Dlm_Cost, Dlm_ZeroGradient]> {
  let summary = "the value as a constant to autodiff";
  let description = [{
    result = x, and no gradient flows to x.

    Constraints:
    - (C1) `x` and the result have the same type.

    Lifespan: until `fuse`; an identity after `expand`.
    Example: `%y = dlm.stop_gradient %x : tensor<4xf32>`
  }];
  let arguments = (ins Dlm_Tensor:$x);
  let results = (outs Dlm_Tensor:$result);
  let assemblyFormat = "$x attr-dict `:` type($result)";
}

#endif
