// RUN: dlm-opt %s --dlm-accumulate-metrics | FileCheck %s

// A mean and a maximum: each reduction gets an accumulator, what follows runs once at the end.
// CHECK-LABEL: func.func @eval_begin()
// CHECK-SAME: {dlm.buffer = "eval.0"}
// CHECK-SAME: {dlm.buffer = "eval.1"}
// CHECK-SAME: {dlm.buffer = "eval.count"}
// CHECK: %[[ZERO:.+]] = dlm.constant dense<-0.000000e+00> : tensor<f32>
// CHECK: %[[LOWEST:.+]] = dlm.constant dense<0xFF800000> : tensor<3xf32>
// CHECK: %[[NONE:.+]] = dlm.constant dense<-0.000000e+00> : tensor<f32>
// CHECK: return %[[ZERO]], %[[LOWEST]], %[[NONE]]

// Padding is replaced by the identity with a select: a NaN computed from it cannot count.
// CHECK-LABEL: func.func @eval(
// CHECK-SAME: %[[WEIGHT:[^:]+]]: tensor<4xf32> {dlm.buffer = "batch.weight"}
// CHECK-SAME: %[[X:[^:]+]]: tensor<4x3xf32> {dlm.buffer = "batch.x"}
// CHECK-SAME: %[[SUM_OLD:[^:]+]]: tensor<f32> {dlm.buffer = "eval.0"}
// CHECK-SAME: %[[MAX_OLD:[^:]+]]: tensor<3xf32> {dlm.buffer = "eval.1"}
// CHECK-SAME: %[[COUNT_OLD:[^:]+]]: tensor<f32> {dlm.buffer = "eval.count"}
// CHECK-SAME: dlm.rows = 4
// CHECK: %[[REAL:.+]] = dlm.compare gt %[[WEIGHT]],
// CHECK: %[[Y:.+]] = dlm.exp %[[X]]
// CHECK: %[[MASK:.+]] = dlm.broadcast %[[REAL]] dims [0]
// CHECK: %[[NEUTRAL:.+]] = dlm.constant dense<-0.000000e+00>
// CHECK: %[[MASKED:.+]] = dlm.select %[[MASK]], %[[Y]], %[[NEUTRAL]]
// CHECK: %[[SUM:.+]] = dlm.reduce add %[[MASKED]] dims [0, 1]
// CHECK: %[[SUM_NEW:.+]] = dlm.add %[[SUM_OLD]], %[[SUM]]
// CHECK: %[[LOWEST:.+]] = dlm.constant dense<0xFF800000>
// CHECK: %[[MASKED_MAX:.+]] = dlm.select %{{.+}}, %[[Y]], %[[LOWEST]]
// CHECK: %[[MAX:.+]] = dlm.reduce max %[[MASKED_MAX]] dims [0]
// CHECK: %[[MAX_NEW:.+]] = dlm.max %[[MAX_OLD]], %[[MAX]]
// CHECK: %[[COUNT:.+]] = dlm.reduce add %[[WEIGHT]] dims [0]
// CHECK: %[[COUNT_NEW:.+]] = dlm.add %[[COUNT_OLD]], %[[COUNT]]
// CHECK: return %[[SUM_NEW]], %[[MAX_NEW]], %[[COUNT_NEW]]

// CHECK-LABEL: func.func @eval_end(
// CHECK-SAME: %[[SUM:[^:]+]]: tensor<f32> {dlm.buffer = "eval.0"}
// CHECK-SAME: %[[MAX:[^:]+]]: tensor<3xf32> {dlm.buffer = "eval.1"}
// CHECK-SAME: %[[COUNT:[^:]+]]: tensor<f32> {dlm.buffer = "eval.count"}
// CHECK: %[[MEAN:.+]] = dlm.div %[[SUM]], %[[COUNT]]
// CHECK: %[[ROOT:.+]] = dlm.sqrt %[[MEAN]]
// CHECK: %[[ALL:.+]] = dlm.reduce add %[[MAX]]
// CHECK: return %[[ROOT]], %[[ALL]]
func.func @eval(%x: tensor<4x3xf32> {dlm.buffer = "batch.x"})
    -> (tensor<f32> {dlm.buffer = "metric.root"}, tensor<f32> {dlm.buffer = "metric.all"})
    attributes {dlm.program = "eval", dlm.rows = 4 : i64} {
  %y = dlm.exp %x : tensor<4x3xf32>
  %s = train.batch_reduce add %y [0, 1] : tensor<4x3xf32> -> tensor<f32>
  %n = train.sample_count : tensor<f32>
  %mean = dlm.div %s, %n : tensor<f32>
  %root = dlm.sqrt %mean : tensor<f32>
  %m = train.batch_reduce max %y [0] : tensor<4x3xf32> -> tensor<3xf32>
  %all = dlm.reduce add %m dims [0] : tensor<3xf32> -> tensor<f32>
  return %root, %all : tensor<f32>, tensor<f32>
}
