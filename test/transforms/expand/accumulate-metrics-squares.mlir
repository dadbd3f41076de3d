// RUN: dlm-opt %s --dlm-accumulate-metrics | FileCheck %s

// Squared distances from a mean are put together from batches: a number, a mean, the squares.
// CHECK-LABEL: func.func @eval_begin
// CHECK-SAME: {dlm.buffer = "eval.0.number"}
// CHECK-SAME: {dlm.buffer = "eval.0.mean"}
// CHECK-SAME: {dlm.buffer = "eval.0.squares"}
// CHECK: dlm.constant dense<0.000000e+00> : tensor<3xf32>

// Samples of weight 0 and what the mask leaves out count as nothing.
// CHECK-LABEL: func.func @eval
// CHECK-SAME: %[[WEIGHT:[^:]+]]: tensor<4xf32> {dlm.buffer = "batch.weight"}
// CHECK-SAME: %[[X:[^:]+]]: tensor<4x3xf32> {dlm.buffer = "batch.x"}
// CHECK-SAME: %[[OLD_NUMBER:[^:]+]]: tensor<3xf32> {dlm.buffer = "eval.0.number"}
// CHECK-SAME: %[[OLD_MEAN:[^:]+]]: tensor<3xf32> {dlm.buffer = "eval.0.mean"}
// CHECK-SAME: %[[OLD:[^:]+]]: tensor<3xf32> {dlm.buffer = "eval.0.squares"}
// CHECK: %[[REAL:.+]] = dlm.compare gt %[[WEIGHT]],
// CHECK: %[[MASK:.+]] = dlm.compare gt %[[X]],
// CHECK: %[[COUNTS:.+]] = dlm.and %{{.+}}, %[[MASK]]
// CHECK: %[[NUMBER:.+]] = dlm.reduce add %{{.+}} dims [0] : tensor<4x3xf32> -> tensor<3xf32>
// CHECK: %[[KNOWN:.+]] = dlm.select %[[COUNTS]], %[[X]],
// CHECK: %[[SUM:.+]] = dlm.reduce add %[[KNOWN]] dims [0]
// CHECK: %[[MEAN:.+]] = dlm.div %[[SUM]],
// CHECK: %[[SQUARES:.+]] = dlm.reduce add %{{.+}} dims [0]
// CHECK: %[[ALL:.+]] = dlm.add %[[OLD_NUMBER]], %[[NUMBER]]
// CHECK: %[[SHARE:.+]] = dlm.div %[[NUMBER]],
// CHECK: %[[DISTANCE:.+]] = dlm.sub %[[MEAN]], %[[OLD_MEAN]]
// CHECK: dlm.mul %[[OLD_NUMBER]], %[[SHARE]]
// CHECK: %[[MOVE:.+]] = dlm.mul %[[DISTANCE]], %[[SHARE]]
// CHECK: %[[NEW_MEAN:.+]] = dlm.add %[[OLD_MEAN]], %[[MOVE]]
// CHECK: %[[NEW:.+]] = dlm.add %[[OLD]],
// CHECK: return %[[ALL]], %[[NEW_MEAN]], %[[NEW]],

// CHECK-LABEL: func.func @eval_end
// CHECK-SAME: %[[RESULT:[^:]+]]: tensor<3xf32> {dlm.buffer = "eval.0.squares"}
// CHECK: dlm.reduce add %[[RESULT]]
func.func @eval(%x: tensor<4x3xf32> {dlm.buffer = "batch.x"})
    -> (tensor<f32> {dlm.buffer = "metric.spread"})
    attributes {dlm.program = "eval", dlm.rows = 4 : i64} {
  %zero = dlm.constant dense<0.0> : tensor<4x3xf32>
  %mask = dlm.compare gt %x, %zero : tensor<4x3xf32>
  %s = train.batch_squares %x where %mask : tensor<4x3xi1>, [0] : tensor<4x3xf32> -> tensor<3xf32>
  %r = dlm.reduce add %s dims [0] : tensor<3xf32> -> tensor<f32>
  return %r : tensor<f32>
}
