// RUN: dlm-opt %s --canonicalize | FileCheck %s

// Only identities that keep every bit fold, because they run after `pin` too.

// CHECK-LABEL: func.func @adding_negative_zero_is_nothing
// CHECK-SAME: %[[X:.+]]: tensor<4xf32>
func.func @adding_negative_zero_is_nothing(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %z = dlm.constant dense<-0.0> : tensor<4xf32>
  %0 = dlm.add %x, %z : tensor<4xf32>
  %1 = dlm.add %z, %x : tensor<4xf32>
  // CHECK: return %[[X]], %[[X]]
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// x + 0.0 turns -0.0 into 0.0, so it stays.
// CHECK-LABEL: func.func @keeps_adding_positive_zero
func.func @keeps_adding_positive_zero(%x: tensor<4xf32>) -> tensor<4xf32> {
  %z = dlm.constant dense<0.0> : tensor<4xf32>
  // CHECK: %[[R:.+]] = dlm.add
  %0 = dlm.add %x, %z : tensor<4xf32>
  // CHECK: return %[[R]]
  return %0 : tensor<4xf32>
}

// x - (-0.0) turns -0.0 into 0.0 as well.
// CHECK-LABEL: func.func @subtracting_zero_depends_on_its_sign
// CHECK-SAME: %[[X:.+]]: tensor<4xf32>
func.func @subtracting_zero_depends_on_its_sign(%x: tensor<4xf32>)
    -> (tensor<4xf32>, tensor<4xf32>) {
  %p = dlm.constant dense<0.0> : tensor<4xf32>
  %n = dlm.constant dense<-0.0> : tensor<4xf32>
  %0 = dlm.sub %x, %p : tensor<4xf32>
  // CHECK: %[[R:.+]] = dlm.sub
  %1 = dlm.sub %x, %n : tensor<4xf32>
  // CHECK: return %[[X]], %[[R]]
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @one_is_neutral
// CHECK-SAME: %[[X:.+]]: tensor<4xf32>, %[[N:.+]]: tensor<4xi64>
func.func @one_is_neutral(%x: tensor<4xf32>, %n: tensor<4xi64>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xi64>) {
  %one = dlm.constant dense<1.0> : tensor<4xf32>
  %i = dlm.constant dense<1> : tensor<4xi64>
  %0 = dlm.mul %one, %x : tensor<4xf32>
  %1 = dlm.div %x, %one : tensor<4xf32>
  %2 = dlm.mul %n, %i : tensor<4xi64>
  // CHECK: return %[[X]], %[[X]], %[[N]]
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xi64>
}

// x * 0 is NaN for NaN and infinity.
// CHECK-LABEL: func.func @keeps_a_product_with_zero
func.func @keeps_a_product_with_zero(%x: tensor<4xf32>) -> tensor<4xf32> {
  %z = dlm.constant dense<0.0> : tensor<4xf32>
  // CHECK: %[[R:.+]] = dlm.mul
  %0 = dlm.mul %x, %z : tensor<4xf32>
  // CHECK: return %[[R]]
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @moves_that_move_nothing
// CHECK-SAME: %[[X:.+]]: tensor<2x3xf32>
func.func @moves_that_move_nothing(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = dlm.reshape %x : tensor<2x3xf32> -> tensor<2x3xf32>
  %1 = dlm.transpose %0 permutation [0, 1] : tensor<2x3xf32> -> tensor<2x3xf32>
  %2 = dlm.broadcast %1 dims [0, 1] : tensor<2x3xf32> -> tensor<2x3xf32>
  %3 = dlm.cast %2 : tensor<2x3xf32> -> tensor<2x3xf32>
  %4 = dlm.reduce add %3 dims [] : tensor<2x3xf32> -> tensor<2x3xf32>
  // CHECK: return %[[X]]
  return %4 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @transposes_compose
// CHECK-SAME: %[[X:.+]]: tensor<2x3x5xf32>
func.func @transposes_compose(%x: tensor<2x3x5xf32>)
    -> (tensor<5x2x3xf32>, tensor<2x3x5xf32>) {
  %0 = dlm.transpose %x permutation [1, 2, 0] : tensor<2x3x5xf32> -> tensor<3x5x2xf32>
  // CHECK: %[[R:.+]] = dlm.transpose %[[X]] permutation [2, 0, 1]
  %1 = dlm.transpose %0 permutation [1, 2, 0] : tensor<3x5x2xf32> -> tensor<5x2x3xf32>
  %2 = dlm.transpose %1 permutation [1, 2, 0] : tensor<5x2x3xf32> -> tensor<2x3x5xf32>
  // CHECK: return %[[R]], %[[X]]
  return %1, %2 : tensor<5x2x3xf32>, tensor<2x3x5xf32>
}

// CHECK-LABEL: func.func @reshapes_compose
// CHECK-SAME: %[[X:.+]]: tensor<2x6xf32>
func.func @reshapes_compose(%x: tensor<2x6xf32>) -> tensor<4x3xf32> {
  %0 = dlm.reshape %x : tensor<2x6xf32> -> tensor<12xf32>
  // CHECK: dlm.reshape %[[X]] : tensor<2x6xf32> -> tensor<4x3xf32>
  %1 = dlm.reshape %0 : tensor<12xf32> -> tensor<4x3xf32>
  return %1 : tensor<4x3xf32>
}

// CHECK-LABEL: func.func @select_knows_its_branch
// CHECK-SAME: %[[C:.+]]: tensor<4xi1>, %[[X:.+]]: tensor<4xf32>, %[[Y:.+]]: tensor<4xf32>
func.func @select_knows_its_branch(%c: tensor<4xi1>, %x: tensor<4xf32>, %y: tensor<4xf32>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xi1>) {
  %no = dlm.constant dense<false> : tensor<4xi1>
  %0 = dlm.select %c, %x, %x : tensor<4xf32>
  %1 = dlm.select %no, %x, %y : tensor<4xf32>
  %2 = dlm.not %c : tensor<4xi1>
  %3 = dlm.not %2 : tensor<4xi1>
  // CHECK: return %[[X]], %[[Y]], %[[C]]
  return %0, %1, %3 : tensor<4xf32>, tensor<4xf32>, tensor<4xi1>
}

// CHECK-LABEL: func.func @segment_of_a_pack_is_the_part
// CHECK-SAME: %[[A:.+]]: tensor<2xf32>, %[[B:.+]]: tensor<3xf32>
func.func @segment_of_a_pack_is_the_part(%a: tensor<2xf32>, %b: tensor<3xf32>)
    -> (tensor<3xf32>, tensor<2xf32>) {
  %0 = dlm.pack %a, %b offsets [0, 4] : tensor<2xf32>, tensor<3xf32> -> tensor<8xf32>
  %1 = dlm.segment %0 offset 4 : tensor<8xf32> -> tensor<3xf32>
  // CHECK: %[[R:.+]] = dlm.segment
  %2 = dlm.segment %0 offset 4 : tensor<8xf32> -> tensor<2xf32>
  // CHECK: return %[[B]], %[[R]]
  return %1, %2 : tensor<3xf32>, tensor<2xf32>
}

// CHECK-LABEL: func.func @splats_stay_splats
func.func @splats_stay_splats() -> (tensor<3x2xf32>, tensor<2x3xf32>) {
  %0 = dlm.constant dense<2.0> : tensor<3xf32>
  // CHECK-DAG: %[[A:.+]] = dlm.constant dense<2.000000e+00> : tensor<3x2xf32>
  %1 = dlm.broadcast %0 dims [0] : tensor<3xf32> -> tensor<3x2xf32>
  // CHECK-DAG: %[[B:.+]] = dlm.constant dense<2.000000e+00> : tensor<2x3xf32>
  %2 = dlm.transpose %1 permutation [1, 0] : tensor<3x2xf32> -> tensor<2x3xf32>
  // CHECK: return %[[A]], %[[B]]
  return %1, %2 : tensor<3x2xf32>, tensor<2x3xf32>
}

// CHECK-LABEL: func.func @parts_that_change_nothing
// CHECK-SAME: %[[X:.+]]: tensor<4x1xf32>
func.func @parts_that_change_nothing(%x: tensor<4x1xf32>)
    -> (tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x1xf32>) {
  %0 = dlm.slice %x begins [0, 0] : tensor<4x1xf32> -> tensor<4x1xf32>
  %1 = dlm.pad %x low [0, 0] value 1.0 : tensor<4x1xf32> -> tensor<4x1xf32>
  %2 = dlm.flip %x dims [1] : tensor<4x1xf32>
  %3 = dlm.concat %x dim 0 : tensor<4x1xf32> -> tensor<4x1xf32>
  %4 = dlm.flip %x dims [0] : tensor<4x1xf32>
  %5 = dlm.flip %4 dims [0] : tensor<4x1xf32>
  // CHECK: return %[[X]], %[[X]], %[[X]], %[[X]], %[[X]]
  return %0, %1, %2, %3, %5 : tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x1xf32>,
      tensor<4x1xf32>
}

// CHECK-LABEL: func.func @a_part_of_a_part_is_a_part
// CHECK: dlm.slice %{{.+}} begins [3] : tensor<9xf32> -> tensor<2xf32>
func.func @a_part_of_a_part_is_a_part(%x: tensor<9xf32>) -> tensor<2xf32> {
  %0 = dlm.slice %x begins [1] : tensor<9xf32> -> tensor<5xf32>
  %1 = dlm.slice %0 begins [2] : tensor<5xf32> -> tensor<2xf32>
  return %1 : tensor<2xf32>
}
