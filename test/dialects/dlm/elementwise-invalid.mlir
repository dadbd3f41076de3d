// RUN: dlm-opt %s --split-input-file --verify-diagnostics

// Elementwise ops: one case for each constraint.

func.func @exp_c1_element_type_is_i32(%x: tensor<4xi32>) {
  // expected-error @below {{operand #0 must be static tensor of f32, but got 'tensor<4xi32>'}}
  %0 = dlm.exp %x : tensor<4xi32>
  return
}

// -----

func.func @log_c1_element_type_is_i32(%x: tensor<4xi32>) {
  // expected-error @below {{operand #0 must be static tensor of f32, but got 'tensor<4xi32>'}}
  %0 = dlm.log %x : tensor<4xi32>
  return
}

// -----

func.func @sqrt_c1_element_type_is_i32(%x: tensor<4xi32>) {
  // expected-error @below {{operand #0 must be static tensor of f32, but got 'tensor<4xi32>'}}
  %0 = dlm.sqrt %x : tensor<4xi32>
  return
}

// -----

func.func @rsqrt_c1_element_type_is_i32(%x: tensor<4xi32>) {
  // expected-error @below {{operand #0 must be static tensor of f32, but got 'tensor<4xi32>'}}
  %0 = dlm.rsqrt %x : tensor<4xi32>
  return
}

// -----

func.func @tanh_c1_element_type_is_i32(%x: tensor<4xi32>) {
  // expected-error @below {{operand #0 must be static tensor of f32, but got 'tensor<4xi32>'}}
  %0 = dlm.tanh %x : tensor<4xi32>
  return
}

// -----

func.func @erf_c1_element_type_is_i32(%x: tensor<4xi32>) {
  // expected-error @below {{operand #0 must be static tensor of f32, but got 'tensor<4xi32>'}}
  %0 = dlm.erf %x : tensor<4xi32>
  return
}

// -----

func.func @sin_c1_element_type_is_i32(%x: tensor<4xi32>) {
  // expected-error @below {{operand #0 must be static tensor of f32, but got 'tensor<4xi32>'}}
  %0 = dlm.sin %x : tensor<4xi32>
  return
}

// -----

func.func @cos_c1_element_type_is_i32(%x: tensor<4xi32>) {
  // expected-error @below {{operand #0 must be static tensor of f32, but got 'tensor<4xi32>'}}
  %0 = dlm.cos %x : tensor<4xi32>
  return
}

// -----

func.func @floor_c1_element_type_is_i32(%x: tensor<4xi32>) {
  // expected-error @below {{operand #0 must be static tensor of f32, but got 'tensor<4xi32>'}}
  %0 = dlm.floor %x : tensor<4xi32>
  return
}

// -----

func.func @ceil_c1_element_type_is_i32(%x: tensor<4xi32>) {
  // expected-error @below {{operand #0 must be static tensor of f32, but got 'tensor<4xi32>'}}
  %0 = dlm.ceil %x : tensor<4xi32>
  return
}

// -----

func.func @round_c1_element_type_is_i32(%x: tensor<4xi32>) {
  // expected-error @below {{operand #0 must be static tensor of f32, but got 'tensor<4xi32>'}}
  %0 = dlm.round %x : tensor<4xi32>
  return
}

// -----

func.func @relu_c1_element_type_is_i32(%x: tensor<4xi32>) {
  // expected-error @below {{operand #0 must be static tensor of f32, but got 'tensor<4xi32>'}}
  %0 = dlm.relu %x : tensor<4xi32>
  return
}

// -----

func.func @neg_c1_element_type_is_bool(%x: tensor<4xi1>) {
  // expected-error @below {{must be static tensor of i32, i64 or f32, but got 'tensor<4xi1>'}}
  %0 = dlm.neg %x : tensor<4xi1>
  return
}

// -----

func.func @abs_c1_element_type_is_bool(%x: tensor<4xi1>) {
  // expected-error @below {{must be static tensor of i32, i64 or f32, but got 'tensor<4xi1>'}}
  %0 = dlm.abs %x : tensor<4xi1>
  return
}

// -----

func.func @sign_c1_element_type_is_bool(%x: tensor<4xi1>) {
  // expected-error @below {{must be static tensor of i32, i64 or f32, but got 'tensor<4xi1>'}}
  %0 = dlm.sign %x : tensor<4xi1>
  return
}

// -----

func.func @add_c1_element_type_is_byte(%x: tensor<4xui8>) {
  // expected-error @below {{must be static tensor of i32, i64 or f32, but got 'tensor<4xui8>'}}
  %0 = dlm.add %x, %x : tensor<4xui8>
  return
}

// -----

func.func @add_c2_shapes_differ(%x: tensor<4xf32>, %y: tensor<1xf32>) {
  // expected-error @below {{'dlm.add' op requires the same type for all operands and results}}
  %0 = "dlm.add"(%x, %y) : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @sub_c1_element_type_is_byte(%x: tensor<4xui8>) {
  // expected-error @below {{must be static tensor of i32, i64 or f32, but got 'tensor<4xui8>'}}
  %0 = dlm.sub %x, %x : tensor<4xui8>
  return
}

// -----

func.func @sub_c2_shapes_differ(%x: tensor<4xf32>, %y: tensor<1xf32>) {
  // expected-error @below {{'dlm.sub' op requires the same type for all operands and results}}
  %0 = "dlm.sub"(%x, %y) : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @mul_c1_element_type_is_byte(%x: tensor<4xui8>) {
  // expected-error @below {{must be static tensor of i32, i64 or f32, but got 'tensor<4xui8>'}}
  %0 = dlm.mul %x, %x : tensor<4xui8>
  return
}

// -----

func.func @mul_c2_shapes_differ(%x: tensor<4xf32>, %y: tensor<1xf32>) {
  // expected-error @below {{'dlm.mul' op requires the same type for all operands and results}}
  %0 = "dlm.mul"(%x, %y) : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @div_c1_element_type_is_byte(%x: tensor<4xui8>) {
  // expected-error @below {{must be static tensor of i32, i64 or f32, but got 'tensor<4xui8>'}}
  %0 = dlm.div %x, %x : tensor<4xui8>
  return
}

// -----

func.func @div_c2_shapes_differ(%x: tensor<4xf32>, %y: tensor<1xf32>) {
  // expected-error @below {{'dlm.div' op requires the same type for all operands and results}}
  %0 = "dlm.div"(%x, %y) : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @max_c1_element_type_is_byte(%x: tensor<4xui8>) {
  // expected-error @below {{must be static tensor of i32, i64 or f32, but got 'tensor<4xui8>'}}
  %0 = dlm.max %x, %x : tensor<4xui8>
  return
}

// -----

func.func @max_c2_shapes_differ(%x: tensor<4xf32>, %y: tensor<1xf32>) {
  // expected-error @below {{'dlm.max' op requires the same type for all operands and results}}
  %0 = "dlm.max"(%x, %y) : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @min_c1_element_type_is_byte(%x: tensor<4xui8>) {
  // expected-error @below {{must be static tensor of i32, i64 or f32, but got 'tensor<4xui8>'}}
  %0 = dlm.min %x, %x : tensor<4xui8>
  return
}

// -----

func.func @min_c2_shapes_differ(%x: tensor<4xf32>, %y: tensor<1xf32>) {
  // expected-error @below {{'dlm.min' op requires the same type for all operands and results}}
  %0 = "dlm.min"(%x, %y) : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @pow_c1_element_type_is_i32(%x: tensor<4xi32>) {
  // expected-error @below {{operand #0 must be static tensor of f32, but got 'tensor<4xi32>'}}
  %0 = dlm.pow %x, %x : tensor<4xi32>
  return
}

// -----

func.func @pow_c2_shapes_differ(%x: tensor<4xf32>, %y: tensor<1xf32>) {
  // expected-error @below {{'dlm.pow' op requires the same type for all operands and results}}
  %0 = "dlm.pow"(%x, %y) : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @compare_c1_element_types_differ(%x: tensor<4xf32>, %y: tensor<4xi32>) {
  // expected-error @below {{'dlm.compare' op requires all operands to have the same type}}
  %0 = "dlm.compare"(%x, %y) <{kind = #dlm<compare_kind lt>}>
      : (tensor<4xf32>, tensor<4xi32>) -> tensor<4xi1>
  return
}

// -----

func.func @compare_c2_result_is_float(%x: tensor<4xf32>) {
  // expected-error @below {{result #0 must be static tensor of i1, but got 'tensor<4xf32>'}}
  %0 = "dlm.compare"(%x, %x) <{kind = #dlm<compare_kind lt>}>
      : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @and_c1_element_type_is_i32(%x: tensor<4xi32>) {
  // expected-error @below {{operand #0 must be static tensor of i1, but got 'tensor<4xi32>'}}
  %0 = dlm.and %x, %x : tensor<4xi32>
  return
}

// -----

func.func @and_c2_shapes_differ(%x: tensor<4xi1>, %y: tensor<1xi1>) {
  // expected-error @below {{'dlm.and' op requires the same type for all operands and results}}
  %0 = "dlm.and"(%x, %y) : (tensor<4xi1>, tensor<1xi1>) -> tensor<4xi1>
  return
}

// -----

func.func @or_c1_element_type_is_i32(%x: tensor<4xi32>) {
  // expected-error @below {{operand #0 must be static tensor of i1, but got 'tensor<4xi32>'}}
  %0 = dlm.or %x, %x : tensor<4xi32>
  return
}

// -----

func.func @or_c2_shapes_differ(%x: tensor<4xi1>, %y: tensor<1xi1>) {
  // expected-error @below {{'dlm.or' op requires the same type for all operands and results}}
  %0 = "dlm.or"(%x, %y) : (tensor<4xi1>, tensor<1xi1>) -> tensor<4xi1>
  return
}

// -----

func.func @not_c1_element_type_is_f32(%x: tensor<4xf32>) {
  // expected-error @below {{operand #0 must be static tensor of i1, but got 'tensor<4xf32>'}}
  %0 = dlm.not %x : tensor<4xf32>
  return
}

// -----

func.func @select_c1_branches_differ(%c: tensor<4xi1>, %x: tensor<4xf32>, %y: tensor<4xi32>) {
  // expected-error @below {{failed to verify that all of {onTrue, onFalse, result} have same type}}
  %0 = "dlm.select"(%c, %x, %y) : (tensor<4xi1>, tensor<4xf32>, tensor<4xi32>) -> tensor<4xf32>
  return
}

// -----

func.func @select_c2_condition_is_smaller(%c: tensor<1xi1>, %x: tensor<4xf32>) {
  // expected-error @below {{condition has the shape of the result and element type i1}}
  %0 = "dlm.select"(%c, %x, %x) : (tensor<1xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @cast_c1_shape_changes(%x: tensor<4xf32>) {
  // expected-error @below {{changes the shape from 'tensor<4xf32>' to 'tensor<2x2xi32>' (cast_c1)}}
  %0 = dlm.cast %x : tensor<4xf32> -> tensor<2x2xi32>
  return
}

// -----

func.func @stop_gradient_c1_type_changes(%x: tensor<4xf32>) {
  // expected-error @below {{requires the same type for all operands and results}}
  %0 = "dlm.stop_gradient"(%x) : (tensor<4xf32>) -> tensor<4xi32>
  return
}
