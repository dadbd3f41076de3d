// RUN: dlm-opt %s --dlm-assign-orders | FileCheck %s

// CHECK-LABEL: func.func @trailing_dims_get_128_lanes
// CHECK: dlm.reduce add %{{.+}} dims [1, 2] {{.*}}#dlm.tree<lanes = 128, chunk = 2048>
func.func @trailing_dims_get_128_lanes(%x: tensor<8x3x5xf32>) -> tensor<8xf32> {
  %y = dlm.reduce add %x dims [1, 2] : tensor<8x3x5xf32> -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// The size does not matter: the order of a row of 1 is that of a row of 50,000.
// CHECK-LABEL: func.func @short_rows_get_128_lanes
// CHECK: #dlm.tree<lanes = 128, chunk = 2048>
func.func @short_rows_get_128_lanes(%x: tensor<8x1xf32>) -> tensor<8xf32> {
  %y = dlm.reduce max %x dims [1] : tensor<8x1xf32> -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// CHECK-LABEL: func.func @leading_dims_get_one_chain_a_column
// CHECK: dlm.reduce add %{{.+}} dims [0] {{.*}}#dlm.tree<lanes = 1, chunk = 64>
func.func @leading_dims_get_one_chain_a_column(%x: tensor<8x3xf32>) -> tensor<3xf32> {
  %y = dlm.reduce add %x dims [0] : tensor<8x3xf32> -> tensor<3xf32>
  return %y : tensor<3xf32>
}

// CHECK-LABEL: func.func @products_get_one_chain
// CHECK: dlm.matmul {{.*}}#dlm.chain<splits = 1>
func.func @products_get_one_chain(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) -> tensor<2x4xf32> {
  %y = dlm.matmul %a, %b : tensor<2x3xf32>, tensor<3x4xf32> -> tensor<2x4xf32>
  return %y : tensor<2x4xf32>
}

// An order that is already there is part of the value and stays.
// CHECK-LABEL: func.func @keeps_given_orders
// CHECK: #dlm.tree<lanes = 2, chunk = 4>
// CHECK: #dlm.chain<splits = 3>
func.func @keeps_given_orders(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>)
    -> (tensor<2xf32>, tensor<2x4xf32>) {
  %x = dlm.reduce add %a dims [1] {tree = #dlm.tree<lanes = 2, chunk = 4>}
      : tensor<2x3xf32> -> tensor<2xf32>
  %y = dlm.matmul %a, %b {chain = #dlm.chain<splits = 3>}
      : tensor<2x3xf32>, tensor<3x4xf32> -> tensor<2x4xf32>
  return %x, %y : tensor<2xf32>, tensor<2x4xf32>
}
