// RUN: dlm-opt %s --dlm-instantiate-programs | FileCheck %s

// The rule gets the gradient times `limit / norm` if it is too long, times 1 if not.
// CHECK-LABEL: func.func @update
// CHECK: %[[SQUARE:.+]] = dlm.mul %[[G:.+]], %[[G]] : tensor<2048xf32>
// CHECK: %[[SUM:.+]] = dlm.reduce add %[[SQUARE]] dims [0]
// CHECK: %[[NORM:.+]] = dlm.sqrt %[[SUM]]
// CHECK: %[[LIMIT:.+]] = dlm.constant dense<5.000000e-01> : tensor<f32>
// CHECK: %[[ONE:.+]] = dlm.constant dense<1.000000e+00> : tensor<f32>
// CHECK: %[[LONG:.+]] = dlm.compare gt %[[NORM]], %[[LIMIT]]
// CHECK: %[[SHARE:.+]] = dlm.div %[[LIMIT]], %[[NORM]]
// CHECK: %[[FACTOR:.+]] = dlm.select %[[LONG]], %[[SHARE]], %[[ONE]]
// CHECK: %[[ALL:.+]] = dlm.broadcast %[[FACTOR]]
// CHECK: %[[SHORT:.+]] = dlm.mul %[[G]], %[[ALL]]
// CHECK: dlm.sub %{{.+}}, %[[SHORT]]

train.run @small rows 4, 6 clip_norm 0.5 policy {batch = 8 : i64}
parameters {
  train.param "b" : tensor<1xf32> init {
    %zero = dlm.constant dense<0.0> : tensor<1xf32>
    train.yield ["init"] %zero : tensor<1xf32>
  }
} loss {
  %b = train.parameter "b" : tensor<1xf32>
  %l = dlm.reshape %b : tensor<1xf32> -> tensor<f32>
  %part = train.share %l : tensor<f32>
  train.yield ["loss"] %part : tensor<f32>
} validation {
  %b = train.parameter "b" : tensor<1xf32>
  %l = dlm.reshape %b : tensor<1xf32> -> tensor<f32>
  train.yield ["loss"] %l : tensor<f32>
} metrics {
  train.yield []
} optimizer {
  train.rule ["b"] moments {
  } update {
    %p = train.target : tensor<2048xf32>
    %g = train.gradient : tensor<2048xf32>
    %new = dlm.sub %p, %g : tensor<2048xf32>
    train.yield ["target"] %new : tensor<2048xf32>
  }
}
