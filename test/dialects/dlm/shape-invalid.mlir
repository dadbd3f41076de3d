// RUN: dlm-opt %s --split-input-file --verify-diagnostics

// Ops that move elements: one case for each constraint.

func.func @broadcast_c1_dim_missing(%x: tensor<3x2xf32>) {
  // expected-error @below {{'dlm.broadcast' op has 1 dims for an operand of rank 2 (broadcast_c1)}}
  %0 = dlm.broadcast %x dims [0] : tensor<3x2xf32> -> tensor<3x2xf32>
  return
}

// -----

func.func @broadcast_c2_dims_decrease(%x: tensor<3x2xf32>) {
  // expected-error @below {{has dims [1, 0] that do not increase within the rank 2 (broadcast_c2)}}
  %0 = dlm.broadcast %x dims [1, 0] : tensor<3x2xf32> -> tensor<2x3xf32>
  return
}

// -----

func.func @broadcast_c3_size_is_neither_1_nor_equal(%x: tensor<3xf32>) {
  // expected-error @below {{'dlm.broadcast' op stretches size 3 to 6 (broadcast_c3)}}
  %0 = dlm.broadcast %x dims [0] : tensor<3xf32> -> tensor<6xf32>
  return
}

// -----

func.func @broadcast_c4_element_type_changes(%x: tensor<3xf32>) {
  // expected-error @below {{'dlm.broadcast' op has element types 'f32' and 'i32' (broadcast_c4)}}
  %0 = dlm.broadcast %x dims [0] : tensor<3xf32> -> tensor<3x2xi32>
  return
}

// -----

func.func @reshape_c1_element_count_changes(%x: tensor<2x3xf32>) {
  // expected-error @below {{'dlm.reshape' op has 6 elements before and 5 after (reshape_c1)}}
  %0 = dlm.reshape %x : tensor<2x3xf32> -> tensor<5xf32>
  return
}

// -----

func.func @reshape_c2_element_type_changes(%x: tensor<2x3xf32>) {
  // expected-error @below {{'dlm.reshape' op has element types 'f32' and 'i32' (reshape_c2)}}
  %0 = dlm.reshape %x : tensor<2x3xf32> -> tensor<6xi32>
  return
}

// -----

func.func @fence_c1_type_changes(%x: tensor<2xf32>) {
  // expected-error @below {{failed to verify that all of {x, result} have same type}}
  %0 = "dlm.fence"(%x, %x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @transpose_c1_dim_repeats(%x: tensor<2x3xf32>) {
  // expected-error @below {{permutation [0, 0] is not one of the dimensions 0 to 1 (transpose_c1)}}
  // expected-error @below {{'dlm.transpose' op failed to infer returned types}}
  %0 = dlm.transpose %x permutation [0, 0] : tensor<2x3xf32> -> tensor<2x2xf32>
  return
}

// -----

func.func @transpose_c2_result_is_not_permuted(%x: tensor<2x3xf32>) {
  // expected-error @below {{inferred type(s) 'tensor<3x2xf32>'}}
  // expected-error @below {{'dlm.transpose' op failed to infer returned types}}
  %0 = dlm.transpose %x permutation [1, 0] : tensor<2x3xf32> -> tensor<2x3xf32>
  return
}

// -----

func.func @segment_c1_source_is_not_flat(%x: tensor<2x3xf32>) {
  // expected-error @below {{'dlm.segment' op takes a flat vector, given rank 2 (segment_c1)}}
  %0 = dlm.segment %x offset 0 : tensor<2x3xf32> -> tensor<3xf32>
  return
}

// -----

func.func @segment_c2_end_is_outside(%x: tensor<6xf32>) {
  // expected-error @below {{'dlm.segment' op takes 4 elements at 3 of 6 (segment_c2)}}
  %0 = dlm.segment %x offset 3 : tensor<6xf32> -> tensor<2x2xf32>
  return
}

// -----

func.func @segment_c3_element_type_changes(%x: tensor<6xf32>) {
  // expected-error @below {{'dlm.segment' op has element types 'f32' and 'i32' (segment_c3)}}
  %0 = dlm.segment %x offset 0 : tensor<6xf32> -> tensor<6xi32>
  return
}

// -----

func.func @pack_c1_offset_missing(%x: tensor<2xf32>) {
  // expected-error @below {{'dlm.pack' op has 1 offsets for 2 parts (pack_c1)}}
  %0 = dlm.pack %x, %x offsets [0] : tensor<2xf32>, tensor<2xf32> -> tensor<4xf32>
  return
}

// -----

func.func @pack_c2_parts_overlap(%x: tensor<2xf32>) {
  // expected-error @below {{'dlm.pack' op puts 2 elements at 1, after 2 and within 4 (pack_c2)}}
  %0 = dlm.pack %x, %x offsets [0, 1] : tensor<2xf32>, tensor<2xf32> -> tensor<4xf32>
  return
}

// -----

func.func @pack_c2_end_is_outside(%x: tensor<2xf32>) {
  // expected-error @below {{'dlm.pack' op puts 2 elements at 3, after 0 and within 4 (pack_c2)}}
  %0 = dlm.pack %x offsets [3] : tensor<2xf32> -> tensor<4xf32>
  return
}

// -----

func.func @pack_c3_result_is_not_flat(%x: tensor<2xf32>) {
  // expected-error @below {{'dlm.pack' op gives a flat vector, not rank 2 (pack_c3)}}
  %0 = dlm.pack %x offsets [0] : tensor<2xf32> -> tensor<2x1xf32>
  return
}

// -----

func.func @pack_c4_element_types_differ(%x: tensor<2xi32>) {
  // expected-error @below {{'dlm.pack' op has element types 'i32' and 'f32' (pack_c4)}}
  %0 = dlm.pack %x offsets [0] : tensor<2xi32> -> tensor<4xf32>
  return
}
