// RUN: dlm-opt %s --split-input-file --verify-diagnostics --dlm-accumulate-metrics

// The deviation from the mean of all samples needs a second pass over them.
func.func @reduction_of_reduction(%x: tensor<4xf32> {dlm.buffer = "batch.x"})
    -> (tensor<f32> {dlm.buffer = "metric.m"})
    attributes {dlm.program = "eval", dlm.rows = 4 : i64} {
  // expected-error @below {{a reduction over all samples depends on another one}}
  %s = train.batch_reduce add %x [0] : tensor<4xf32> -> tensor<f32>
  %b = dlm.broadcast %s dims [] : tensor<f32> -> tensor<4xf32>
  %d = dlm.sub %x, %b : tensor<4xf32>
  %t = train.batch_reduce add %d [0] : tensor<4xf32> -> tensor<f32>
  return %t : tensor<f32>
}

// -----

// A metric that is read off one batch says nothing about the whole set.
// expected-error @below {{`metric.m` is not reduced over all samples}}
func.func @metric_of_one_batch(%x: tensor<4xf32> {dlm.buffer = "batch.x"})
    -> (tensor<f32> {dlm.buffer = "metric.m"})
    attributes {dlm.program = "eval", dlm.rows = 4 : i64} {
  %s = dlm.reduce add %x dims [0] : tensor<4xf32> -> tensor<f32>
  return %s : tensor<f32>
}
