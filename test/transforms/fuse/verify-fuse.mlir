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

// -----

func.func @looks_into_loops(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = dlm.scan trips 2 init(%a : tensor<4xf32>) over() capture() -> (tensor<4xf32>) {
  ^bb0(%k: tensor<i32>, %s: tensor<4xf32>):
    // expected-error @below {{'dlm.exp' op should have been removed by the phase 'fuse'}}
    %e = dlm.exp %s : tensor<4xf32>
    dlm.yield %e : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @a_body_knows_no_number() -> tensor<2xi32> {
  // expected-error @below {{reads the number of its trip after the phase 'fuse'}}
  %0 = dlm.scan trips 2 init() over() capture() -> (tensor<2xi32>) {
  ^bb0(%k: tensor<i32>):
    dlm.yield %k : tensor<i32>
  }
  return %0 : tensor<2xi32>
}
