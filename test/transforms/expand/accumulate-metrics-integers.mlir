// RUN: dlm-opt %s --dlm-accumulate-metrics | FileCheck %s

// Integers have no infinity: the smallest of the type is the identity of max. An integer count is
// the float count, cast.
// CHECK-LABEL: func.func @eval_begin()
// CHECK: dlm.constant dense<-2147483648> : tensor<i32>
// CHECK: dlm.constant dense<0> : tensor<i32>
// CHECK-LABEL: func.func @eval(
// CHECK: dlm.max
// CHECK-LABEL: func.func @eval_end(
// CHECK: %[[COUNT:.+]] = dlm.cast %{{.+}} : tensor<f32> -> tensor<i32>
// CHECK: dlm.sub %{{.+}}, %[[COUNT]]
func.func @eval(%x: tensor<4xi32> {dlm.buffer = "batch.x"})
    -> (tensor<i32> {dlm.buffer = "metric.m"}, tensor<i32> {dlm.buffer = "metric.s"})
    attributes {dlm.program = "eval", dlm.rows = 4 : i64} {
  %m = train.batch_reduce max %x [0] : tensor<4xi32> -> tensor<i32>
  %s = train.batch_reduce add %x [0] : tensor<4xi32> -> tensor<i32>
  %n = train.sample_count : tensor<i32>
  %d = dlm.sub %s, %n : tensor<i32>
  return %m, %d : tensor<i32>, tensor<i32>
}
