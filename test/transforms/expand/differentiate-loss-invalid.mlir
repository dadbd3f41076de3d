// RUN: dlm-opt %s --split-input-file --verify-diagnostics --dlm-differentiate-loss

// A loss that no parameter takes part in cannot be trained.
// expected-error @below {{the loss depends on no parameter}}
func.func @no_parameters(%x: tensor<f32> {dlm.buffer = "batch.x"})
    -> (tensor<f32> {dlm.buffer = "loss.loss"}) attributes {dlm.program = "grad"} {
  return %x : tensor<f32>
}

// -----

// An op without a gradient, neither a rule nor the declaration that there is none.
func.func @op_without_gradient(%p: tensor<2048xf32> {dlm.buffer = "params"})
    -> (tensor<f32> {dlm.buffer = "loss.loss"}) attributes {dlm.program = "grad"} {
  %a = dlm.segment %p offset 0 : tensor<2048xf32> -> tensor<64xf32>
  // expected-error @below {{stands between a parameter and the loss and has no gradient}}
  %b = train.batch_squares %a [0] : tensor<64xf32> -> tensor<f32>
  return %b : tensor<f32>
}
