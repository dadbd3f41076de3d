// RUN: dlm-opt %s --dlm-fuse-kernels --split-input-file | FileCheck %s

// A part is the operand at another index. The first dim stays open where the part takes all of it.
// CHECK-LABEL: func.func @a_part_is_an_index_map
// CHECK: kernel.func @{{.+}}(%[[X:[a-z0-9]+]]: tensor<?x30xf32>)
// CHECK-SAME: over <row, [?, 10]>
// CHECK: kernel.load %[[X]] affine_map<(d0, d1) -> (d0, d1 + 20)> : tensor<?x30xf32>
func.func @a_part_is_an_index_map(%x: tensor<7x30xf32>) -> tensor<7x10xf32> {
  %s = dlm.slice %x begins [0, 20] : tensor<7x30xf32> -> tensor<7x10xf32>
  %e = dlm.exp %s : tensor<7x10xf32>
  return %e : tensor<7x10xf32>
}

// -----

// CHECK-LABEL: func.func @a_part_of_the_first_dim_fixes_it
// CHECK: kernel.func @{{.+}}(%[[X:[a-z0-9]+]]: tensor<7x30xf32>)
// CHECK-SAME: over <row, [5, 30]>
// CHECK: kernel.load %[[X]] affine_map<(d0, d1) -> (d0 + 2, d1)> : tensor<7x30xf32>
func.func @a_part_of_the_first_dim_fixes_it(%x: tensor<7x30xf32>) -> tensor<5x30xf32> {
  %s = dlm.slice %x begins [2, 0] : tensor<7x30xf32> -> tensor<5x30xf32>
  %e = dlm.exp %s : tensor<5x30xf32>
  return %e : tensor<5x30xf32>
}

// -----

// A part whose dim becomes two dims moves the first of them, if it begins at a multiple.
// CHECK-LABEL: func.func @a_part_that_is_cut_into_heads
// CHECK: kernel.func @{{.+}}(%[[X:[a-z0-9]+]]: tensor<5x6x4xf32>)
// CHECK: kernel.load %[[X]] affine_map<(d0, d1, d2) -> (d1, d0 + 2, d2)>
// CHECK-SAME: : tensor<5x6x4xf32>
func.func @a_part_that_is_cut_into_heads(%x: tensor<5x24xf32>) -> tensor<2x5x4xf32> {
  %s = dlm.slice %x begins [0, 8] : tensor<5x24xf32> -> tensor<5x8xf32>
  %h = dlm.reshape %s : tensor<5x8xf32> -> tensor<5x2x4xf32>
  %t = dlm.transpose %h permutation [1, 0, 2] : tensor<5x2x4xf32> -> tensor<2x5x4xf32>
  %e = dlm.exp %t : tensor<2x5x4xf32>
  return %e : tensor<2x5x4xf32>
}

// -----

// CHECK-LABEL: func.func @a_flip_runs_backwards
// CHECK: kernel.load %{{.+}} affine_map<(d0, d1) -> (d0, -d1 + 9)> : tensor<?x10xf32>
func.func @a_flip_runs_backwards(%x: tensor<7x10xf32>) -> tensor<7x10xf32> {
  %s = dlm.flip %x dims [1] : tensor<7x10xf32>
  %e = dlm.exp %s : tensor<7x10xf32>
  return %e : tensor<7x10xf32>
}

// -----

// A pad reads beyond its operand and selects.
// CHECK-LABEL: func.func @a_pad_is_a_guarded_load
// CHECK: %[[X:.+]] = kernel.load %{{.+}} affine_map<(d0, d1) -> (d0, d1 - 2)> guarded
// CHECK-SAME: tensor<?x10xf32>
// CHECK: %[[IN:.+]] = arith.cmpi ult
// CHECK: arith.select %[[IN]], %[[X]], %{{.+}} : f32
func.func @a_pad_is_a_guarded_load(%x: tensor<7x10xf32>) -> tensor<7x13xf32> {
  %p = dlm.pad %x low [0, 2] value 1.0 : tensor<7x10xf32> -> tensor<7x13xf32>
  %e = dlm.exp %p : tensor<7x13xf32>
  return %e : tensor<7x13xf32>
}

// -----

// CHECK-LABEL: func.func @a_join_selects_among_its_parts
// CHECK: kernel.load %{{.+}} affine_map<(d0, d1) -> (d0, d1 - 10)> guarded
// CHECK: kernel.load %{{.+}} affine_map<(d0, d1) -> (d0, d1)> guarded
// CHECK: arith.select
func.func @a_join_selects_among_its_parts(%x: tensor<7x10xf32>, %y: tensor<7x3xf32>)
    -> tensor<7x13xf32> {
  %p = dlm.concat %x, %y dim 1 : tensor<7x10xf32>, tensor<7x3xf32> -> tensor<7x13xf32>
  %e = dlm.exp %p : tensor<7x13xf32>
  return %e : tensor<7x13xf32>
}

// -----

// More than eight parts are put side by side in memory, here behind a transpose.
// CHECK-LABEL: func.func @a_join_of_many_parts_is_a_pack
// CHECK: dlm.pack
// CHECK-NOT: guarded
func.func @a_join_of_many_parts_is_a_pack(%x: tensor<7x3xf32>) -> tensor<7x27xf32> {
  %p = dlm.concat %x, %x, %x, %x, %x, %x, %x, %x, %x dim 1
      : tensor<7x3xf32>, tensor<7x3xf32>, tensor<7x3xf32>, tensor<7x3xf32>, tensor<7x3xf32>,
        tensor<7x3xf32>, tensor<7x3xf32>, tensor<7x3xf32>, tensor<7x3xf32> -> tensor<7x27xf32>
  return %p : tensor<7x27xf32>
}

// -----

// Rows of a table: the id is a value of the body, and what is no index is NaN.
// CHECK-LABEL: func.func @rows_by_id
// CHECK: kernel.func @{{.+}}(%[[IDS:[a-z0-9]+]]: tensor<?xi32>, %[[T:[a-z0-9]+]]: tensor<9x20xf32>)
// CHECK-SAME: over <row, [?, 20]>
// CHECK: %[[ID:.+]] = arith.extsi
// CHECK: %[[X:.+]] = kernel.load %[[T]] at(%[[ID]]) affine_map<(d0, d1)[s0] -> (s0, d1)> guarded
// CHECK: %[[IN:.+]] = arith.cmpi ult, %[[ID]]
// CHECK: arith.select %[[IN]], %[[X]], %{{.+}} : f32
func.func @rows_by_id(%t: tensor<9x20xf32>, %ids: tensor<4xi32>) -> tensor<4x20xf32> {
  %x = dlm.gather %t, %ids dim 0 : tensor<9x20xf32>, tensor<4xi32> -> tensor<4x20xf32>
  %e = dlm.exp %x : tensor<4x20xf32>
  return %e : tensor<4x20xf32>
}

// -----

// A sum by ids computes its values on the way.
// CHECK-LABEL: func.func @a_sum_by_ids_is_a_kernel
// CHECK: kernel.launch @{{.+}} extent 1
// CHECK: kernel.func {{.+}} -> (%{{.+}}: tensor<1x9x20xf32>) over <scatter, [1, 9, 4, 20]>
// CHECK: kernel.load %{{.+}} affine_map<(d0, d1, d2, d3) -> (d0, d2)> : tensor<1x4xi32>
// CHECK: kernel.load %{{.+}} affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)> : tensor<1x4x20xf32>
// CHECK: arith.negf
// CHECK: kernel.scatter
func.func @a_sum_by_ids_is_a_kernel(%g: tensor<4x20xf32>, %ids: tensor<4xi32>)
    -> tensor<9x20xf32> {
  %n = dlm.neg %g : tensor<4x20xf32>
  %x = dlm.scatter_add %n, %ids dim 0 : tensor<4x20xf32>, tensor<4xi32> -> tensor<9x20xf32>
  return %x : tensor<9x20xf32>
}
