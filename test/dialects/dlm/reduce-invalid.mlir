// RUN: dlm-opt %s --split-input-file --verify-diagnostics

// Reductions and products: one case for each constraint.

func.func @reduce_c1_dims_decrease(%x: tensor<2x3xf32>) {
  // expected-error @below {{dims [1, 0] do not increase within the rank 2 (reduce_c1)}}
  // expected-error @below {{'dlm.reduce' op failed to infer returned types}}
  %0 = dlm.reduce add %x dims [1, 0] : tensor<2x3xf32> -> tensor<f32>
  return
}

// -----

func.func @reduce_c1_dim_is_outside(%x: tensor<2x3xf32>) {
  // expected-error @below {{dims [2] do not increase within the rank 2 (reduce_c1)}}
  // expected-error @below {{'dlm.reduce' op failed to infer returned types}}
  %0 = dlm.reduce add %x dims [2] : tensor<2x3xf32> -> tensor<2xf32>
  return
}

// -----

func.func @reduce_c2_result_keeps_the_dim(%x: tensor<2x3xf32>) {
  // expected-error @below {{inferred type(s) 'tensor<2xf32>'}}
  // expected-error @below {{'dlm.reduce' op failed to infer returned types}}
  %0 = dlm.reduce add %x dims [1] : tensor<2x3xf32> -> tensor<2x1xf32>
  return
}

// -----

func.func @reduce_c3_element_type_is_bool(%x: tensor<2xi1>) {
  // expected-error @below {{must be static tensor of i32, i64 or f32, but got 'tensor<2xi1>'}}
  %0 = dlm.reduce max %x dims [0] : tensor<2xi1> -> tensor<i1>
  return
}

// -----

func.func @argmax_c1_dim_is_outside(%x: tensor<2x3xf32>) {
  // expected-error @below {{dim 2 lies outside of the rank 2 (argmax_c1)}}
  // expected-error @below {{'dlm.argmax' op failed to infer returned types}}
  %0 = dlm.argmax %x dim 2 : tensor<2x3xf32> -> tensor<2xi32>
  return
}

// -----

func.func @argmax_c2_result_keeps_the_dim(%x: tensor<2x3xf32>) {
  // expected-error @below {{inferred type(s) 'tensor<2xi32>'}}
  // expected-error @below {{'dlm.argmax' op failed to infer returned types}}
  %0 = dlm.argmax %x dim 1 : tensor<2x3xf32> -> tensor<2x1xi32>
  return
}

// -----

func.func @argmax_c3_element_type_is_bool(%x: tensor<2xi1>) {
  // expected-error @below {{must be static tensor of i32, i64 or f32, but got 'tensor<2xi1>'}}
  %0 = dlm.argmax %x dim 0 : tensor<2xi1> -> tensor<i32>
  return
}

// -----

func.func @matmul_c1_rank_is_3(%x: tensor<1x2x3xf32>, %y: tensor<3x2xf32>) {
  // expected-error @below {{rank 3 and 2, needs one rank of at least 2 (matmul_c1)}}
  // expected-error @below {{'dlm.matmul' op failed to infer returned types}}
  %0 = dlm.matmul %x, %y : tensor<1x2x3xf32>, tensor<3x2xf32> -> tensor<2x2xf32>
  return
}

// -----

func.func @matmul_c2_contracted_sizes_differ(%x: tensor<2x3xf32>, %y: tensor<4x5xf32>) {
  // expected-error @below {{contracts sizes 3 and 4 (matmul_c2)}}
  // expected-error @below {{'dlm.matmul' op failed to infer returned types}}
  %0 = dlm.matmul %x, %y : tensor<2x3xf32>, tensor<4x5xf32> -> tensor<2x5xf32>
  return
}

// -----

func.func @matmul_c3_result_is_transposed(%x: tensor<2x3xf32>, %y: tensor<3x5xf32>) {
  // expected-error @below {{inferred type(s) 'tensor<2x5xf32>'}}
  // expected-error @below {{'dlm.matmul' op failed to infer returned types}}
  %0 = dlm.matmul %x, %y : tensor<2x3xf32>, tensor<3x5xf32> -> tensor<5x2xf32>
  return
}

// -----

func.func @matmul_c5_numbers_of_products_differ(%x: tensor<2x1x3xf32>, %y: tensor<4x3x1xf32>) {
  // expected-error @below {{which differ before the last two dims (matmul_c5)}}
  // expected-error @below {{'dlm.matmul' op failed to infer returned types}}
  %0 = dlm.matmul %x, %y : tensor<2x1x3xf32>, tensor<4x3x1xf32> -> tensor<2x1x1xf32>
  return
}

// -----

func.func @matmul_c4_element_type_is_i32(%x: tensor<2x2xi32>) {
  // expected-error @below {{operand #0 must be static tensor of f32, but got 'tensor<2x2xi32>'}}
  %0 = dlm.matmul %x, %x : tensor<2x2xi32>, tensor<2x2xi32> -> tensor<2x2xi32>
  return
}
