// Loops that carry values from one trip to the next: the only op with a body.
#ifndef DLM_DLM_DLMOPSLOOP_TD
#define DLM_DLM_DLMOPSLOOP_TD

include "dialects/dlm/DlmOpsElementwise.td"

def Dlm_ScanOp : Dlm_Op<"scan", [
    AttrSizedOperandSegments, IsolatedFromAbove, SingleBlock,
    DeclareOpInterfaceMethods<CostModelOpInterface, ["getFlops"]>]> {
  let summary = "a recurrence: the same step for one slice after the other";
  let description = [{
    Slice k of each of `xs` is x[k, ...], without that dim. The step runs `trips` times, for k = 0,
    1, ..., or with `reverse` for k = trips - 1, ..., 1, 0. Its block has as arguments the number k,
    the states, slice k of each of `xs`, and `captures`, which are the same each time. It yields the
    states of the next trip, which begin as `inits`, and then the outputs of this trip. The results
    are the states after the last trip, and for each output one tensor whose slice k is what trip k
    gave.

    Constraints:
    - (C1) `trips` is positive.
    - (C2) The first dim of each of `xs` has the size `trips`.
    - (C3) The block takes a tensor of rank 0 of i32, the types of `inits`, those of the slices, and
      those of `captures`.
    - (C4) It ends in `dlm.yield`, whose first operands have the types of `inits`.
    - (C5) The results have the types of `inits`, then those of the outputs behind a dim `trips`.

    Its gradient is a scan in the other direction (compiler/transforms/expand/LoopGradient.h), which
    needs the states before each trip: so it is the walk that builds it, and not the op.

    Lifespan: until `place`. Example:
    `%last, %all = dlm.scan trips 5 init(%zero : tensor<f32>) over(%x : tensor<5xf32>) capture()
        -> (tensor<f32>, tensor<5xf32>) {
    ^bb0(%k: tensor<i32>, %sum: tensor<f32>, %each: tensor<f32>):
      %next = dlm.add %sum, %each : tensor<f32>
      dlm.yield %next, %next : tensor<f32>, tensor<f32>
    }`
  }];
  let arguments = (ins I64Attr:$trips, UnitProp:$reverse, Variadic<Dlm_Tensor>:$inits,
                       Variadic<Dlm_Tensor>:$xs, Variadic<Dlm_Tensor>:$captures);
  let results = (outs Variadic<Dlm_Tensor>:$results);
  let regions = (region SizedRegion<1>:$step);
  let assemblyFormat = [{
    `trips` $trips (`reverse` $reverse^)? `init` `(` ($inits^ `:` type($inits))? `)`
    `over` `(` ($xs^ `:` type($xs))? `)` `capture` `(` ($captures^ `:` type($captures))? `)`
    `->` `(` type($results) `)` $step attr-dict
  }];
  let skipDefaultBuilders = 1;
  let builders = [
    // Makes the block with its arguments; the caller fills it, up to its `dlm.yield`. `outputs` are
    // the types of what one trip gives.
    OpBuilder<(ins "int64_t":$trips, "bool":$reverse, "::mlir::ValueRange":$inits,
                   "::mlir::ValueRange":$xs, "::mlir::ValueRange":$captures,
                   "::mlir::TypeRange":$outputs)>];
  let extraClassDeclaration = [{
    /// Makes a scan of the ops in `step`, which belongs to no region: its arguments are the number,
    /// the states and the slices. What it uses from around it is captured, but for constants,
    /// which are copied. It yields `next`, then `outputs`. The block is left empty.
    static ScanOp close(::mlir::OpBuilder &builder, ::mlir::Location loc, int64_t trips,
                        bool reverse, ::mlir::ValueRange inits, ::mlir::ValueRange xs,
                        ::mlir::Block &step, ::mlir::ValueRange next,
                        ::mlir::ValueRange outputs);

    /// The arguments of the block.
    ::mlir::BlockArgument getTripNumber();
    ::mlir::Block::BlockArgListType getStates();
    ::mlir::Block::BlockArgListType getSlices();
    ::mlir::Block::BlockArgListType getCaptured();
    /// What the block yields: the states of the next trip, and the outputs of this one.
    ::mlir::OperandRange getNextStates();
    ::mlir::OperandRange getOutputs();
    /// The results: the states after the last trip, and the outputs of all trips.
    ::mlir::ResultRange getLastStates();
    ::mlir::ResultRange getStacked();
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def Dlm_YieldOp : Dlm_Op<"yield", [Terminator, HasParent<"ScanOp">]> {
  let summary = "what one trip of a `dlm.scan` gives";
  let description = [{
    Lifespan: that of `dlm.scan`. Example: `dlm.yield %next, %out : tensor<4xf32>, tensor<f32>`
  }];
  let arguments = (ins Variadic<Dlm_Tensor>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

#endif
