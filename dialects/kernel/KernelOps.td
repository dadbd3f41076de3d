// Ops of the `kernel` dialect. A kernel function holds the scalar body; launches and contractions
// stand in program functions. The README says how a body is read.
#ifndef DLM_KERNEL_OPS_TD
#define DLM_KERNEL_OPS_TD

include "dialects/kernel/KernelDialect.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/Properties.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

// ui8 tensors hold what scalars call i8 (read without sign), so arith ops apply.
def Kernel_Scalar : AnyTypeOf<[I1, I8, I32, I64, F32], "i1, i8, i32, i64 or f32">;
def Kernel_Number : AnyTypeOf<[I32, I64, F32], "i32, i64 or f32">;
def Kernel_Tensor : RankedTensorOf<[I1, UI8, I32, I64, F32]>;
def Kernel_Matrices : RankedTensorOf<[F32]>;
def Kernel_Dim : ConfinedProp<I64Prop, CPred<"$_self >= 0">, "dim number">;
def Kernel_Count : ConfinedProp<I64Prop, CPred<"$_self > 0">, "positive count">;

class Kernel_Op<string mnemonic, list<Trait> traits = []>
    : Op<Kernel_Dialect, mnemonic, traits>;

// An op of a kernel's body.
class Kernel_BodyOp<string mnemonic, list<Trait> traits = []>
    : Kernel_Op<mnemonic, !listconcat(traits, [HasParent<"::kernel::FuncOp">])>;

def Kernel_FuncOp : Kernel_Op<"func", [IsolatedFromAbove, Symbol, SingleBlock, NoTerminator]> {
  let summary = "a kernel: a scalar body evaluated at every point of a space";
  let description = [{
    The block arguments are the inputs, then the outputs, as tensors. Lifespan: from `fuse` to
    `dlm-convert-kernel-to-llvm`, where it becomes a function of the kernel ABI with the same name.

    Constraints:
    - C1: argument shapes are constant but for the outermost size, which may be `?`.
    - C2: every output is stored to.
    - C3: the body holds `kernel` body ops and scalar `arith` and `math` ops only.

    Example:
    ```mlir
    kernel.func @bias(%x: tensor<?x768xf32>, %b: tensor<768xf32>) -> (%y: tensor<?x768xf32>)
        over <row, [?, 768]> {
      %0 = kernel.load %x affine_map<(d0, d1) -> (d0, d1)> : tensor<?x768xf32> -> f32
      %1 = kernel.load %b affine_map<(d0, d1) -> (d1)> : tensor<768xf32> -> f32
      %2 = arith.addf %0, %1 : f32
      kernel.store %2, %y affine_map<(d0, d1) -> (d0, d1)> : f32 -> tensor<?x768xf32>
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, Kernel_SpaceAttr:$space, I64Prop:$inputs);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
  let builders = [OpBuilder<(ins "::llvm::StringRef":$name, "::mlir::TypeRange":$inputTypes,
                                 "::mlir::TypeRange":$outputTypes, "::kernel::SpaceAttr":$space)>];
  let extraClassDeclaration = [{
    ::mlir::Block &getBlock() { return getBody().front(); }
    ::mlir::ArrayRef<::mlir::BlockArgument> getInputArgs();
    ::mlir::ArrayRef<::mlir::BlockArgument> getOutputArgs();
  }];
}

def Kernel_LoadOp : Kernel_BodyOp<"load", [Pure]> {
  let summary = "the element of an input at map(point, at)";
  let description = [{
    A result of the map is an index: a sum of multiples of dims and of a number, as `d0`, `3 - d1`
    or `d1 * 2 + d3 - 1`, or a symbol, which stands for a value in `at`. Where an index of a
    `guarded` load leaves the tensor, the result is zero and nothing is read.

    Constraints:
    - C1: the tensor is an input of the kernel.
    - C2: the map has the space's dims, a symbol for each value in `at`, and one such index for
      each tensor dim.
    - C3: no index can leave the tensor unless the load is guarded; a `?` size has the index d0.
    - C4: the result is the tensor's element type (i8 for ui8).

    Example: `%0 = kernel.load %x at(%id) affine_map<(d0, d1)[s0] -> (s0, d1)> guarded
    : tensor<7x3xf32> -> f32`
  }];
  let arguments = (ins Kernel_Tensor:$tensor, Variadic<I64>:$at, AffineMapAttr:$map,
                       UnitProp:$guarded);
  let results = (outs Kernel_Scalar:$result);
  // The map is spelled out, never an alias: `%x #map` would read as result number `map` of %x.
  let assemblyFormat = [{
    $tensor (`at` `(` $at^ `)`)? custom<InlineMap>($map) (`guarded` $guarded^)? prop-dict attr-dict
    `:` type($tensor) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Kernel_StoreOp : Kernel_BodyOp<"store", [MemoryEffects<[MemWrite]>]> {
  let summary = "writes the element of an output at map(point)";
  let description = [{
    A map that leaves out the reduced dim writes once for all its points. Stores happen after every
    load of the same point, so an output may share memory with an input read at the same index.

    Constraints:
    - C1: the tensor is an output of the kernel, and this is its only store.
    - C2: the map has the space's dims and one result for each tensor dim, a dim or 0, and no
      index can leave the tensor.
    - C3: the map names every dim the value varies over.
    - C4: the map names every dim of more than one point, but the reduced one.
    - C5: the value's type is the tensor's element type (i8 for ui8).
    - C6: in a `column` the map does not name the reduced dim.
  }];
  let arguments = (ins Kernel_Scalar:$value, Kernel_Tensor:$tensor, AffineMapAttr:$map);
  let assemblyFormat = [{
    $value `,` $tensor custom<InlineMap>($map) attr-dict `:` type($value) `->` type($tensor)
  }];
  let hasVerifier = 1;
}

def Kernel_IotaOp : Kernel_BodyOp<"iota", [Pure]> {
  let summary = "the point's index along a dim";
  let description = [{
    Constraints:
    - C1: the dim is one of the space.
  }];
  let arguments = (ins Kernel_Dim:$dim);
  let results = (outs I64:$result);
  let assemblyFormat = "$dim prop-dict attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Kernel_ReduceOp : Kernel_BodyOp<"reduce", [Pure, AllTypesMatch<["value", "result"]>]> {
  let summary = "combines a value over a dim, in the order of its tree";
  let description = [{
    Element e goes to chunk e / chunk and lane e mod lanes. A lane is a chain from the identity
    (add -0.0 or 0, max -inf, min +inf) in rising e, with the chain as left operand. Lanes fold by
    halving (lane i with lane i + half, i left), chunks in the same way over the next power of two,
    padded with the identity. `max` is `t = a > b ? a : b; a != a ? a : t`, `min` likewise with <.

    Constraints:
    - C1: the dim is the space's reduced one, and the schedule is not `linear`.
    - C2: the tree is <128, 2048> in a `row` and <1, 64> in a `column`.
  }];
  let arguments = (ins Kernel_ReduceKind:$kind, Kernel_Number:$value, Kernel_Dim:$dim,
                       Kernel_Count:$lanes, Kernel_Count:$chunk);
  let results = (outs Kernel_Number:$result);
  let assemblyFormat = [{
    $kind $value `over` $dim `tree` `<` $lanes `,` $chunk `>` prop-dict attr-dict `:` type($result)
  }];
  let hasVerifier = 1;
}

def Kernel_ArgmaxOp : Kernel_BodyOp<"argmax", [Pure]> {
  let summary = "the lowest index of the largest element over a dim";
  let description = [{
    What the scan `best = -inf, at = 0; for e: if (v[e] > best) best = v[e], at = e` leaves in `at`:
    ties give the lowest index, NaNs are passed over, and the index is 0 where no element is above
    -inf. It is `dlm.argmax` on f32.

    Constraints:
    - C1: the dim is the space's reduced one, and the schedule is `row`.
  }];
  let arguments = (ins F32:$value, Kernel_Dim:$dim);
  let results = (outs I32:$result);
  let assemblyFormat = "$value `over` $dim prop-dict attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Kernel_ScatterOp : Kernel_BodyOp<"scatter", [Pure, AllTypesMatch<["value", "result"]>]> {
  let summary = "for each n the sum of the values over p whose index is n";
  let description = [{
    result[g, n, j] = the chain from -0.0 in rising p of value[g, p, j] where at[g, p] = n, with
    the chain as left operand. An index that is no n adds to nothing.

    Constraints:
    - C1: the schedule is `scatter`.
    - C2: the value does not vary over n, and the index over neither n nor j.
    - C3: it is the only one of the kernel, and its result is stored and nothing else.
  }];
  let arguments = (ins F32:$value, I64:$at);
  let results = (outs F32:$result);
  let assemblyFormat = "$value `at` $at attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Kernel_RandomOp : Kernel_BodyOp<"random", [Pure]> {
  let summary = "a random value of Philox4x32-10, a function of its operands and the site";
  let description = [{
    key = seed; counter = {index / 4 low, index / 4 high + attempt high, attempt low, site low};
    word = index mod 4.
    `uniform`: (word >> 8) * 2^-24. `normal`: Box-Muller on the pair of words that holds the word:
    u1 = ((even >> 8) + 1) * 2^-24, u2 = (odd >> 8) * 2^-24, r = sqrt(-2 log u1), a = 6.2831855 u2;
    r cos a for the even word, r sin a for the odd one.
  }];
  let arguments = (ins Kernel_RandomKind:$kind, I64:$seed, I64:$attempt, I64:$index, I64Prop:$site);
  let results = (outs F32:$result);
  let assemblyFormat = [{
    $kind `(` $seed `,` $attempt `,` $index `)` `site` $site prop-dict attr-dict `:` type($result)
  }];
}

def Kernel_LaunchOp : Kernel_Op<"launch", [Pure,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "runs a kernel on whole tensors";
  let description = [{
    Operands are the kernel's inputs, results its outputs; shapes may differ from the kernel's as
    long as the elements are as many (row-major memory is the same). Lifespan: `fuse` to `place`.

    Constraints:
    - C1: the symbol names a kernel with as many inputs and outputs.
    - C2: element types agree, and element counts, with `?` read as `extent` in every shape.
    - C3: `extent` is the extent of the space's dim 0 where that is constant.

    Example: `%y = kernel.launch @relu(%x) extent 640 : (tensor<64x10xf32>) -> tensor<64x10xf32>`
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<Kernel_Tensor>:$operands,
                       Kernel_Count:$extent);
  let results = (outs Variadic<Kernel_Tensor>:$results);
  let assemblyFormat = [{
    $callee `(` $operands `)` `extent` $extent prop-dict attr-dict
    `:` functional-type($operands, $results)
  }];
  let extraClassDeclaration = [{
    /// How many work items the launch has.
    int64_t getItems();
    /// The kernel launched; null if the symbol is missing.
    ::kernel::FuncOp getKernel();
  }];
}

def Kernel_ContractOp : Kernel_Op<"contract", [Pure, InferTypeOpAdaptor]> {
  let summary = "matrix products: each element is one chain of fused multiply-adds over rising k";
  let description = [{
    out[..., m, n] = fma chain over k of a[..., m, k] * b[..., k, n], from -0.0; `splits` contiguous
    k ranges are chains of their own, folded as chunks are. The dims in front number the products.
    Lifespan: `fuse` to `codegen/plan`.

    Constraints:
    - C1: both operands contract the same size.
    - C2: both operands have one rank, of at least 2, and the same sizes in front.
  }];
  let arguments = (ins Kernel_Matrices:$lhs, Kernel_Matrices:$rhs,
                       UnitProp:$transposeLhs, UnitProp:$transposeRhs,
                       DefaultValuedProp<Kernel_Count, "1">:$splits);
  let results = (outs Kernel_Matrices:$result);
  let assemblyFormat = [{
    $lhs (`transposed` $transposeLhs^)? `,` $rhs (`transposed` $transposeRhs^)?
    (`splits` $splits^)? prop-dict attr-dict `:` type($lhs) `,` type($rhs) `->` type($result)
  }];
  let hasVerifier = 1;
}

#endif
