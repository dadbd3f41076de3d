// The operations of the plan dialect, in the order in which they stand in a module.
#ifndef DLM_DIALECTS_PLAN_OPS
#define DLM_DIALECTS_PLAN_OPS

include "dialects/plan/PlanDialect.td"
include "mlir/IR/Properties.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"

class Plan_Op<string mnemonic, list<Trait> traits = []> : Op<Plan_Dialect, mnemonic, traits>;

def Plan_ArenaOp : Plan_Op<"arena", [Symbol]> {
  let summary = "one block of memory that the runtime allocates once";
  let description = [{
    Of a `per_thread` one each thread that runs programs over it has its own.
    C1: the size is a multiple of the alignment. Lives from `place` to the plan blob.

    ```mlir
    plan.arena @transient <transient> size 4096 align 64
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, Plan_ArenaKindAttr:$kind, I64Prop:$sizeBytes,
                       I64Prop:$alignment, UnitProp:$perThread);
  let assemblyFormat = [{
    $sym_name $kind `size` $sizeBytes `align` $alignment (`per_thread` $perThread^)? attr-dict
  }];
  let hasVerifier = 1;
}

def Plan_BufferOp : Plan_Op<"buffer", [Symbol, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "a range of an arena that holds one tensor";
  let description = [{
    C1: the range lies within the arena. A `persistent` buffer keeps its name for the runtime and
    lives for the whole run; any other one lives from instruction `birth` to `death` of one program.

    ```mlir
    plan.buffer @params : tensor<4096xf32> in @persistent at 0 live 0 to 0 persistent
    plan.buffer @grad.t0 : tensor<64x10xf32> in @transient at 128 live 3 to 7
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttr:$type, FlatSymbolRefAttr:$arena,
                       I64Prop:$offset, UnitProp:$persistent,
                       I64Prop:$birth, I64Prop:$death);
  let assemblyFormat = [{
    $sym_name `:` $type `in` $arena `at` $offset `live` $birth `to` $death
    (`persistent` $persistent^)? attr-dict
  }];
}

def Plan_ProgramOp : Plan_Op<"program", [Symbol, NoTerminator, SingleBlock, IsolatedFromAbove,
                                         NoRegionArguments]> {
  let summary = "instructions in order";
  let description = [{
    `rows` is the batch it is written for, or 0. `reads` names the batch buffers among its inputs.
    A `per_thread` one is run by any thread for itself, on the processor whatever the plan is for,
    over arenas of its own.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, I64Prop:$rows, StrArrayAttr:$reads,
                       UnitProp:$perThread);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $sym_name `rows` $rows `reads` $reads (`per_thread` $perThread^)? attr-dict-with-keyword $body
  }];
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::llvm::StringRef":$name, "int64_t":$rows,
                                 "::mlir::ArrayAttr":$reads, CArg<"bool", "false">:$perThread)>];
}

def Plan_FunctionOp : Plan_Op<"function", [Symbol]> {
  let summary = "a function of a device's code";
  let description = [{
    A block of it has `block` threads and `shared` bytes of shared memory. The code itself is not
    here: the plan and the device's image know a function by its name.
    C1: a block has threads, and its shared memory is not negative.

    ```mlir
    plan.function @relu block 256 shared 0
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, I64Prop:$blockSize, I64Prop:$sharedBytes);
  let assemblyFormat = "$sym_name `block` $blockSize `shared` $sharedBytes attr-dict";
  let hasVerifier = 1;
}

class Plan_Instruction<string mnemonic, list<Trait> traits = []>
    : Plan_Op<mnemonic, !listconcat(traits, [ParentOneOf<["ProgramOp", "LoopOp"]>])>;

def Plan_LaunchOp
    : Plan_Instruction<"launch", [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "runs the work items of a kernel";
  let description = [{
    `args` follow the kernel: inputs, then outputs. `extent` is the run-time size of the kernel's
    outermost dim. `sync`: everything before has ended when this starts.
    On a device the stages do the work, in order; without a device there are none.
    C1: the kernel takes as many arguments.
    C2: the functions of the stages exist.
  }];
  let arguments = (ins FlatSymbolRefAttr:$kernel, Plan_RefArray:$args, I64Prop:$items,
                       I64Prop:$extent, UnitProp:$sync, OptionalAttr<Plan_StageArray>:$stages);
  let assemblyFormat = [{
    (`sync` $sync^)? $kernel `items` $items `extent` $extent $args (`stages` $stages^)? attr-dict
  }];
}

def Plan_ContractOp
    : Plan_Instruction<"contract", [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "matrix products by the runtime's packed product, or by stages";
  let description = [{
    out[b, m, n] = one fma chain over k, split in `splits` ranges (NUMERICS N3); dense, row-major;
    b is below `batch`.
    C1: three arguments (lhs, rhs, out) of the sizes that batch, m, n and k give.
    C2: the functions of the stages exist.
  }];
  let arguments = (ins Plan_RefArray:$args, I64Prop:$m, I64Prop:$n, I64Prop:$k,
                       UnitProp:$transposeLhs, UnitProp:$transposeRhs,
                       DefaultValuedProp<I64Prop, "1">:$batch,
                       DefaultValuedProp<I64Prop, "1">:$splits, UnitProp:$sync,
                       OptionalAttr<Plan_StageArray>:$stages);
  let assemblyFormat = [{
    (`sync` $sync^)? $m `x` $n `x` $k (`transpose_lhs` $transposeLhs^)?
    (`transpose_rhs` $transposeRhs^)? (`batch` $batch^)? (`splits` $splits^)? $args
    (`stages` $stages^)? attr-dict
  }];
  let hasVerifier = 1;
}

def Plan_CopyOp : Plan_Instruction<"copy"> {
  let summary = "copies bytes";
  let description = "C1: both ranges are of one size.";
  let arguments = (ins Plan_RefAttr:$to, Plan_RefAttr:$from, UnitProp:$sync);
  let assemblyFormat = "(`sync` $sync^)? $to `from` $from attr-dict";
  let hasVerifier = 1;
}

def Plan_FillOp : Plan_Instruction<"fill"> {
  let summary = "repeats a 32-bit word over a range";
  let arguments = (ins Plan_RefAttr:$to, I64Prop:$pattern, UnitProp:$sync);
  let assemblyFormat = "(`sync` $sync^)? $to `with` $pattern attr-dict";
}

def Plan_LoopOp : Plan_Instruction<"loop", [NoTerminator, SingleBlock, NoRegionArguments]> {
  let summary = "runs instructions a number of times, with ranges that move";
  let description = [{
    A trip begins when all of the one before has ended, and what follows waits for the last one.
    C1: there is at least one trip, and loops nest two deep at most.
    C2: ranges move with loops around them only.

    ```mlir
    plan.loop trips 16 {
      plan.copy #plan.ref<@out at 0 for 64 step [64]> from #plan.ref<@state at 0 for 64>
    }
    ```
  }];
  let arguments = (ins I64Prop:$trips, UnitProp:$sync);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "(`sync` $sync^)? `trips` $trips attr-dict-with-keyword $body";
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "int64_t":$trips, "bool":$sync)>];
  let hasRegionVerifier = 1;
}

#endif
