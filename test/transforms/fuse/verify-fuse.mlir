// RUN: dlm-opt %s --dlm-verify-fuse --split-input-file --verify-diagnostics

func.func @names_the_op_that_is_left(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'dlm.exp' op should have been removed by the phase 'fuse'}}
  %e = dlm.exp %a : tensor<4xf32>
  return %e : tensor<4xf32>
}

// -----

func.func @accepts_views(%a: tensor<4xf32>) -> tensor<2x2xf32> {
  %v = dlm.reshape %a : tensor<4xf32> -> tensor<2x2xf32>
  return %v : tensor<2x2xf32>
}
