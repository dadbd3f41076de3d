// The passes of the phase `place`, in pipeline order.
#ifndef DLM_TRANSFORMS_PLACE_PASSES
#define DLM_TRANSFORMS_PLACE_PASSES

include "mlir/Pass/PassBase.td"

def PlaceBuffersPass : Pass<"dlm-place-buffers", "::mlir::ModuleOp"> {
  let summary = "gives every value a range of an arena and every instruction its order and barrier";
  let description = [{
    **Before**: program functions of launches, products, views and loops; arguments and results
    carry `dlm.buffer`, the name of the buffer they are read from or written to.

    **After**: no function is left. The module holds arenas, buffers with offsets, and one
    `plan.program` for each function; the kernels stay.

    **Why here**: the last phase that decides anything; everything before it is values.

    **Example**:
    ```mlir
    func.func @f(%x: tensor<4xf32> {dlm.buffer = "a"}) -> (tensor<4xf32> {dlm.buffer = "a"}) {
      %0 = kernel.launch @k(%x) extent 4 : (tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    // becomes
    plan.buffer @a : tensor<4xf32> in @persistent at 0 live 0 to 0 persistent
    plan.program @f rows 0 reads [] {
      plan.launch @k items 1 extent 4 [#plan.ref<@a at 0 for 16>, #plan.ref<@a at 0 for 16>]
    }
    ```
  }];
  let dependentDialects = ["::plan::PlanDialect"];
}

def VerifyPlacePass : Pass<"dlm-verify-place", "::mlir::ModuleOp"> {
  let summary = "fail if something other than plan ops and kernels is left in the module";
  let description = [{
    **Before**: anything.

    **After**: the module holds arenas, buffers, programs and kernels only.

    **Why here**: the exit of the phase. Whether offsets, lifetimes and barriers are right is
    judged by `runtime/abi/PlanVerify` on the encoded plan, which shares no code with placement.

    **Example**: a `func.func` that is left is an error.
  }];
}

#endif
