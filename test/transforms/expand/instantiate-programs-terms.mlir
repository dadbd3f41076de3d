// RUN: dlm-opt %s --dlm-expand | FileCheck %s

// Two loss terms: both are published, and their sum, which is what is minimised, stands first.
// CHECK: train.policy = {loss_terms = ["loss", "fit", "size"], metrics = ["loss", "fit", "size"]}

train.run @terms rows 1, 1 policy {}
parameters {
  train.param "w" : tensor<3xf32> init {
    %0 = dlm.constant dense<1.0> : tensor<3xf32>
    train.yield ["init"] %0 : tensor<3xf32>
  }
} loss {
  %x = train.input "x" : tensor<1x3xf32>
  %w = train.parameter "w" : tensor<3xf32>
  %r = dlm.reshape %w : tensor<3xf32> -> tensor<1x3xf32>
  %p = dlm.mul %x, %r : tensor<1x3xf32>
  %fit = train.batch_reduce add %p [0, 1] : tensor<1x3xf32> -> tensor<f32>
  %s = dlm.reduce add %w dims [0] : tensor<3xf32> -> tensor<f32>
  %size = train.share %s : tensor<f32>
  train.yield ["fit", "size"] %fit, %size : tensor<f32>, tensor<f32>
} validation {
  %x = train.input "x" : tensor<1x3xf32>
  %fit = train.batch_reduce add %x [0, 1] : tensor<1x3xf32> -> tensor<f32>
  %w = train.parameter "w" : tensor<3xf32>
  %s = dlm.reduce add %w dims [0] : tensor<3xf32> -> tensor<f32>
  %size = train.share %s : tensor<f32>
  train.yield ["fit", "size"] %fit, %size : tensor<f32>, tensor<f32>
} metrics {
  train.yield []
} optimizer {
  train.rule ["w"] moments {
  } update {
    %p = train.target : tensor<2048xf32>
    %g = train.gradient : tensor<2048xf32>
    %q = dlm.sub %p, %g : tensor<2048xf32>
    train.yield ["target"] %q : tensor<2048xf32>
  }
}

// CHECK-LABEL: func.func @init
// CHECK-SAME: "loss.fit"{{.*}}"loss.size"{{.*}}"report.loss"{{.*}}"report.fit"{{.*}}"report.size"
// CHECK-LABEL: func.func @grad
// CHECK-SAME: -> ({{.*}}"loss.fit"{{.*}}"loss.size"{{.*}}"grads"
// CHECK: dlm.pack %{{.+}} offsets [0] : tensor<3xf32> -> tensor<2048xf32>
// CHECK-LABEL: func.func @update
// CHECK-SAME: "report.fit"{{.*}}"report.size"{{.*}}"report.loss"{{.*}}"report.grad_norm"

// What does not depend on samples is computed once, at the end; the total is a sum of the terms.
// CHECK-LABEL: func.func @eval(
// CHECK-NOT: "params"
// CHECK-LABEL: func.func @eval_end(
// CHECK-SAME: %[[FIT:[^:]+]]: tensor<f32> {dlm.buffer = "eval.0"}
// CHECK-SAME: {dlm.buffer = "params"}
// CHECK-SAME: -> ({{.*}}"metric.loss"{{.*}}"metric.fit"{{.*}}"metric.size"
// CHECK: %[[SIZE:.+]] = dlm.reduce add
// CHECK: %[[TOTAL:.+]] = dlm.add %[[FIT]], %[[SIZE]]
// CHECK: return %[[TOTAL]], %[[FIT]], %[[SIZE]]
