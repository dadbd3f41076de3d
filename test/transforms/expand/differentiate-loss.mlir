// RUN: dlm-opt %s --split-input-file --dlm-differentiate-loss | FileCheck %s

// Each parameter gets one gradient, packed at the parameter's offset. A value used twice gets the
// sum of what its uses say.
// CHECK-LABEL: func.func @packs_gradients_at_offsets
// CHECK-SAME: (%[[P:.+]]: tensor<4096xf32>
// CHECK-SAME: -> ({{.*}}"loss.loss"}, tensor<4096xf32> {dlm.buffer = "grads"})
// CHECK-DAG: %[[A:.+]] = dlm.segment %[[P]] offset 0
// CHECK-DAG: %[[B:.+]] = dlm.segment %[[P]] offset 2048
// CHECK: %[[ONE:.+]] = dlm.constant dense<1.000000e+00>
// CHECK: %[[BY_B:.+]] = dlm.mul {{.*}}%[[B]]
// CHECK: %[[BY_A:.+]] = dlm.mul {{.*}}%[[A]]
// CHECK: %[[SUM:.+]] = dlm.add %[[ONE]], %[[BY_B]]
// CHECK: dlm.pack %[[SUM]], %[[BY_A]] offsets [0, 2048]
func.func @packs_gradients_at_offsets(%p: tensor<4096xf32> {dlm.buffer = "params"})
    -> (tensor<f32> {dlm.buffer = "loss.loss"}) attributes {dlm.program = "grad"} {
  %a = dlm.segment %p offset 0 : tensor<4096xf32> -> tensor<f32>
  %b = dlm.segment %p offset 2048 : tensor<4096xf32> -> tensor<f32>
  %m = dlm.mul %a, %b : tensor<f32>
  %l = dlm.add %m, %a : tensor<f32>
  return %l : tensor<f32>
}

// -----

// The losses are minimised as a sum: each is seeded with one.
// CHECK-LABEL: func.func @seeds_each_term
// CHECK: %[[A:.+]] = dlm.segment
// CHECK: %[[B:.+]] = dlm.neg %[[A]]
// CHECK: %[[SEED_A:.+]] = dlm.constant dense<1.000000e+00>
// CHECK: %[[SEED_B:.+]] = dlm.constant dense<1.000000e+00>
// CHECK: %[[THROUGH_B:.+]] = dlm.neg %[[SEED_B]]
// CHECK: %[[SUM:.+]] = dlm.add %[[SEED_A]], %[[THROUGH_B]]
// CHECK: dlm.pack %[[SUM]]
func.func @seeds_each_term(%p: tensor<2048xf32> {dlm.buffer = "params"})
    -> (tensor<f32> {dlm.buffer = "loss.a"}, tensor<f32> {dlm.buffer = "loss.b"})
    attributes {dlm.program = "grad"} {
  %a = dlm.segment %p offset 0 : tensor<2048xf32> -> tensor<f32>
  %b = dlm.neg %a : tensor<f32>
  return %a, %b : tensor<f32>, tensor<f32>
}

// -----

// No gradient is built for what does not lead to a parameter, and none passes a stop_gradient or an
// op that is constant by declaration; the parameter behind it is left out of the pack.
// CHECK-LABEL: func.func @leaves_out_parameters_without_gradient
// CHECK: %[[A:.+]] = dlm.segment {{.*}} offset 0
// CHECK: dlm.stop_gradient
// CHECK: dlm.floor
// CHECK: %[[LOSS:.+]] = dlm.add
// CHECK: dlm.pack %{{.+}} offsets [0] : tensor<f32> -> tensor<6144xf32>
// CHECK: return
func.func @leaves_out_parameters_without_gradient(
    %p: tensor<6144xf32> {dlm.buffer = "params"}, %x: tensor<f32> {dlm.buffer = "batch.x"})
    -> (tensor<f32> {dlm.buffer = "loss.loss"}) attributes {dlm.program = "grad"} {
  %a = dlm.segment %p offset 0 : tensor<6144xf32> -> tensor<f32>
  %b = dlm.segment %p offset 2048 : tensor<6144xf32> -> tensor<f32>
  %c = dlm.segment %p offset 4096 : tensor<6144xf32> -> tensor<f32>
  %still = dlm.stop_gradient %b : tensor<f32>
  %steps = dlm.floor %c : tensor<f32>
  %ax = dlm.mul %a, %x : tensor<f32>
  %s = dlm.add %still, %steps : tensor<f32>
  %l = dlm.add %ax, %s : tensor<f32>
  return %l : tensor<f32>
}

// -----

// Only `grad` is differentiated.
// CHECK-LABEL: func.func @leaves_other_programs
// CHECK-NOT: dlm.constant
// CHECK: return
func.func @leaves_other_programs(%p: tensor<2048xf32> {dlm.buffer = "params"})
    -> (tensor<f32> {dlm.buffer = "loss.loss"}) attributes {dlm.program = "eval"} {
  %a = dlm.segment %p offset 0 : tensor<2048xf32> -> tensor<f32>
  return %a : tensor<f32>
}

// -----

// A loop gets one in the other direction, and is made to keep the states that this looks at: the
// slices are none of its concern. What is given for the loss is now of the loop that keeps them.
// What the loop backward computes again is so without being marked.
// CHECK-LABEL: func.func @turns_a_loop_around
// CHECK: %[[W:.+]] = dlm.segment
// CHECK: %[[LOOP:.+]]:2 = dlm.scan trips 4 init(
// CHECK-SAME: -> (tensor<f32>, tensor<4xf32>)
// CHECK: %[[BACK:.+]]:2 = dlm.scan trips 4 reverse init(
// CHECK-SAME: over(%[[LOOP]]#1 : tensor<4xf32>) capture(%[[W]] : tensor<f32>)
// CHECK-SAME: -> (tensor<f32>, tensor<f32>)
// CHECK-NOT: dlm.recompute
// CHECK: dlm.pack %[[BACK]]#1
// CHECK: return %[[LOOP]]#0
func.func @turns_a_loop_around(%p: tensor<2048xf32> {dlm.buffer = "params"},
                               %x: tensor<4xf32> {dlm.buffer = "batch.x"})
    -> (tensor<f32> {dlm.buffer = "loss.loss"}) attributes {dlm.program = "grad"} {
  %w = dlm.segment %p offset 0 : tensor<2048xf32> -> tensor<f32>
  %zero = dlm.constant dense<0.0> : tensor<f32>
  %l = dlm.scan trips 4 init(%zero : tensor<f32>) over(%x : tensor<4xf32>)
      capture(%w : tensor<f32>) -> (tensor<f32>) {
  ^bb0(%k: tensor<i32>, %s: tensor<f32>, %each: tensor<f32>, %v: tensor<f32>):
    %c = dlm.constant dense<2.0> : tensor<f32>
    %h = dlm.mul %s, %c {dlm.recompute = 1 : i64} : tensor<f32>
    %1 = dlm.mul %h, %v : tensor<f32>
    %2 = dlm.add %1, %each : tensor<f32>
    dlm.yield %2 : tensor<f32>
  }
  return %l : tensor<f32>
}

// -----

// A call that is recomputed is there once more, behind the gradient that reaches it and its own
// result. It reads what it was given through a fence.
// CHECK-LABEL: func.func @recomputes_a_call
// CHECK: %[[A:.+]] = dlm.segment
// CHECK: %[[T:.+]] = dlm.tanh %[[A]] : tensor<f32>
// CHECK: %[[E:.+]] = dlm.exp %[[T]] : tensor<f32>
// CHECK: %[[SEED:.+]] = dlm.constant dense<1.000000e+00>
// CHECK: %[[X:.+]] = dlm.fence %[[A]] after %[[SEED]], %[[E]]
// CHECK: %[[T2:.+]] = dlm.tanh %[[X]] : tensor<f32>
// CHECK: %[[E2:.+]] = dlm.exp %[[T2]] : tensor<f32>
// CHECK: dlm.mul {{.*}}%[[E2]]
// CHECK: dlm.mul {{.*}}%[[T2]]
// CHECK-NOT: dlm.recompute
// CHECK: return
func.func @recomputes_a_call(%p: tensor<2048xf32> {dlm.buffer = "params"})
    -> (tensor<f32> {dlm.buffer = "loss.loss"}) attributes {dlm.program = "grad"} {
  %a = dlm.segment %p offset 0 : tensor<2048xf32> -> tensor<f32>
  %t = dlm.tanh %a {dlm.recompute = 1 : i64} : tensor<f32>
  %e = dlm.exp %t {dlm.recompute = 1 : i64} : tensor<f32>
  return %e : tensor<f32>
}
