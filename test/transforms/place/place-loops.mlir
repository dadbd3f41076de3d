// RUN: dlm-opt %s --dlm-place-buffers --split-input-file | FileCheck %s

// Slices are ranges that move; the state lies where it is wanted after the loop, its first value is
// made there, and the kernel that reads it writes over it.
// CHECK-LABEL: plan.program @a_state_is_made_in_place
// CHECK-NEXT: plan.launch @exp items 1 extent 3
// CHECK-SAME: [#plan.ref<@s at 0 for 12>, #plan.ref<@last at 0 for 12>]
// CHECK-NEXT: plan.loop trips 5 {
// CHECK-NEXT: plan.launch @add items 1 extent 3
// CHECK-SAME: [#plan.ref<@last at 0 for 12>, #plan.ref<@x at 0 for 12 step[12]>,
// CHECK-SAME: #plan.ref<@last at 0 for 12>, #plan.ref<@all at 0 for 12 step[12]>]
// CHECK-NEXT: }
// CHECK-NEXT: }
func.func @a_state_is_made_in_place(%x: tensor<5x3xf32> {dlm.buffer = "x"},
    %s: tensor<3xf32> {dlm.buffer = "s"})
    -> (tensor<3xf32> {dlm.buffer = "last"}, tensor<5x3xf32> {dlm.buffer = "all"}) {
  %first = kernel.launch @exp(%s) extent 3 : (tensor<3xf32>) -> tensor<3xf32>
  %0:2 = dlm.scan trips 5 init(%first : tensor<3xf32>) over(%x : tensor<5x3xf32>) capture()
      -> (tensor<3xf32>, tensor<5x3xf32>) {
  ^bb0(%k: tensor<i32>, %old: tensor<3xf32>, %each: tensor<3xf32>):
    %1:2 = kernel.launch @add(%old, %each) extent 3
        : (tensor<3xf32>, tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>)
    dlm.yield %1#0, %1#1 : tensor<3xf32>, tensor<3xf32>
  }
  return %0#0, %0#1 : tensor<3xf32>, tensor<5x3xf32>
}
kernel.func @exp(%x: tensor<?xf32>) -> (%y: tensor<?xf32>) over <linear, [?]> {
  %0 = kernel.load %x affine_map<(d0) -> (d0)> : tensor<?xf32> -> f32
  %1 = math.exp %0 : f32
  kernel.store %1, %y affine_map<(d0) -> (d0)> : f32 -> tensor<?xf32>
}
kernel.func @add(%a: tensor<?xf32>, %b: tensor<?xf32>)
    -> (%y: tensor<?xf32>, %z: tensor<?xf32>) over <linear, [?]> {
  %0 = kernel.load %a affine_map<(d0) -> (d0)> : tensor<?xf32> -> f32
  %1 = kernel.load %b affine_map<(d0) -> (d0)> : tensor<?xf32> -> f32
  %2 = arith.addf %0, %1 : f32
  kernel.store %2, %y affine_map<(d0) -> (d0)> : f32 -> tensor<?xf32>
  kernel.store %2, %z affine_map<(d0) -> (d0)> : f32 -> tensor<?xf32>
}

// -----

// From the end: the range begins at the last slice. A product may not write over its operand, and
// the operand is an output as well: the next state is copied at the end of the trip. What the loop
// reads and what it is to write lives during all of it.
// CHECK: plan.buffer @from_the_end.t[[S:[0-9]+]]{{.*}} live 0 to 4
// CHECK: plan.buffer @from_the_end.t[[N:[0-9]+]]{{.*}} live 3 to 4
// CHECK-LABEL: plan.program @from_the_end
// CHECK-NEXT: plan.copy <@from_the_end.t[[S]] at 0 for 16> from <@s at 0 for 16>
// CHECK-NEXT: plan.loop trips 3 {
// CHECK-NEXT: plan.launch @exp {{.*}}@from_the_end.t[[S]] at 0 for 16>,
// CHECK-SAME: #plan.ref<@all at 32 for 16 step[-16]>
// CHECK-NEXT: plan.contract 2 x 2 x 2 [#plan.ref<@from_the_end.t[[S]] at 0 for 16>,
// CHECK-SAME: #plan.ref<@x at 32 for 16 step[-16]>, #plan.ref<@from_the_end.t[[N]] at 0 for 16>]
// CHECK-NEXT: plan.copy sync <@from_the_end.t[[S]] at 0 for 16>
// CHECK-SAME: from <@from_the_end.t[[N]] at 0 for 16>
// CHECK-NEXT: }
func.func @from_the_end(%x: tensor<3x2x2xf32> {dlm.buffer = "x"},
    %s: tensor<2x2xf32> {dlm.buffer = "s"}) -> (tensor<3x2x2xf32> {dlm.buffer = "all"}) {
  %0:2 = dlm.scan trips 3 reverse init(%s : tensor<2x2xf32>) over(%x : tensor<3x2x2xf32>)
      capture() -> (tensor<2x2xf32>, tensor<3x2x2xf32>) {
  ^bb0(%k: tensor<i32>, %old: tensor<2x2xf32>, %each: tensor<2x2xf32>):
    %1 = kernel.launch @exp(%old) extent 4 : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %2 = kernel.contract %old, %each : tensor<2x2xf32>, tensor<2x2xf32> -> tensor<2x2xf32>
    dlm.yield %2, %1 : tensor<2x2xf32>, tensor<2x2xf32>
  }
  return %0#1 : tensor<3x2x2xf32>
}
kernel.func @exp(%x: tensor<?xf32>) -> (%y: tensor<?xf32>) over <linear, [?]> {
  %0 = kernel.load %x affine_map<(d0) -> (d0)> : tensor<?xf32> -> f32
  %1 = math.exp %0 : f32
  kernel.store %1, %y affine_map<(d0) -> (d0)> : f32 -> tensor<?xf32>
}

// -----

// A loop in a loop: its ranges move with both, and its state, a slice of the outer one's outputs,
// with the outer.
// CHECK-LABEL: plan.program @a_loop_in_a_loop
// CHECK-NEXT: plan.loop trips 3 {
// CHECK-NEXT: plan.copy <@last at 0 for 8 step[8]> from <@s at 0 for 8>
// CHECK-NEXT: plan.loop trips 4 {
// CHECK-NEXT: plan.launch @add {{.*}}<@last at 0 for 8 step[8]>,
// CHECK-SAME: #plan.ref<@x at 24 for 8 step[32, -8]>,
// CHECK-SAME: #plan.ref<@last at 0 for 8 step[8]>]
// CHECK-NEXT: }
// CHECK-NEXT: }
func.func @a_loop_in_a_loop(%x: tensor<3x4x2xf32> {dlm.buffer = "x"},
    %s: tensor<2xf32> {dlm.buffer = "s"}) -> (tensor<3x2xf32> {dlm.buffer = "last"}) {
  %0 = dlm.scan trips 3 init() over(%x : tensor<3x4x2xf32>) capture(%s : tensor<2xf32>)
      -> (tensor<3x2xf32>) {
  ^bb0(%k: tensor<i32>, %row: tensor<4x2xf32>, %t: tensor<2xf32>):
    %1 = dlm.scan trips 4 reverse init(%t : tensor<2xf32>) over(%row : tensor<4x2xf32>) capture()
        -> (tensor<2xf32>) {
    ^bb0(%j: tensor<i32>, %old: tensor<2xf32>, %each: tensor<2xf32>):
      %2 = kernel.launch @add(%old, %each) extent 2
          : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      dlm.yield %2 : tensor<2xf32>
    }
    dlm.yield %1 : tensor<2xf32>
  }
  return %0 : tensor<3x2xf32>
}
kernel.func @add(%a: tensor<?xf32>, %b: tensor<?xf32>) -> (%y: tensor<?xf32>) over <linear, [?]> {
  %0 = kernel.load %a affine_map<(d0) -> (d0)> : tensor<?xf32> -> f32
  %1 = kernel.load %b affine_map<(d0) -> (d0)> : tensor<?xf32> -> f32
  %2 = arith.addf %0, %1 : f32
  kernel.store %2, %y affine_map<(d0) -> (d0)> : f32 -> tensor<?xf32>
}

// -----

// What a trip computes for itself lives in it; two values that do not live together share memory.
// CHECK: plan.buffer @within_a_trip.t[[A:[0-9]+]]{{.*}} live 2 to 3
// CHECK: plan.buffer @within_a_trip.t[[B:[0-9]+]]{{.*}} live 3 to 4
// CHECK-LABEL: plan.program @within_a_trip
// CHECK: plan.loop trips 3 {
// CHECK-NEXT: plan.contract 2 x 2 x 2 {{.*}}#plan.ref<@within_a_trip.t[[A]] at 0 for 16>]
// CHECK-NEXT: plan.contract sync 2 x 2 x 2 {{.*}}#plan.ref<@within_a_trip.t[[B]] at 0 for 16>]
// CHECK-NEXT: plan.contract sync 2 x 2 x 2 {{.*}}#plan.ref<@s at 0 for 16>]
func.func @within_a_trip(%s: tensor<2x2xf32> {dlm.buffer = "first"},
    %w: tensor<2x2xf32> {dlm.buffer = "w"}) -> (tensor<2x2xf32> {dlm.buffer = "s"}) {
  %0 = dlm.scan trips 3 init(%s : tensor<2x2xf32>) over() capture(%w : tensor<2x2xf32>)
      -> (tensor<2x2xf32>) {
  ^bb0(%k: tensor<i32>, %old: tensor<2x2xf32>, %m: tensor<2x2xf32>):
    %1 = kernel.contract %old, %m : tensor<2x2xf32>, tensor<2x2xf32> -> tensor<2x2xf32>
    %2 = kernel.contract %1, %m : tensor<2x2xf32>, tensor<2x2xf32> -> tensor<2x2xf32>
    %3 = kernel.contract %2, %m : tensor<2x2xf32>, tensor<2x2xf32> -> tensor<2x2xf32>
    dlm.yield %3 : tensor<2x2xf32>
  }
  return %0 : tensor<2x2xf32>
}
