// RUN: dlm-opt %s --dlm-fuse-kernels --split-input-file | FileCheck %s

// A pooling is an element-wise kernel that loads what its windows see.
// CHECK-LABEL: func.func @a_pooling_stores_no_windows
// CHECK: kernel.func {{.+}} over <row, [?, 3, 4, 5]>
// CHECK: kernel.load %{{.+}} affine_map<(d0, d1, d2, d3) -> (d0, d1 * 2, d2 * 2, d3)>
// CHECK: kernel.load %{{.+}} affine_map<(d0, d1, d2, d3) -> (d0, d1 * 2, d2 * 2 + 1, d3)>
// CHECK: kernel.load %{{.+}} affine_map<(d0, d1, d2, d3) -> (d0, d1 * 2 + 1, d2 * 2, d3)>
// CHECK: kernel.load %{{.+}} affine_map<(d0, d1, d2, d3) -> (d0, d1 * 2 + 1, d2 * 2 + 1, d3)>
func.func @a_pooling_stores_no_windows(%x: tensor<3x6x8x5xf32>) -> tensor<3x3x4x5xf32> {
  %w = dlm.windows %x dim 1 strides [2, 2] dilations [1, 1] low [0, 0]
      : tensor<3x6x8x5xf32> -> tensor<3x3x4x2x2x5xf32>
  %m = dlm.reduce max %w dims [3, 4] {tree = #dlm.tree<lanes = 1, chunk = 64>}
      : tensor<3x3x4x2x2x5xf32> -> tensor<3x3x4x5xf32>
  return %m : tensor<3x3x4x5xf32>
}

// -----

// What a load gives outside of its tensor is the zero that windows see there.
// CHECK-LABEL: func.func @a_product_reads_stored_windows
// CHECK: kernel.launch
// CHECK: kernel.contract
// CHECK: kernel.load %{{.+}} affine_map<(d0, d1, d2, d3) -> (d0, d1 + d2 - 1, d3)> guarded
// CHECK-NOT: select
func.func @a_product_reads_stored_windows(%x: tensor<3x7x4xf32>, %w: tensor<12x5xf32>)
    -> tensor<21x5xf32> {
  %s = dlm.windows %x dim 1 strides [1] dilations [1] low [1]
      : tensor<3x7x4xf32> -> tensor<3x7x3x4xf32>
  %r = dlm.reshape %s : tensor<3x7x3x4xf32> -> tensor<21x12xf32>
  %p = dlm.matmul %r, %w {chain = #dlm.chain<splits = 1>}
      : tensor<21x12xf32>, tensor<12x5xf32> -> tensor<21x5xf32>
  return %p : tensor<21x5xf32>
}

// -----

// CHECK-LABEL: func.func @a_window_of_a_sum_has_zeros_around_it
// CHECK: %[[SUM:.+]] = arith.addf
// CHECK: %[[IN:.+]] = arith.cmpi ult
// CHECK: arith.select %[[IN]], %[[SUM]], %{{.+}} : f32
func.func @a_window_of_a_sum_has_zeros_around_it(%x: tensor<3x7x4xf32>) -> tensor<3x7x3x4xf32> {
  %y = dlm.add %x, %x : tensor<3x7x4xf32>
  %s = dlm.windows %y dim 1 strides [1] dilations [1] low [1]
      : tensor<3x7x4xf32> -> tensor<3x7x3x4xf32>
  return %s : tensor<3x7x3x4xf32>
}

// -----

// CHECK-LABEL: func.func @overlaps_are_asked_for_place_by_place
// CHECK: kernel.load %{{.+}} affine_map<(d0, d1, d2) -> (d0, d1, 0, d2)> guarded
// CHECK: %[[A:.+]] = arith.select
// CHECK: kernel.load %{{.+}} affine_map<(d0, d1, d2) -> (d0, d1 - 1, 1, d2)> guarded
// CHECK: %[[B:.+]] = arith.select
// CHECK: arith.addf %[[A]], %[[B]] : f32
func.func @overlaps_are_asked_for_place_by_place(%x: tensor<3x7x2x4xf32>) -> tensor<3x8x4xf32> {
  %s = dlm.overlap_add %x dim 1 strides [1] dilations [1] low [0]
      : tensor<3x7x2x4xf32> -> tensor<3x8x4xf32>
  return %s : tensor<3x8x4xf32>
}

// -----

// CHECK-LABEL: func.func @windows_apart_are_found_by_a_division
// CHECK: arith.divsi
// CHECK: %[[O:.+]] = arith.select
// CHECK: kernel.load %{{.+}} at(%[[O]]) affine_map<(d0, d1, d2)[s0] -> (d0, s0, 0, d2)> guarded
func.func @windows_apart_are_found_by_a_division(%x: tensor<3x4x3x4xf32>) -> tensor<3x10x4xf32> {
  %s = dlm.overlap_add %x dim 1 strides [3] dilations [1] low [0]
      : tensor<3x4x3x4xf32> -> tensor<3x10x4xf32>
  return %s : tensor<3x10x4xf32>
}

// -----

// CHECK-LABEL: func.func @leading_dims_stay_a_column
// CHECK: kernel.func {{.+}} over <column, [?, 4]>
// CHECK: kernel.reduce add
func.func @leading_dims_stay_a_column(%x: tensor<6x4xf32>) -> tensor<4xf32> {
  %s = dlm.reduce add %x dims [0] {tree = #dlm.tree<lanes = 1, chunk = 64>}
      : tensor<6x4xf32> -> tensor<4xf32>
  return %s : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @what_only_a_short_reduction_reads_stands_in_it
// CHECK-COUNT-1: kernel.launch
// CHECK-NOT: kernel.launch
// CHECK: kernel.func {{.+}} over <row, [?, 4]>
// CHECK-COUNT-9: kernel.load
func.func @what_only_a_short_reduction_reads_stands_in_it(%x: tensor<5x3x4xf32>,
    %y: tensor<5x3x4xf32>,
    %z: tensor<5x3x4xf32>)
    -> tensor<5x4xf32> {
  %a = dlm.mul %x, %y : tensor<5x3x4xf32>
  %b = dlm.add %a, %z : tensor<5x3x4xf32>
  %s = dlm.reduce add %b dims [1] {tree = #dlm.tree<lanes = 1, chunk = 64>}
      : tensor<5x3x4xf32> -> tensor<5x4xf32>
  return %s : tensor<5x4xf32>
}
