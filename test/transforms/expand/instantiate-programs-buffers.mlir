// RUN: dlm-opt %s --dlm-instantiate-programs | FileCheck %s

// A buffer is state of the run, in memory of its own; a checkpoint holds it.
// CHECK: module attributes
// CHECK-SAME: {buffer = "params", name = "w"
// CHECK-SAME: {buffer = "buffer.mean", name = "mean", offset = 0 : i64, role = "buffer"
// CHECK-SAME: {buffer = "buffer.seen", name = "seen", offset = 0 : i64, role = "buffer"
// CHECK-SAME: {buffer = "buffer.level", name = "level", offset = 0 : i64, role = "buffer"

train.run @small rows 4, 6 policy {batch = 8 : i64}
parameters {
  train.param "w" : tensor<3xf32> init {
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
  train.buffer "level" : tensor<2xf32> init {
    %level = train.fitted "level" : tensor<2xf32>
    train.yield ["init"] %level : tensor<2xf32>
  }
} loss {
  %x = train.input "x" : tensor<4x3xf32>
  %w = train.parameter "w" : tensor<3xf32>
  %mean = train.stored "mean" : tensor<3xf32>
  %seen = train.stored "seen" : tensor<i32>
  %s = train.batch_reduce add %x [0] : tensor<4x3xf32> -> tensor<3xf32>
  %old = train.share %mean : tensor<3xf32>
  %new = dlm.add %old, %s : tensor<3xf32>
  train.next "mean" %new sums : tensor<3xf32>
  %one = dlm.constant dense<1> : tensor<i32>
  %counted = dlm.add %seen, %one : tensor<i32>
  train.next "seen" %counted : tensor<i32>
  %p = dlm.mul %w, %mean : tensor<3xf32>
  %l = dlm.reduce add %p dims [0] : tensor<3xf32> -> tensor<f32>
  train.yield ["loss"] %l : tensor<f32>
} validation {
  %level = train.stored "level" : tensor<2xf32>
  %l = dlm.reduce add %level dims [0] : tensor<2xf32> -> tensor<f32>
  train.yield ["loss"] %l : tensor<f32>
} metrics {
  train.yield []
} optimizer {
  train.rule ["w"] moments {
  } update {
    %p = train.target : tensor<2048xf32>
    train.yield ["target"] %p : tensor<2048xf32>
  }
}

train.command "tell" program "command_tell" rows 0 {
  %mean = train.stored "mean" : tensor<3xf32>
  train.yield ["result"] %mean : tensor<3xf32>
}

// What was fitted is read from where the plan puts it; places for the next values are filled.
// CHECK-LABEL: func.func @init
// CHECK-SAME: %[[FITTED:[^:]+]]: tensor<2xf32> {dlm.buffer = "fitted.level"}
// CHECK-SAME: {dlm.buffer = "buffer.mean"}
// CHECK-SAME: {dlm.buffer = "buffer.seen"}
// CHECK-SAME: {dlm.buffer = "buffer.level"}
// CHECK-SAME: {dlm.buffer = "next.mean"}
// CHECK-SAME: {dlm.buffer = "last.seen"}
// CHECK: %[[MEAN:.+]] = dlm.constant dense<0.000000e+00> : tensor<3xf32>
// CHECK: %[[SEEN:.+]] = dlm.constant dense<7> : tensor<i32>
// CHECK: %[[NEXT:.+]] = dlm.constant dense<-0.000000e+00> : tensor<3xf32>
// CHECK: return %{{[^,]+}}, %[[MEAN]], %[[SEEN]], %[[FITTED]], %[[NEXT]],

// What sums over samples is to be added up; the rest is what the last micro-batch gives. Reads see
// the value before the step.
// CHECK-LABEL: func.func @grad
// CHECK-SAME: %[[OLD:[^:]+]]: tensor<3xf32> {dlm.buffer = "buffer.mean"}
// CHECK-SAME: %[[COUNT:[^:]+]]: tensor<i32> {dlm.buffer = "buffer.seen"}
// CHECK-SAME: -> (tensor<f32> {dlm.buffer = "loss.loss"},
// CHECK-SAME: tensor<3xf32> {dlm.buffer = "next.mean"}, tensor<i32> {dlm.buffer = "last.seen"})
// CHECK: %[[NEW:.+]] = dlm.add
// CHECK: %[[COUNTED:.+]] = dlm.add %[[COUNT]],
// CHECK: dlm.mul %{{.+}}, %[[OLD]]
// CHECK: return %{{.+}}, %[[NEW]], %[[COUNTED]]

// CHECK-LABEL: func.func @update
// CHECK-SAME: %[[NEXT_MEAN:[^:]+]]: tensor<3xf32> {dlm.buffer = "next.mean"}
// CHECK-SAME: %[[NEXT_SEEN:[^:]+]]: tensor<i32> {dlm.buffer = "last.seen"}
// CHECK-SAME: {dlm.buffer = "buffer.mean"}
// CHECK-SAME: {dlm.buffer = "buffer.seen"}
// CHECK: return %{{.+}}, %[[NEXT_MEAN]], %[[NEXT_SEEN]]

// CHECK-LABEL: func.func @eval
// CHECK-SAME: {dlm.buffer = "buffer.level"}

// CHECK-LABEL: func.func @command_tell
// CHECK-SAME: {dlm.buffer = "buffer.mean"}
