// RUN: dlm-opt %s --split-input-file --verify-diagnostics

// Constants, indices, random values and the order attributes: one case for each constraint.

func.func @constant_c1_result_has_another_type() {
  // expected-error @below {{failed to verify that all of {value, result} have same type}}
  %0 = "dlm.constant"() <{value = dense<1.0> : tensor<4xf32>}> : () -> tensor<3xf32>
  return
}

// -----

func.func @constant_c2_element_type_is_f64() {
  // expected-error @below {{static tensor of i1, ui8, i32, i64 or f32, but got 'tensor<4xf64>'}}
  %0 = dlm.constant dense<1.0> : tensor<4xf64>
  return
}

// -----

func.func @iota_c1_dim_is_outside() {
  // expected-error @below {{'dlm.iota' op has dim 1 outside of the rank 1 (iota_c1)}}
  %0 = dlm.iota dim 1 : tensor<4xi32>
  return
}

// -----

func.func @iota_c2_element_type_is_bool() {
  // expected-error @below {{must be static tensor of i32, i64 or f32, but got 'tensor<4xi1>'}}
  %0 = dlm.iota dim 0 : tensor<4xi1>
  return
}

// -----

func.func @random_c1_seed_is_i32(%s: tensor<i32>, %a: tensor<i64>) {
  // expected-error @below {{operand #0 must be tensor of rank 0 of i64, but got 'tensor<i32>'}}
  %0 = "dlm.random"(%s, %a) <{kind = #dlm<random_kind normal>, site = 1 : i64}>
      : (tensor<i32>, tensor<i64>) -> tensor<4xf32>
  return
}

// -----

func.func @random_c1_first_is_a_vector(%s: tensor<i64>, %f: tensor<1xi64>) {
  // expected-error @below {{operand #2 must be tensor of rank 0 of i64, but got 'tensor<1xi64>'}}
  %0 = "dlm.random"(%s, %s, %f) <{kind = #dlm<random_kind normal>, site = 1 : i64}>
      : (tensor<i64>, tensor<i64>, tensor<1xi64>) -> tensor<4xf32>
  return
}

// -----

func.func @random_c2_element_type_is_i32(%s: tensor<i64>) {
  // expected-error @below {{result #0 must be static tensor of f32, but got 'tensor<4xi32>'}}
  %0 = dlm.random uniform %s, %s site 1 : tensor<4xi32>
  return
}

// -----

// expected-error @+2 {{lanes = 96 is not a power of two (tree_c1)}}
func.func private @tree_c1_lanes_are_no_power_of_two(
    ) attributes {order = #dlm.tree<lanes = 96, chunk = 960>}

// -----

// expected-error @+2 {{chunk = 64 is not a positive multiple of lanes = 128 (tree_c2)}}
func.func private @tree_c2_chunk_is_no_multiple_of_lanes(
    ) attributes {order = #dlm.tree<lanes = 128, chunk = 64>}

// -----

// expected-error @below {{splits = 0 is not positive (chain_c1)}}
func.func private @chain_c1_splits_are_zero() attributes {order = #dlm.chain<splits = 0>}
