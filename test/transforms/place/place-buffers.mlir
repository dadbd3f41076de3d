// RUN: dlm-opt %s --dlm-place-buffers --split-input-file | FileCheck %s

// The kernel reads each element before it writes it, so the result lies where its operand was.
// CHECK: plan.buffer @a : tensor<8xf32> in @persistent at 0
// CHECK-NOT: plan.buffer
// CHECK-LABEL: plan.program @an_update_happens_in_place
// CHECK-NEXT: plan.launch @exp items 1 extent 8
// CHECK-SAME: [#plan.ref<@a at 0 for 32>, #plan.ref<@a at 0 for 32>]
func.func @an_update_happens_in_place(%a: tensor<8xf32> {dlm.buffer = "a"})
    -> (tensor<8xf32> {dlm.buffer = "a"}) {
  %0 = kernel.launch @exp(%a) extent 8 : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
kernel.func @exp(%x: tensor<?xf32>) -> (%y: tensor<?xf32>) over <linear, [?]> {
  %0 = kernel.load %x affine_map<(d0) -> (d0)> : tensor<?xf32> -> f32
  %1 = math.exp %0 : f32
  kernel.store %1, %y affine_map<(d0) -> (d0)> : f32 -> tensor<?xf32>
}

// -----

// A product may not write over its operand, and %a is read again after %s is known: both go through
// memory of their own, and what replaces a buffer is copied at the end.
// CHECK-LABEL: plan.program @waits_until_nobody_reads
// CHECK: plan.launch @exp {{.*}}@a at 0 {{.*}}@[[T:waits.+]] at 0
// CHECK: plan.contract sync {{.*}}@[[T]] at 0 {{.*}}@a at 0 {{.*}}@p at 0
// CHECK: plan.copy sync <@a at 0 for 16> from <@[[T]] at 0 for 16>
func.func @waits_until_nobody_reads(%a: tensor<2x2xf32> {dlm.buffer = "a"})
    -> (tensor<2x2xf32> {dlm.buffer = "a"}, tensor<2x2xf32> {dlm.buffer = "p"}) {
  %s = kernel.launch @exp(%a) extent 4 : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %p = kernel.contract %s, %a : tensor<2x2xf32>, tensor<2x2xf32> -> tensor<2x2xf32>
  return %s, %p : tensor<2x2xf32>, tensor<2x2xf32>
}
kernel.func @exp(%x: tensor<?xf32>) -> (%y: tensor<?xf32>) over <linear, [?]> {
  %0 = kernel.load %x affine_map<(d0) -> (d0)> : tensor<?xf32> -> f32
  %1 = math.exp %0 : f32
  kernel.store %1, %y affine_map<(d0) -> (d0)> : f32 -> tensor<?xf32>
}

// -----

// Parts are written directly into the pack; what is between them is filled with zero.
// CHECK-LABEL: plan.program @parts_go_directly_into_the_pack
// CHECK: plan.launch @exp {{.*}}@flat at 0 for 12
// CHECK: plan.launch @exp {{.*}}@flat at 16 for 16
// CHECK: plan.fill <@flat at 12 for 4> with 0
func.func @parts_go_directly_into_the_pack(%a: tensor<3xf32> {dlm.buffer = "a"},
    %b: tensor<4xf32> {dlm.buffer = "b"})
    -> (tensor<8xf32> {dlm.buffer = "flat"}) {
  %x = kernel.launch @exp(%a) extent 3 : (tensor<3xf32>) -> tensor<3xf32>
  %y = kernel.launch @exp(%b) extent 4 : (tensor<4xf32>) -> tensor<4xf32>
  %f = dlm.pack %x, %y offsets [0, 4] : tensor<3xf32>, tensor<4xf32> -> tensor<8xf32>
  return %f : tensor<8xf32>
}
kernel.func @exp(%x: tensor<?xf32>) -> (%y: tensor<?xf32>) over <linear, [?]> {
  %0 = kernel.load %x affine_map<(d0) -> (d0)> : tensor<?xf32> -> f32
  %1 = math.exp %0 : f32
  kernel.store %1, %y affine_map<(d0) -> (d0)> : f32 -> tensor<?xf32>
}

// -----

// An output takes over the memory of an input that nobody needs any more: one transient buffer.
// Instructions that touch different memory need no barrier.
// CHECK: plan.buffer @takes_over_dying_inputs.t{{[0-9]+}} {{.*}} in @transient
// CHECK-NOT: in @transient
// CHECK-LABEL: plan.program @takes_over_dying_inputs rows 4 reads ["batch.x"]
// CHECK: plan.launch @exp items 1 {{.*}}@batch.x at 0 {{.*}}@[[T:takes.+]] at 0
// CHECK: plan.launch sync @exp items 1 {{.*}}@[[T]] at 0 {{.*}}@[[T]] at 0
// CHECK: plan.launch sync @exp items 1 {{.*}}@[[T]] at 0 {{.*}}@out at 0
// CHECK: plan.launch @exp items 1 {{.*}}@batch.x at 0 {{.*}}@other at 0
func.func @takes_over_dying_inputs(%x: tensor<4xf32> {dlm.buffer = "batch.x"})
    -> (tensor<4xf32> {dlm.buffer = "out"}, tensor<4xf32> {dlm.buffer = "other"})
        attributes {dlm.rows = 4 : i64} {
  %0 = kernel.launch @exp(%x) extent 4 : (tensor<4xf32>) -> tensor<4xf32>
  %1 = kernel.launch @exp(%0) extent 4 : (tensor<4xf32>) -> tensor<4xf32>
  %2 = kernel.launch @exp(%1) extent 4 : (tensor<4xf32>) -> tensor<4xf32>
  %3 = kernel.launch @exp(%x) extent 4 : (tensor<4xf32>) -> tensor<4xf32>
  return %2, %3 : tensor<4xf32>, tensor<4xf32>
}
kernel.func @exp(%x: tensor<?xf32>) -> (%y: tensor<?xf32>) over <linear, [?]> {
  %0 = kernel.load %x affine_map<(d0) -> (d0)> : tensor<?xf32> -> f32
  %1 = math.exp %0 : f32
  kernel.store %1, %y affine_map<(d0) -> (d0)> : f32 -> tensor<?xf32>
}

// -----

// Nobody reads the first output, and it takes over the input; the second one may not do so as well.
// CHECK-LABEL: plan.program @gives_an_input_away_once
// CHECK: plan.launch sync @two {{.*}}@[[A:gives.+]] at 0 for 16>, #plan.ref<@[[A]] at 0
// CHECK-SAME: @[[B:gives.+]] at 0
// CHECK-NEXT: plan.contract sync {{.*}}@[[B]] at 0 {{.*}}@[[B]] at 0
func.func @gives_an_input_away_once(%x: tensor<2x2xf32> {dlm.buffer = "batch.x"})
    -> (tensor<2x2xf32> {dlm.buffer = "out"}) attributes {dlm.rows = 2 : i64} {
  %0 = kernel.contract %x, %x : tensor<2x2xf32>, tensor<2x2xf32> -> tensor<2x2xf32>
  %1:2 = kernel.launch @two(%0) extent 4 : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>)
  %2 = kernel.contract %1#1, %1#1 : tensor<2x2xf32>, tensor<2x2xf32> -> tensor<2x2xf32>
  return %2 : tensor<2x2xf32>
}
kernel.func @two(%x: tensor<?xf32>) -> (%y: tensor<?xf32>, %z: tensor<?xf32>) over <linear, [?]> {
  %0 = kernel.load %x affine_map<(d0) -> (d0)> : tensor<?xf32> -> f32
  %1 = math.exp %0 : f32
  kernel.store %0, %y affine_map<(d0) -> (d0)> : f32 -> tensor<?xf32>
  kernel.store %1, %z affine_map<(d0) -> (d0)> : f32 -> tensor<?xf32>
}

// -----

// A kernel that reads elsewhere than it writes gets a buffer of its own.
// CHECK-LABEL: plan.program @a_transpose_does_not_happen_in_place
// CHECK: plan.launch @swap {{.*}}@a at 0 {{.*}}@[[T:a_.+]] at 0
// CHECK: plan.copy sync <@a at 0 for 16> from <@[[T]] at 0 for 16>
func.func @a_transpose_does_not_happen_in_place(%a: tensor<2x2xf32> {dlm.buffer = "a"})
    -> (tensor<2x2xf32> {dlm.buffer = "a"}) {
  %0 = kernel.launch @swap(%a) extent 2 : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}
kernel.func @swap(%x: tensor<2x2xf32>) -> (%y: tensor<2x2xf32>) over <row, [2, 2]> {
  %0 = kernel.load %x affine_map<(d0, d1) -> (d1, d0)> : tensor<2x2xf32> -> f32
  kernel.store %0, %y affine_map<(d0, d1) -> (d0, d1)> : f32 -> tensor<2x2xf32>
}

// -----

// A batch of another size is another buffer.
// CHECK: plan.buffer @batch.x : tensor<4xf32> in @staging
// CHECK: plan.buffer @"batch.x@eval" : tensor<6xf32> in @staging
// CHECK-LABEL: plan.program @eval rows 6 reads ["batch.x@eval"]
func.func @grad(%x: tensor<4xf32> {dlm.buffer = "batch.x"})
    -> (tensor<4xf32> {dlm.buffer = "p"}) attributes {dlm.rows = 4 : i64} {
  %0 = kernel.launch @exp(%x) extent 4 : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @eval(%x: tensor<6xf32> {dlm.buffer = "batch.x"})
    -> (tensor<6xf32> {dlm.buffer = "q"}) attributes {dlm.rows = 6 : i64} {
  %0 = kernel.launch @exp(%x) extent 6 : (tensor<6xf32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}
kernel.func @exp(%x: tensor<?xf32>) -> (%y: tensor<?xf32>) over <linear, [?]> {
  %0 = kernel.load %x affine_map<(d0) -> (d0)> : tensor<?xf32> -> f32
  %1 = math.exp %0 : f32
  kernel.store %1, %y affine_map<(d0) -> (d0)> : f32 -> tensor<?xf32>
}

// -----

// What any thread runs for itself has one arena for everything: its named buffers, and behind them
// its intermediate values.
// CHECK: plan.arena @transient <transient> size 0
// CHECK: plan.arena @host <host> size 192 align 64 per_thread
// CHECK: plan.buffer @sample.in.x : tensor<8xf32> in @host at 0 live 0 to 0 persistent
// CHECK: plan.buffer @sample.out.x : tensor<8xf32> in @host at 64 live 0 to 0 persistent
// CHECK: plan.buffer @[[T:sample_train.+]] : tensor<8xf32> in @host at 128
// CHECK-LABEL: plan.program @sample_train rows 0 reads [] per_thread
// CHECK-NEXT: plan.launch @exp {{.*}}@sample.in.x at 0 {{.*}}@[[T]] at 0
// CHECK-NEXT: plan.launch sync @exp {{.*}}@[[T]] at 0 {{.*}}@sample.out.x at 0
func.func @sample_train(%a: tensor<8xf32> {dlm.buffer = "sample.in.x"})
    -> (tensor<8xf32> {dlm.buffer = "sample.out.x"})
    attributes {dlm.per_thread, dlm.rows = 0 : i64} {
  %0 = kernel.launch @exp(%a) extent 8 : (tensor<8xf32>) -> tensor<8xf32>
  %1 = kernel.launch @exp(%0) extent 8 : (tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
kernel.func @exp(%x: tensor<?xf32>) -> (%y: tensor<?xf32>) over <linear, [?]> {
  %0 = kernel.load %x affine_map<(d0) -> (d0)> : tensor<?xf32> -> f32
  %1 = math.exp %0 : f32
  kernel.store %1, %y affine_map<(d0) -> (d0)> : f32 -> tensor<?xf32>
}
