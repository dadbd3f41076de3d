// The passes of the phase `expand`, in the order of its pipeline: from the declared run to the
// programs init, grad, update, eval_begin, eval and eval_end in plain tensor ops.
#ifndef DLM_COMPILER_TRANSFORMS_EXPAND_PASSES_TD
#define DLM_COMPILER_TRANSFORMS_EXPAND_PASSES_TD

include "mlir/Pass/PassBase.td"

def InstantiateProgramsPass : Pass<"dlm-instantiate-programs", "::mlir::ModuleOp"> {
  let summary = "turn a declared run into functions over named buffers";
  let description = [{
    **Before**: one `train.run`.
    **After**: functions `init`, `grad` (the loss terms of one micro-batch), `update` (the bare
    rule) and `eval` (validation loss and metrics, batch reductions still in it); leaves are
    arguments, parameters segments of `params`, `params.N` or `params.held`; the policy and the list
    of state are attributes of the module.
    **Why here**: first. From here on everything is functions, and passes need not know regions.
    **Example**: `%x = train.input "image" : tensor<64x28x28xui8>` in `loss` becomes the argument
    `%x: tensor<64x28x28xui8> {dlm.buffer = "batch.image"}` of `@grad`.
  }];
  let dependentDialects = ["::dlm::DlmDialect", "::mlir::func::FuncDialect"];
}

def DifferentiateLossPass : Pass<"dlm-differentiate-loss", "::mlir::func::FuncOp"> {
  let summary = "append the gradient of the loss with respect to the flat parameters";
  let description = [{
    **Before**: the program `grad` returns its loss terms.
    **After**: it also returns `grads`, a pack of one gradient a parameter: of the sum of the terms.
    **Why here**: on the micro-batch as written, before anything is accumulated, so that the walk
    meets nothing but the forward computation.
    **Example**: `%l = dlm.mul %w, %w` with `%w = dlm.segment %params` gives `grads` =
    `dlm.pack(dlm.add(dlm.mul(1, %w), dlm.mul(1, %w)))`.
  }];
  let dependentDialects = ["::dlm::DlmDialect"];
}

def AccumulateGradientsPass : Pass<"dlm-accumulate-gradients", "::mlir::func::FuncOp"> {
  let summary = "add every result of `grad` to the buffer it goes to";
  let description = [{
    **Before**: `grad` returns losses and gradients of one micro-batch.
    **After**: each result is the old content of its buffer plus that, but for those to `last.*`,
    which every micro-batch gives the same; gradients segment by segment, so that each addition can
    join the kernel that computes the gradient.
    **Why here**: after differentiation, which must not see the old contents.
    **Example**: result `dlm.pack(%g)` becomes
    `dlm.pack(dlm.add(dlm.segment %old, %g))` with a new argument `%old {dlm.buffer = "grads"}`.
  }];
  let dependentDialects = ["::dlm::DlmDialect"];
}

def GuardUpdatePass : Pass<"dlm-guard-update", "::mlir::ModuleOp"> {
  let summary = "apply the update only if loss and gradient are finite, and count";
  let description = [{
    **Before**: `update` returns new parameters, moments and buffers, `grad` names the loss terms.
    **After**: `update` selects between new and old by one flag, advances `state.attempt` always,
    `state.step` on success and `state.skipped` otherwise, publishes `report.*`, and resets the
    accumulators to -0.0. Buffers are selected, and `next.*` reset, as well.
    **Why here**: the rule is complete and nothing else will write the parameters.
    **Example**: result `%new` to `params` becomes `dlm.select(%ok, %new, %old)`.
  }];
  let dependentDialects = ["::dlm::DlmDialect"];
}

def AccumulateMetricsPass : Pass<"dlm-accumulate-metrics", "::mlir::ModuleOp"> {
  let summary = "split evaluation into begin, one batch, and end at its batch reductions";
  let description = [{
    **Before**: `eval` computes metrics of one batch with `train.batch_reduce`.
    **After**: `eval_begin` sets one accumulator a reduction to its identity, `eval` adds a batch
    to it in which samples of weight 0 are replaced by the identity, `eval_end` computes the
    metrics from the accumulators. `train.batch_squares` has three.
    **Why here**: after common subexpressions have been merged, so that equal reductions share
    one accumulator, and the validation loss its forward pass with the metrics.
    **Example**: `%s = train.batch_reduce add %x [0]` becomes, in `eval`,
    `dlm.add(%old, dlm.reduce add (dlm.select(%weight > 0, %x, -0.0)))` to `eval.0`.
  }];
  let dependentDialects = ["::dlm::DlmDialect", "::mlir::func::FuncDialect"];
}

def ElideStopGradientsPass : Pass<"dlm-elide-stop-gradients", "::mlir::func::FuncOp"> {
  let summary = "drop the marks that only differentiation looks at";
  let description = [{
    **Before**: no gradient is to be built any more.
    **After**: no `dlm.stop_gradient`; its users read its operand.
    **Why here**: right after differentiation; from then on it would only hide equal values.
    **Example**: `dlm.exp (dlm.stop_gradient %x)` becomes `dlm.exp %x`.
  }];
  let dependentDialects = ["::dlm::DlmDialect"];
}

def VerifyExpandPass : Pass<"dlm-verify-expand", "::mlir::ModuleOp"> {
  let summary = "check that only programs over named buffers are left";
  let description = [{
    **Before**: anything.
    **After**: every function is a program, every argument and result names its buffer, every op
    is of the dialect `dlm`; otherwise an error that names op and phase.
    **Why here**: last, as the promise of the phase.
    **Example**: a `train.share` that is left: "is left after expand".
  }];
}

#endif
