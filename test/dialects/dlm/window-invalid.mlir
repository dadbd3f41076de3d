// RUN: dlm-opt %s --split-input-file --verify-diagnostics

// Windows, and the sum that undoes them: one case for each constraint.

func.func @windows_c1_stride_missing(%x: tensor<3x5xf32>) {
  // expected-error @below {{has strides [1], dilations [1, 1] and low [0] (windows_c1)}}
  %0 = dlm.windows %x dim 1 strides [1] dilations [1, 1] low [0]
      : tensor<3x5xf32> -> tensor<3x4x2xf32>
  return
}

// -----

func.func @windows_c1_stride_zero(%x: tensor<3x5xf32>) {
  // expected-error @below {{has strides [0], dilations [1] and low [0] (windows_c1)}}
  %0 = dlm.windows %x dim 1 strides [0] dilations [1] low [0] : tensor<3x5xf32> -> tensor<3x4x2xf32>
  return
}

// -----

func.func @windows_c2_dims_beyond_rank(%x: tensor<3x5xf32>) {
  // expected-error @below {{moves over 2 dims from 1 on of 'tensor<3x5xf32>' (windows_c2)}}
  %0 = dlm.windows %x dim 1 strides [1, 1] dilations [1, 1] low [0, 0]
      : tensor<3x5xf32> -> tensor<3x4x2x1xf32>
  return
}

// -----

func.func @windows_c3_other_size_changes(%x: tensor<3x5xf32>) {
  // expected-error @below {{sees 'tensor<3x5xf32>' as 'tensor<4x2x6xf32>' (windows_c3)}}
  %0 = dlm.windows %x dim 0 strides [1] dilations [1] low [0] : tensor<3x5xf32> -> tensor<4x2x6xf32>
  return
}

// -----

func.func @windows_c4_element_type_changes(%x: tensor<5xf32>) {
  // expected-error @below {{'dlm.windows' op has element types 'f32' and 'i32' (windows_c4)}}
  %0 = dlm.windows %x dim 0 strides [1] dilations [1] low [0] : tensor<5xf32> -> tensor<4x2xi32>
  return
}

// -----

func.func @overlap_add_c1_dilation_zero(%x: tensor<3x2xf32>) {
  // expected-error @below {{has strides [1], dilations [0] and low [0] (overlap_add_c1)}}
  %0 = dlm.overlap_add %x dim 0 strides [1] dilations [0] low [0] : tensor<3x2xf32> -> tensor<4xf32>
  return
}

// -----

func.func @overlap_add_c2_dim_negative(%x: tensor<3x2xf32>) {
  // expected-error @below {{moves over 1 dims from -1 on of 'tensor<4xf32>' (overlap_add_c2)}}
  %0 = dlm.overlap_add %x dim -1 strides [1] dilations [1] low [0]
      : tensor<3x2xf32> -> tensor<4xf32>
  return
}

// -----

func.func @overlap_add_c3_rank_differs(%x: tensor<3x2x2xf32>) {
  // expected-error @below {{sees 'tensor<4xf32>' as 'tensor<3x2x2xf32>' (overlap_add_c3)}}
  %0 = dlm.overlap_add %x dim 0 strides [1] dilations [1] low [0]
      : tensor<3x2x2xf32> -> tensor<4xf32>
  return
}
