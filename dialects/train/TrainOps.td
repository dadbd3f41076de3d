// The declared run: what is trained, on what, against which loss, by which rule. A region computes
// with `dlm` ops; the ops here are the run itself and the leaves that stand for things only a run
// has: a field of the batch, a parameter, a reduction over all samples.
#ifndef DLM_DIALECTS_TRAIN_TRAINOPS_TD
#define DLM_DIALECTS_TRAIN_TRAINOPS_TD

include "dialects/dlm/DlmDialect.td"
include "dialects/interfaces/OpInterfaces.td"
include "dialects/train/TrainInterfaces.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Train_Dialect : Dialect {
  let name = "train";
  let cppNamespace = "::dlm::train";
  let summary = "the declared run: data, loss, metrics, optimizer, policies";
  let dependentDialects = ["::dlm::DlmDialect"];
}

class Train_Op<string mnemonic, list<Trait> traits = []> : Op<Train_Dialect, mnemonic, traits>;

/// A leaf: a value that the run provides, from a buffer.
class Train_Leaf<string mnemonic, string buffer> : Train_Op<mnemonic, [
    Pure, DeclareOpInterfaceMethods<LeafOpInterface>]> {
  let results = (outs Dlm_Tensor:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let extraClassDefinition = [{
    std::string $cppClass::getBuffer() { return "}] # buffer # [{"; }
  }];
}
class Train_NamedLeaf<string mnemonic, string prefix> : Train_Op<mnemonic, [
    Pure, DeclareOpInterfaceMethods<LeafOpInterface>]> {
  let arguments = (ins StrAttr:$name);
  let results = (outs Dlm_Tensor:$result);
  let assemblyFormat = "$name attr-dict `:` type($result)";
  let extraClassDefinition = [{
    std::string $cppClass::getBuffer() { return ("}] # prefix # [{." + getName()).str(); }
  }];
}

//===--- the run ---===//

def Train_RunOp : Train_Op<"run", [Symbol, IsolatedFromAbove, NoTerminator, NoRegionArguments]> {
  let summary = "a training run as declared";
  let description = [{
    Regions: `parameters` declares what is trained and how it starts, what is stored beside, and
    the moments of the optimizer; `loss` computes the named loss terms of a micro-batch of `rows`
    samples; `validation` the same terms and `metrics` the metrics of an evaluation batch of
    `eval_rows` samples; `optimizer` how a step changes the parameters, and what is averaged.
    `policy` is the recipe of the run: batch, duration, intervals, data (see README.md).
    `clip_norm`, if there is one, is the norm to which a longer gradient is shortened.
    `updates`, if a step makes several, lists them in order: `{name, clip_norm : f64 (0: none),
    rules : i64}`. The terms of update U are those named `U.TERM`, and the first `rules` rules are
    of the first update, the next of the second, and so on.

    C1: `loss`, `validation` and `metrics` end in `train.yield`.
    C2: `parameters` holds `train.param` and `train.buffer` only, with distinct names.
    C3: `loss` and `validation` yield the same names, and f32 scalars; so does `metrics`.
    C4: `train.parameter` names a declared parameter and has its type; so does `train.stored`
        a declared buffer.
    C5: `optimizer` holds `train.rule` and `train.average` only; no parameter has two rules. One
        without a rule never changes.
    C6: `train.next` stands in `loss`, once for a buffer and update, names a declared one and has
        its type.
    C7: with `updates` there are as many rules as they count, and no `clip_norm` for all.

    Lifespan: from `lower` until `dlm-instantiate-programs`.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, I64Attr:$rows, I64Attr:$eval_rows,
                       DictionaryAttr:$policy, OptionalAttr<F32Attr>:$clip_norm,
                       OptionalAttr<ArrayAttr>:$updates);
  let regions = (region MaxSizedRegion<1>:$parameters, SizedRegion<1>:$loss,
                        SizedRegion<1>:$validation, SizedRegion<1>:$metrics,
                        MaxSizedRegion<1>:$optimizer);
  let assemblyFormat = [{
    $sym_name `rows` $rows `,` $eval_rows (`clip_norm` $clip_norm^)? `policy` $policy
    attr-dict-with-keyword
    `parameters` $parameters `loss` $loss `validation` $validation `metrics` $metrics
    `optimizer` $optimizer
  }];
  let hasRegionVerifier = 1;
}

def Train_CommandOp : Train_Op<"command", [IsolatedFromAbove, NoTerminator, NoRegionArguments]> {
  let summary = "a command of the executable: a computation from parameters and arguments";
  let description = [{
    It becomes the program `program`, which reads batches of `rows` samples, or none if that is 0.

    C1: `body` ends in `train.yield`, of the named results.

    Example: `train.command "grey" program "command_grey" rows 0 { ... }`
    Lifespan: from `lower` until `dlm-instantiate-programs`.
  }];
  let arguments = (ins StrAttr:$name, StrAttr:$program, I64Attr:$rows);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$name `program` $program `rows` $rows $body attr-dict";
  let hasRegionVerifier = 1;
}

def Train_SampleOp : Train_Op<"sample", [IsolatedFromAbove, NoTerminator, NoRegionArguments]> {
  let summary = "what `data.map` makes of one sample of the source";
  let description = [{
    `train.input` is a field of the source, the results are the fields that a batch is made of.
    C1: `body` ends in `train.yield`, of the named fields.

    Example: `train.sample "train" { ... }`
    Lifespan: from `lower` until `dlm-instantiate-programs`.
  }];
  let arguments = (ins StrAttr:$name);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$name $body attr-dict";
  let hasRegionVerifier = 1;
}

def Train_ParamOp : Train_Op<"param", [HasParent<"RunOp">, NoTerminator, NoRegionArguments]> {
  let summary = "a trained tensor and the computation of its first value";
  let description = [{
    C1: `init` ends in a `train.yield` of one value of the declared type.
    C2: the type is a static f32 tensor.

    Example: `train.param "hidden.bias" : tensor<512xf32> init { ... }`
  }];
  let arguments = (ins StrAttr:$path, TypeAttr:$type);
  let regions = (region SizedRegion<1>:$init);
  let assemblyFormat = "$path `:` $type `init` $init attr-dict";
  let extraClassDeclaration = [{
    ::mlir::RankedTensorType getTensorType() {
      return ::llvm::cast<::mlir::RankedTensorType>(getType());
    }
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def Train_BufferOp : Train_Op<"buffer", [HasParent<"RunOp">, NoTerminator, NoRegionArguments]> {
  let summary = "a stored tensor that is not trained, and the computation of its first value";
  let description = [{
    C1: `init` ends in a `train.yield` of one value of the declared type.
    C2: the type is a static tensor of f32, i32 or i64.

    Example: `train.buffer "centre.running" : tensor<784xf32> init { ... }`
  }];
  let arguments = (ins StrAttr:$path, TypeAttr:$type);
  let regions = (region SizedRegion<1>:$init);
  let assemblyFormat = "$path `:` $type `init` $init attr-dict";
  let extraClassDeclaration = [{
    ::mlir::RankedTensorType getTensorType() {
      return ::llvm::cast<::mlir::RankedTensorType>(getType());
    }
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def Train_RuleOp : Train_Op<"rule", [HasParent<"RunOp">, NoTerminator, NoRegionArguments]> {
  let summary = "how a step changes some of the parameters";
  let description = [{
    `update` computes new values from `train.target`, `train.gradient` and `train.state`: of all
    parameters at once, as one flat tensor in which they lie as FlatLayout.h says, or with `each`
    of one parameter, again for every other. `moments` are the states it keeps.

    C1: `parameters` are declared, in that order; with `each` they have one type.
    C2: `moments` holds `train.moment` only, with distinct names.
    C3: `update` ends in a `train.yield` of "target", of the type of the parameters, and of every
        moment; beside them perhaps of "report.NAME".

    Example: `train.rule each ["w"] moments { } update { ... }`
    Lifespan: from `lower` until `dlm-instantiate-programs`.
  }];
  let arguments = (ins StrArrayAttr:$parameters, UnitAttr:$each);
  let regions = (region MaxSizedRegion<1>:$moments, SizedRegion<1>:$update);
  let assemblyFormat = [{
    (`each` $each^)? $parameters `moments` $moments `update` $update attr-dict
  }];
  let hasRegionVerifier = 1;
}

def Train_MomentOp : Train_Op<"moment", [HasParent<"RuleOp">, NoTerminator, NoRegionArguments]> {
  let summary = "a state of a rule and the computation of its first value";
  let description = [{
    C1: `init`, which may read `train.target`, ends in a `train.yield` of one value of the declared
        type.
    C2: the type is a static tensor of f32, i32 or i64; of a rule for all parameters at once, that
        of the parameters.

    Example: `train.moment "velocity" : tensor<2048xf32> init { ... }`
  }];
  let arguments = (ins StrAttr:$name, TypeAttr:$type);
  let regions = (region SizedRegion<1>:$init);
  let assemblyFormat = "$name `:` $type `init` $init attr-dict";
  let extraClassDeclaration = [{
    ::mlir::RankedTensorType getTensorType() {
      return ::llvm::cast<::mlir::RankedTensorType>(getType());
    }
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def Train_AverageOp : Train_Op<"average", [HasParent<"RunOp">]> {
  let summary = "a buffer that follows a parameter or another buffer as a moving average";
  let description = [{
    After each step the buffer `path` is old + (new - old) * (1 - decay), where `new` is what `of`
    holds then; of whole numbers it is `new`.

    C1: `path` names a declared buffer, `of` a declared parameter or buffer of the same type.

    Example: `train.average "slow.w" of "w" decay 9.990000e-01 : f64`
    Lifespan: from `lower` until `dlm-instantiate-programs`.
  }];
  let arguments = (ins StrAttr:$path, StrAttr:$of, F64Attr:$decay);
  let assemblyFormat = "$path `of` $of `decay` $decay attr-dict";
}

def Train_YieldOp : Train_Op<"yield", [Pure, Terminator]> {
  let summary = "the named results of a region";
  let description = [{
    C1: as many names as values, all distinct.

    Example: `train.yield ["loss"] %l : tensor<f32>`
  }];
  let arguments = (ins StrArrayAttr:$names, Variadic<Dlm_Tensor>:$values);
  let assemblyFormat = "$names ($values^ `:` type($values))? attr-dict";
  let builders = [OpBuilder<(ins), [{
    $_state.addAttribute("names", $_builder.getArrayAttr({}));
  }]>];
  let hasVerifier = 1;
}

//===--- leaves ---===//

def Train_InputOp : Train_NamedLeaf<"input", "batch"> {
  let summary = "a field of the batch: axis 0 runs over the samples";
}
def Train_OptionOp : Train_NamedLeaf<"option", "option"> {
  let summary = "a run-time option";
}
def Train_ArgumentOp : Train_NamedLeaf<"argument", "argument"> {
  let summary = "an argument of a command, `COMMAND.NAME`; in its body only";
}
def Train_AmbientOp : Train_NamedLeaf<"ambient", "state"> {
  let summary = "a number of the run's state: step, attempt, seed, row, made";
  let description = [{
    `made`, in a rule, is how many updates were made by it.
    `row` is the number, in the global batch or the evaluation set, of the first sample that the
    program sees.
  }];
}
def Train_StateOp : Train_NamedLeaf<"state", "opt"> {
  let summary = "a moment of a rule; in its `update` only";
}
def Train_TargetOp : Train_Leaf<"target", "params"> {
  let summary = "the parameters of a rule as one flat tensor, or one of them; in rules only";
}
def Train_GradientOp : Train_Leaf<"gradient", "grads"> {
  let summary = "the gradient of `train.target`; in the `update` of a rule only";
}
def Train_SampleCountOp : Train_Leaf<"sample_count", "batch.size"> {
  let summary = "how many samples the global batch, or the evaluation set, has";
  let description = [{ In evaluation its buffer is `eval.count`, which `eval` sums up. }];
}
def Train_StoredOp : Train_NamedLeaf<"stored", "buffer"> {
  let summary = "what a buffer holds before the step";
}
def Train_FittedOp : Train_NamedLeaf<"fitted", "fitted"> {
  let summary = "what `data.fit` computed for a buffer or parameter; in its `init` only";
  let description = [{ Its content comes with the plan: see `fitted` of the policy. }];
}
def Train_ParameterOp : Train_Op<"parameter", [Pure]> {
  let summary = "the present value of a parameter";
  let description = [{ Becomes a segment of the buffer `params`. }];
  let arguments = (ins StrAttr:$name);
  let results = (outs Dlm_FloatTensor:$result);
  let assemblyFormat = "$name attr-dict `:` type($result)";
}

def Train_NextOp : Train_Op<"next", []> {
  let summary = "the value of a buffer after the step; in `loss` only";
  let description = [{
    With `sums` the value of a step is the sum of those of its micro-batches; without, all of them
    give the same value. Of several updates each has its own, which is the sum of what so many
    `calls` give; what all of them give in a step is averaged at its end.

    Example: `train.next "centre.seen" %n : tensor<i32>`
    Example: `train.next "centre.mean" in "maker_step" calls 2 %m sums : tensor<3xf32>`
    Lifespan: from `lower` until `dlm-instantiate-programs`.
  }];
  let arguments = (ins StrAttr:$name, Dlm_Tensor:$value, UnitAttr:$sums,
                       OptionalAttr<StrAttr>:$update, OptionalAttr<I64Attr>:$calls);
  let assemblyFormat = [{
    $name (`in` $update^ `calls` $calls)? $value (`sums` $sums^)? attr-dict `:` type($value)
  }];
}

//===--- ops over all samples ---===//

def Train_BatchReduceOp : Train_Op<"batch_reduce", [
    Pure, DeclareOpInterfaceMethods<DifferentiableOpInterface>]> {
  let summary = "a reduction over all samples of the global batch or the evaluation set";
  let description = [{
    C1: `dims` increase strictly and lie within the rank. In evaluation the first is 0, the batch
        axis.
    C2: the result is the operand without those dims.

    Example: `%s = train.batch_reduce add %x [0] : tensor<64xf32> -> tensor<f32>`
    Lifespan: in `loss` until `dlm-instantiate-programs`, in evaluation until
    `dlm-accumulate-metrics`.
  }];
  let arguments = (ins Dlm_ReduceKindAttr:$kind, Dlm_Tensor:$operand, DenseI64ArrayAttr:$dims);
  let results = (outs Dlm_Tensor:$result);
  let assemblyFormat = "$kind $operand $dims attr-dict `:` type($operand) `->` type($result)";
  let hasVerifier = 1;
}

def Train_BatchSquaresOp : Train_Op<"batch_squares", [Pure]> {
  let summary = "the sum of the squared distances from the mean over the evaluation set";
  let description = [{
    Of the elements that `mask` lets through, if it is given. What variances are made of.

    C1: `dims` increase strictly, lie within the rank, and begin with 0, the batch axis.
    C2: the result is the operand without those dims; the mask has the operand's shape.

    Example: `%s = train.batch_squares %x [0] : tensor<64xf32> -> tensor<f32>`
    Lifespan: in `validation` and `metrics` until `dlm-accumulate-metrics`.
  }];
  let arguments = (ins TensorOf<[F32]>:$operand, Optional<TensorOf<[I1]>>:$mask,
                       DenseI64ArrayAttr:$dims);
  let results = (outs TensorOf<[F32]>:$result);
  let assemblyFormat = [{
    $operand (`where` $mask^ `:` type($mask) `,`)? $dims attr-dict `:` type($operand) `->`
    type($result)
  }];
  let hasVerifier = 1;
}

def Train_ShareOp : Train_Op<"share", [
    Pure, SameOperandsAndResultType, DeclareOpInterfaceMethods<DifferentiableOpInterface>]> {
  let summary = "the part of a once-per-batch value that one micro-batch counts";
  let description = [{
    value * rows / batch size in the loss, so that the sum over the micro-batches counts the value
    once; the value itself in evaluation.
  }];
  let arguments = (ins TensorOf<[F32]>:$operand);
  let results = (outs TensorOf<[F32]>:$result);
  let assemblyFormat = "$operand attr-dict `:` type($result)";
}

#endif
