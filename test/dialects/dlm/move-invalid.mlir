// RUN: dlm-opt %s --split-input-file --verify-diagnostics

// Ops that take parts, join, or choose by index: one case for each constraint.

func.func @slice_c1_begin_missing(%x: tensor<3x5xf32>) {
  // expected-error @below {{'dlm.slice' op has 1 entries for ranks 2 and 2 (slice_c1)}}
  %0 = dlm.slice %x begins [0] : tensor<3x5xf32> -> tensor<3x2xf32>
  return
}

// -----

func.func @slice_c2_part_ends_outside(%x: tensor<3x5xf32>) {
  // expected-error @below {{'dlm.slice' op takes 2 at 4 of 5 (slice_c2)}}
  %0 = dlm.slice %x begins [0, 4] : tensor<3x5xf32> -> tensor<3x2xf32>
  return
}

// -----

func.func @slice_c2_part_begins_outside(%x: tensor<5xf32>) {
  // expected-error @below {{'dlm.slice' op takes 2 at -1 of 5 (slice_c2)}}
  %0 = dlm.slice %x begins [-1] : tensor<5xf32> -> tensor<2xf32>
  return
}

// -----

func.func @slice_c3_element_type_changes(%x: tensor<5xf32>) {
  // expected-error @below {{'dlm.slice' op has element types 'f32' and 'i32' (slice_c3)}}
  %0 = dlm.slice %x begins [1] : tensor<5xf32> -> tensor<2xi32>
  return
}

// -----

func.func @pad_c1_rank_changes(%x: tensor<2xf32>) {
  // expected-error @below {{'dlm.pad' op has 2 entries for ranks 1 and 2 (pad_c1)}}
  %0 = dlm.pad %x low [0, 1] value 0.0 : tensor<2xf32> -> tensor<1x5xf32>
  return
}

// -----

func.func @pad_c2_result_is_too_short(%x: tensor<3x2xf32>) {
  // expected-error @below {{'dlm.pad' op puts 2 at 2 of 3 (pad_c2)}}
  %0 = dlm.pad %x low [0, 2] value 0.0 : tensor<3x2xf32> -> tensor<3x3xf32>
  return
}

// -----

func.func @pad_c3_element_type_changes(%x: tensor<2xf32>) {
  // expected-error @below {{'dlm.pad' op has element types 'f32' and 'i32' (pad_c3)}}
  %0 = dlm.pad %x low [0] value 0.0 : tensor<2xf32> -> tensor<3xi32>
  return
}

// -----

func.func @flip_c1_dims_repeat(%x: tensor<3x2xf32>) {
  // expected-error @below {{has dims [1, 1] that do not increase within the rank 2 (flip_c1)}}
  %0 = dlm.flip %x dims [1, 1] : tensor<3x2xf32>
  return
}

// -----

func.func @flip_c2_shape_changes(%x: tensor<3x2xf32>) {
  // expected-error @below {{failed to verify that all of {x, result} have same type}}
  %0 = "dlm.flip"(%x) {dims = array<i64: 0>} : (tensor<3x2xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @concat_c1_dim_outside(%x: tensor<3xf32>) {
  // expected-error @below {{joins 2 parts along dim 1 of 'tensor<6xf32>' (concat_c1)}}
  %0 = dlm.concat %x, %x dim 1 : tensor<3xf32>, tensor<3xf32> -> tensor<6xf32>
  return
}

// -----

func.func @concat_c2_other_size_differs(%x: tensor<3x2xf32>, %y: tensor<4x2xf32>) {
  // expected-error @below {{puts 'tensor<4x2xf32>' into 'tensor<3x4xf32>' (concat_c2)}}
  %0 = dlm.concat %x, %y dim 1 : tensor<3x2xf32>, tensor<4x2xf32> -> tensor<3x4xf32>
  return
}

// -----

func.func @concat_c3_result_is_longer(%x: tensor<3x2xf32>) {
  // expected-error @below {{'dlm.concat' op has parts of 4 in all for 5 (concat_c3)}}
  %0 = dlm.concat %x, %x dim 1 : tensor<3x2xf32>, tensor<3x2xf32> -> tensor<3x5xf32>
  return
}

// -----

func.func @concat_c4_element_types_differ(%x: tensor<2xf32>, %y: tensor<2xi32>) {
  // expected-error @below {{'dlm.concat' op has element types 'i32' and 'f32' (concat_c4)}}
  %0 = dlm.concat %x, %y dim 0 : tensor<2xf32>, tensor<2xi32> -> tensor<4xf32>
  return
}

// -----

func.func @gather_c1_dim_outside(%x: tensor<7xf32>, %ids: tensor<2xi32>) {
  // expected-error @below {{'dlm.gather' op has dim 1 outside of the rank 1 (gather_c1)}}
  %0 = dlm.gather %x, %ids dim 1 : tensor<7xf32>, tensor<2xi32> -> tensor<2xf32>
  return
}

// -----

func.func @gather_c2_ids_of_other_groups(%x: tensor<3x7xf32>, %ids: tensor<2xi32>) {
  // expected-error @below {{takes from 'tensor<3x7xf32>' by 'tensor<2xi32>' (gather_c2)}}
  %0 = dlm.gather %x, %ids dim 1 : tensor<3x7xf32>, tensor<2xi32> -> tensor<2xf32>
  return
}

// -----

func.func @gather_c3_inner_size_is_lost(%x: tensor<7x3xf32>, %ids: tensor<2xi32>) {
  // expected-error @below {{gives 'tensor<2xf32>', not the shape [2, 3] (gather_c3)}}
  %0 = dlm.gather %x, %ids dim 0 : tensor<7x3xf32>, tensor<2xi32> -> tensor<2xf32>
  return
}

// -----

func.func @gather_c4_element_type_changes(%x: tensor<7xf32>, %ids: tensor<2xi32>) {
  // expected-error @below {{'dlm.gather' op has element types 'f32' and 'i32' (gather_c4)}}
  %0 = dlm.gather %x, %ids dim 0 : tensor<7xf32>, tensor<2xi32> -> tensor<2xi32>
  return
}

// -----

func.func @scatter_add_c1_dim_outside(%x: tensor<4xf32>, %ids: tensor<4xi32>) {
  // expected-error @below {{has dim 1 outside of the ranks 1 and 1 (scatter_add_c1)}}
  %0 = dlm.scatter_add %x, %ids dim 1 : tensor<4xf32>, tensor<4xi32> -> tensor<7xf32>
  return
}

// -----

func.func @scatter_add_c2_more_ids_than_rows(%x: tensor<4x3xf32>, %ids: tensor<5xi32>) {
  // expected-error @below {{to 'tensor<7x3xf32>' by 'tensor<5xi32>' (scatter_add_c2)}}
  %0 = dlm.scatter_add %x, %ids dim 0 : tensor<4x3xf32>, tensor<5xi32> -> tensor<7x3xf32>
  return
}

// -----

func.func @scatter_add_c3_rows_are_longer(%x: tensor<4x3xf32>, %ids: tensor<4xi32>) {
  // expected-error @below {{to 'tensor<7x2xf32>' by 'tensor<4xi32>' (scatter_add_c3)}}
  %0 = dlm.scatter_add %x, %ids dim 0 : tensor<4x3xf32>, tensor<4xi32> -> tensor<7x2xf32>
  return
}
