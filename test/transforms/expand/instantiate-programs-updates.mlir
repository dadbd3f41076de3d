// RUN: dlm-opt %s --dlm-instantiate-programs | FileCheck %s
// RUN: dlm-opt %s --dlm-instantiate-programs --dlm-guard-update | FileCheck %s --check-prefix=GUARD

train.run @two rows 4, 6 policy {batch = 8 : i64}
attributes {updates = [{name = "a", clip_norm = 0.0, rules = 1},
                       {name = "b", clip_norm = 0.5, rules = 1}]}
parameters {
  train.param "w" : tensor<3xf32> init {
    %one = dlm.constant dense<1.0> : tensor<3xf32>
    train.yield ["init"] %one : tensor<3xf32>
  }
  train.param "v" : tensor<3xf32> init {
    %one = dlm.constant dense<1.0> : tensor<3xf32>
    train.yield ["init"] %one : tensor<3xf32>
  }
  train.buffer "mean" : tensor<3xf32> init {
    %zero = dlm.constant dense<0.0> : tensor<3xf32>
    train.yield ["init"] %zero : tensor<3xf32>
  }
  train.buffer "seen" : tensor<i32> init {
    %zero = dlm.constant dense<7> : tensor<i32>
    train.yield ["init"] %zero : tensor<i32>
  }
} loss {
  %x = train.input "x" : tensor<4x3xf32>
  %w = train.parameter "w" : tensor<3xf32>
  %v = train.parameter "v" : tensor<3xf32>
  %seen = train.stored "seen" : tensor<i32>
  %s = train.batch_reduce add %x [0] : tensor<4x3xf32> -> tensor<3xf32>
  train.next "mean" in "a" calls 1 %s sums : tensor<3xf32>
  %one = dlm.constant dense<1> : tensor<i32>
  %counted = dlm.add %seen, %one : tensor<i32>
  train.next "seen" in "a" calls 1 %counted : tensor<i32>
  %twice = dlm.add %s, %s : tensor<3xf32>
  train.next "mean" in "b" calls 2 %twice sums : tensor<3xf32>
  %p = dlm.mul %w, %s : tensor<3xf32>
  %l = dlm.reduce add %p dims [0] : tensor<3xf32> -> tensor<f32>
  %q = dlm.mul %v, %p : tensor<3xf32>
  %m = dlm.reduce add %q dims [0] : tensor<3xf32> -> tensor<f32>
  train.yield ["a.loss", "b.loss"] %l, %m : tensor<f32>, tensor<f32>
} validation {
  %l = dlm.constant dense<0.0> : tensor<f32>
  train.yield ["a.loss", "b.loss"] %l, %l : tensor<f32>, tensor<f32>
} metrics {
  train.yield []
} optimizer {
  train.rule ["w"] moments {
  } update {
    %p = train.target : tensor<2048xf32>
    %g = train.gradient : tensor<2048xf32>
    %new = dlm.sub %p, %g : tensor<2048xf32>
    train.yield ["target"] %new : tensor<2048xf32>
  }
  train.rule ["v"] moments {
  } update {
    %p = train.target : tensor<2048xf32>
    %g = train.gradient : tensor<2048xf32>
    %new = dlm.add %p, %g : tensor<2048xf32>
    %rate = dlm.constant dense<0.5> : tensor<f32>
    train.yield ["target", "report.lr"] %new, %rate : tensor<2048xf32>, tensor<f32>
  }
}

// What several updates give a buffer has one place; each reports by its own name.
// CHECK-LABEL: func.func @init
// CHECK-SAME: tensor<3xf32> {dlm.buffer = "next.mean"}, tensor<3xf32> {dlm.buffer = "sum.mean"},
// CHECK-SAME: tensor<f32> {dlm.buffer = "count.mean"}, tensor<i32> {dlm.buffer = "last.seen"},
// CHECK-SAME: {dlm.buffer = "report.a.grad_norm"}
// CHECK-SAME: {dlm.buffer = "report.b.grad_norm"}
// CHECK-SAME: {dlm.buffer = "report.b.lr"}
// CHECK-SAME: {dlm.buffer = "state.updates"}
// CHECK-SAME: {dlm.buffer = "state.sound"}

// An update computes its own terms, and of what its loss gives buffers only its own.
// CHECK-LABEL: func.func @grad_a
// CHECK-NOT: params.2
// CHECK-SAME: -> (tensor<f32> {dlm.buffer = "loss.a.loss"},
// CHECK-SAME: tensor<3xf32> {dlm.buffer = "next.mean"},
// CHECK-SAME: tensor<i32> {dlm.buffer = "last.seen"})
// CHECK-SAME: dlm.trained = ["params"]
// CHECK: %[[SUM:.+]] = dlm.reduce add
// CHECK: return %{{.+}}, %[[SUM]], %{{.+}} :

// CHECK-LABEL: func.func @update_a
// CHECK-NOT: params.2
// CHECK: return

// CHECK-LABEL: func.func @grad_b
// CHECK-SAME: -> (tensor<f32> {dlm.buffer = "loss.b.loss"},
// CHECK-SAME: tensor<3xf32> {dlm.buffer = "next.mean"})
// CHECK-SAME: dlm.trained = ["params.2"]

// Two calls give two values at once; what is clipped is the gradient of this update.
// CHECK-LABEL: func.func @update_b
// CHECK-SAME: %[[G:[^:]+]]: tensor<2048xf32> {dlm.buffer = "grads.2"}
// CHECK-SAME: %[[NEXT:[^:]+]]: tensor<3xf32> {dlm.buffer = "next.mean"}
// CHECK-SAME: %[[OLD:[^:]+]]: tensor<3xf32> {dlm.buffer = "sum.mean"}
// CHECK-SAME: %[[COUNT:[^:]+]]: tensor<f32> {dlm.buffer = "count.mean"}
// CHECK: dlm.mul %[[G]], %[[G]]
// CHECK: %[[RATE:.+]] = dlm.constant dense<5.000000e-01>
// CHECK: %[[NOW:.+]] = dlm.add %[[OLD]], %[[NEXT]]
// CHECK: %[[TWO:.+]] = dlm.constant dense<2.000000e+00>
// CHECK: %[[MORE:.+]] = dlm.add %[[COUNT]], %[[TWO]]
// CHECK: return %{{.+}}, %{{.+}}, %[[NOW]], %[[MORE]]

// The end of the step: a mean of what was given, or what was there.
// CHECK-LABEL: func.func @update(
// CHECK-SAME: %[[MEAN:[^:]+]]: tensor<3xf32> {dlm.buffer = "buffer.mean"}
// CHECK-SAME: %[[GIVEN:[^:]+]]: tensor<3xf32> {dlm.buffer = "sum.mean"}
// CHECK-SAME: %[[VALUES:[^:]+]]: tensor<f32> {dlm.buffer = "count.mean"}
// CHECK-SAME: %[[SEEN:[^:]+]]: tensor<i32> {dlm.buffer = "buffer.seen"}
// CHECK-SAME: %[[ONE:[^:]+]]: tensor<i32> {dlm.buffer = "sum.seen"}
// CHECK: %[[ANY:.+]] = dlm.compare ne %[[VALUES]],
// CHECK: %[[ALL:.+]] = dlm.broadcast %[[VALUES]]
// CHECK: %[[SHARE:.+]] = dlm.div %[[GIVEN]], %[[ALL]]
// CHECK: dlm.broadcast %[[ANY]]
// CHECK: %[[NEW:.+]] = dlm.select %{{.+}}, %[[SHARE]], %[[MEAN]]
// CHECK: %[[COUNTED:.+]] = dlm.select %{{.+}}, %[[ONE]], %[[SEEN]]
// CHECK: return %[[NEW]], %[[COUNTED]] :

// An update that is not finite adds nothing, makes the step unsound, and counts as performed.
// GUARD-LABEL: func.func @update_a
// GUARD-SAME: %[[NEXT:[^:]+]]: tensor<3xf32> {dlm.buffer = "next.mean"}
// GUARD-SAME: %[[OLD:[^:]+]]: tensor<3xf32> {dlm.buffer = "sum.mean"}
// GUARD-SAME: %[[SOUND:[^:]+]]: tensor<i32> {dlm.buffer = "state.sound"}
// GUARD-SAME: %[[MADE:[^:]+]]: tensor<i64> {dlm.buffer = "state.updates"}
// GUARD-SAME: {dlm.buffer = "report.a.loss"}, tensor<f32> {dlm.buffer = "report.a.grad_norm"}
// GUARD-NOT: state.attempt
// GUARD: %[[NOW:.+]] = dlm.add %[[OLD]], %[[NEXT]]
// GUARD: %[[OK:.+]] = dlm.and
// GUARD: dlm.select %{{.+}}, %[[NOW]], %[[OLD]]
// GUARD: %[[NONE:.+]] = dlm.constant dense<0> : tensor<i32>
// GUARD: dlm.select %[[OK]], %[[SOUND]], %[[NONE]]
// GUARD: %[[ONE:.+]] = dlm.constant dense<1> : tensor<i64>
// GUARD: dlm.add %[[MADE]], %[[ONE]]

// The buffer moves by those that were taken, whether or not all were; the sums begin anew.
// GUARD-LABEL: func.func @update(
// GUARD-SAME: %[[SOUND:[^:]+]]: tensor<i32> {dlm.buffer = "state.sound"}
// GUARD: %[[NEW:.+]] = dlm.select {{.*}} : tensor<3xf32>
// GUARD: %[[SEEN:.+]] = dlm.select {{.*}} : tensor<i32>
// GUARD: dlm.compare ne %[[SOUND]],
// GUARD: return %[[NEW]], %[[SEEN]],
