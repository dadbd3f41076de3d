// RUN: dlm-opt %s --split-input-file --verify-diagnostics --dlm-verify-pin

func.func @pinned(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) -> (tensor<2xf32>, tensor<2x4xf32>) {
  %x = dlm.reduce add %a dims [1] {tree = #dlm.tree<lanes = 128, chunk = 2048>}
      : tensor<2x3xf32> -> tensor<2xf32>
  %y = dlm.matmul %a, %b {chain = #dlm.chain<splits = 1>}
      : tensor<2x3xf32>, tensor<3x4xf32> -> tensor<2x4xf32>
  return %x, %y : tensor<2xf32>, tensor<2x4xf32>
}

// -----

func.func @reduction_without_tree(%x: tensor<2x3xf32>) -> tensor<2xf32> {
  // expected-error @below {{'dlm.reduce' op has no tree after pin}}
  %y = dlm.reduce add %x dims [1] : tensor<2x3xf32> -> tensor<2xf32>
  return %y : tensor<2xf32>
}

// -----

func.func @mixed_reduction(%x: tensor<2x3x4xf32>) -> tensor<3xf32> {
  // expected-error @below {{'dlm.reduce' op reduces trailing and other dims at once after pin}}
  %y = dlm.reduce add %x dims [0, 2] {tree = #dlm.tree<lanes = 128, chunk = 2048>}
      : tensor<2x3x4xf32> -> tensor<3xf32>
  return %y : tensor<3xf32>
}

// -----

func.func @product_without_chain(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) -> tensor<2x4xf32> {
  // expected-error @below {{'dlm.matmul' op has no chain after pin}}
  %y = dlm.matmul %a, %b : tensor<2x3xf32>, tensor<3x4xf32> -> tensor<2x4xf32>
  return %y : tensor<2x4xf32>
}
