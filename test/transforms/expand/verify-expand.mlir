// RUN: dlm-opt %s --split-input-file --verify-diagnostics --dlm-verify-expand

// A program of tensor ops over named buffers passes.
func.func @program(%x: tensor<4xf32> {dlm.buffer = "params"})
    -> (tensor<4xf32> {dlm.buffer = "params"}) attributes {dlm.program = "update"} {
  %y = dlm.neg %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// expected-error @below {{'func.func' op is no program after expand}}
func.func @helper() {
  return
}

// -----

func.func @op_left(%x: tensor<f32> {dlm.buffer = "params"}) attributes {dlm.program = "grad"} {
  // expected-error @below {{'train.share' op is left after expand}}
  %y = train.share %x : tensor<f32>
  return
}

// -----

func.func @op_left_in_a_loop(%x: tensor<f32> {dlm.buffer = "params"})
    attributes {dlm.program = "grad"} {
  %y = dlm.scan trips 2 init(%x : tensor<f32>) over() capture() -> (tensor<f32>) {
  ^bb0(%k: tensor<i32>, %s: tensor<f32>):
    // expected-error @below {{'train.share' op is left after expand}}
    %z = train.share %s : tensor<f32>
    dlm.yield %z : tensor<f32>
  }
  return
}

// -----

// expected-error @below {{'func.func' op has an argument without a buffer after expand}}
func.func @argument_without_buffer(%x: tensor<f32>) attributes {dlm.program = "grad"} {
  return
}

// -----

// expected-error @below {{'func.func' op has a result without a buffer after expand}}
func.func @result_without_buffer(%x: tensor<f32> {dlm.buffer = "params"}) -> tensor<f32>
    attributes {dlm.program = "grad"} {
  return %x : tensor<f32>
}
