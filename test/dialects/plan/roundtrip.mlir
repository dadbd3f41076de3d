// RUN: dlm-opt %s | dlm-opt | FileCheck %s

// CHECK: plan.arena @persistent <persistent> size 128 align 64
// CHECK: plan.arena @transient <transient> size 64 align 64
plan.arena @persistent <persistent> size 128 align 64
plan.arena @transient <transient> size 64 align 64
// CHECK: plan.buffer @a : tensor<2x2xf32> in @persistent at 0 live 0 to 0 persistent
// CHECK: plan.buffer @t : tensor<2x2xf32> in @transient at 16 live 0 to 1
plan.buffer @a : tensor<2x2xf32> in @persistent at 0 live 0 to 0 persistent
plan.buffer @t : tensor<2x2xf32> in @transient at 16 live 0 to 1
// CHECK: plan.function @k.partial block 256 shared 1024
plan.function @k.partial block 256 shared 1024
// CHECK: plan.function @mm block 64 shared 0
plan.function @mm block 64 shared 0
// CHECK: plan.program @p rows 4 reads ["batch.x"]
plan.program @p rows 4 reads ["batch.x"] {
  // CHECK: plan.contract 2 x 2 x 2 transpose_rhs [#plan.ref<@a at 0 for 16>,
  // CHECK-SAME: #plan.ref<@a at 0 for 16>, #plan.ref<@t at 0 for 16>]
  plan.contract 2 x 2 x 2 transpose_rhs [#plan.ref<@a at 0 for 16>, #plan.ref<@a at 0 for 16>,
      #plan.ref<@t at 0 for 16>]
  // CHECK: plan.copy sync <@a at 0 for 16> from <@t at 0 for 16>
  plan.copy sync <@a at 0 for 16> from <@t at 0 for 16>
  // CHECK: plan.fill sync <@t at 4 for 8> with 7
  plan.fill sync <@t at 4 for 8> with 7
  // CHECK: plan.launch sync @k items 1 extent 4 [#plan.ref<@a at 0 for 16>]
  plan.launch sync @k items 1 extent 4 [#plan.ref<@a at 0 for 16>]
  // CHECK: plan.launch @k items 1 extent 4 [#plan.ref<@a at 0 for 16>]
  // CHECK-SAME: stages [#plan.stage<@k.partial grid 3 numbers [4, 1] scratch 64>,
  // CHECK-SAME: #plan.stage<@mm grid 1 numbers [] scratch 0>]
  plan.launch @k items 1 extent 4 [#plan.ref<@a at 0 for 16>]
      stages [#plan.stage<@k.partial grid 3 numbers [4, 1] scratch 64>,
              #plan.stage<@mm grid 1 numbers [] scratch 0>]
  // CHECK: plan.contract 1 x 1 x 1 batch 4 [#plan.ref<@a at 0 for 16>,
  plan.contract 1 x 1 x 1 batch 4 [#plan.ref<@a at 0 for 16>, #plan.ref<@a at 0 for 16>,
      #plan.ref<@t at 0 for 16>]
  // CHECK: plan.contract sync 2 x 2 x 2 splits 2
  // CHECK-SAME: stages [#plan.stage<@mm grid 1 numbers [2, 2, 2] scratch 0>]
  plan.contract sync 2 x 2 x 2 splits 2 [#plan.ref<@a at 0 for 16>, #plan.ref<@a at 0 for 16>,
      #plan.ref<@t at 0 for 16>] stages [#plan.stage<@mm grid 1 numbers [2, 2, 2] scratch 0>]
  // CHECK: plan.loop sync trips 2 {
  plan.loop sync trips 2 {
    // CHECK-NEXT: plan.loop trips 3 {
    plan.loop trips 3 {
      // CHECK-NEXT: plan.copy <@a at 8 for 4 step[0, -4]> from <@t at 0 for 4 step[4]>
      plan.copy <@a at 8 for 4 step[0, -4]> from <@t at 0 for 4 step[4]>
    }
  }
}
kernel.func @k() -> (%y: tensor<?xf32>) over <linear, [?]> {
  %0 = arith.constant 1.0 : f32
  kernel.store %0, %y affine_map<(d0) -> (d0)> : f32 -> tensor<?xf32>
}

// What each thread has for itself says so.
// CHECK: plan.arena @host <host> size 64 align 64 per_thread
// CHECK: plan.program @sample_train rows 0 reads [] per_thread
plan.arena @host <host> size 64 align 64 per_thread
plan.program @sample_train rows 0 reads [] per_thread {
}
