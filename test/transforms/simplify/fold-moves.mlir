// RUN: dlm-opt %s --dlm-fold-moves | FileCheck %s

// Autodiff transposes operands of products; the product can read them as they are.
// CHECK-LABEL: func.func @product_reads_through_transpose
// CHECK-SAME: (%[[A:[^:]+]]: tensor<3x2xf32>, %[[B:[^:]+]]: tensor<4x3xf32>)
// CHECK-NOT: dlm.transpose
// CHECK: dlm.matmul %[[A]], %[[B]] transposeLhs transposeRhs
func.func @product_reads_through_transpose(%a: tensor<3x2xf32>, %b: tensor<4x3xf32>)
    -> tensor<2x4xf32> {
  %at = dlm.transpose %a permutation [1, 0] : tensor<3x2xf32> -> tensor<2x3xf32>
  %bt = dlm.transpose %b permutation [1, 0] : tensor<4x3xf32> -> tensor<3x4xf32>
  %y = dlm.matmul %at, %bt : tensor<2x3xf32>, tensor<3x4xf32> -> tensor<2x4xf32>
  return %y : tensor<2x4xf32>
}

// A transposed transpose is the thing itself; a pinned order is kept.
// CHECK-LABEL: func.func @product_undoes_transpose
// CHECK-SAME: (%[[A:[^:]+]]: tensor<2x3xf32>
// CHECK: dlm.matmul %[[A]], %{{[^ ]+}} {{.*}}#dlm.chain<splits = 2>
func.func @product_undoes_transpose(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) -> tensor<2x4xf32> {
  %at = dlm.transpose %a permutation [1, 0] : tensor<2x3xf32> -> tensor<3x2xf32>
  %y = dlm.matmul %at, %b transposeLhs {chain = #dlm.chain<splits = 2>}
      : tensor<3x2xf32>, tensor<3x4xf32> -> tensor<2x4xf32>
  return %y : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @merges_broadcasts
// CHECK-SAME: (%[[X:.+]]: tensor<3xf32>)
// CHECK-NEXT: dlm.broadcast %[[X]] dims [2] : tensor<3xf32> -> tensor<2x4x3xf32>
func.func @merges_broadcasts(%x: tensor<3xf32>) -> tensor<2x4x3xf32> {
  %a = dlm.broadcast %x dims [1] : tensor<3xf32> -> tensor<4x3xf32>
  %b = dlm.broadcast %a dims [1, 2] : tensor<4x3xf32> -> tensor<2x4x3xf32>
  return %b : tensor<2x4x3xf32>
}

// Where all sizes involved are 1 nothing moves and nothing is combined.
// CHECK-LABEL: func.func @moves_of_size_one_are_reshapes
// CHECK: dlm.reshape %{{.+}} : tensor<3xf32> -> tensor<3x1xf32>
// CHECK: dlm.reshape %{{.+}} : tensor<3x1xf32> -> tensor<1x3xf32>
// CHECK: dlm.reshape %{{.+}} : tensor<3x1xf32> -> tensor<3xf32>
// CHECK-NOT: dlm.broadcast
// CHECK-NOT: dlm.transpose
// CHECK-NOT: dlm.reduce
// CHECK: return
func.func @moves_of_size_one_are_reshapes(%x: tensor<3xf32>, %z: tensor<3x1xf32>)
    -> (tensor<3x1xf32>, tensor<1x3xf32>, tensor<3xf32>) {
  %a = dlm.broadcast %x dims [0] : tensor<3xf32> -> tensor<3x1xf32>
  %b = dlm.transpose %z permutation [1, 0] : tensor<3x1xf32> -> tensor<1x3xf32>
  %c = dlm.reduce add %z dims [1] : tensor<3x1xf32> -> tensor<3xf32>
  return %a, %b, %c : tensor<3x1xf32>, tensor<1x3xf32>, tensor<3xf32>
}

// CHECK-LABEL: func.func @keeps_what_moves
// CHECK: dlm.transpose
// CHECK: dlm.broadcast
// CHECK: dlm.reduce
func.func @keeps_what_moves(%x: tensor<3x2xf32>)
    -> (tensor<2x3xf32>, tensor<4x3x2xf32>, tensor<3xf32>) {
  %a = dlm.transpose %x permutation [1, 0] : tensor<3x2xf32> -> tensor<2x3xf32>
  %b = dlm.broadcast %x dims [1, 2] : tensor<3x2xf32> -> tensor<4x3x2xf32>
  %c = dlm.reduce add %x dims [1] : tensor<3x2xf32> -> tensor<3xf32>
  return %a, %b, %c : tensor<2x3xf32>, tensor<4x3x2xf32>, tensor<3xf32>
}

// The row sum with its dim kept, its logarithm spread over the row: no dim of size 1 is needed.
// CHECK-LABEL: func.func @drops_kept_dims
// CHECK-SAME: (%[[S:.+]]: tensor<3xf32>)
// CHECK: %[[L:.+]] = dlm.log %[[S]] : tensor<3xf32>
// CHECK: %[[B:.+]] = dlm.broadcast %[[L]] dims [0] : tensor<3xf32> -> tensor<3x5xf32>
// CHECK: return %[[B]]
func.func @drops_kept_dims(%s: tensor<3xf32>) -> tensor<3x5xf32> {
  %k = dlm.reshape %s : tensor<3xf32> -> tensor<3x1xf32>
  %l = dlm.log %k : tensor<3x1xf32>
  %b = dlm.broadcast %l dims [0, 1] : tensor<3x1xf32> -> tensor<3x5xf32>
  return %b : tensor<3x5xf32>
}

// Constants follow; reshapes that meet cancel.
// CHECK-LABEL: func.func @cancels_reshapes_around_elementwise_ops
// CHECK-SAME: (%[[A:[^:]+]]: tensor<3xf32>, %[[B:[^:]+]]: tensor<3xf32>)
// CHECK: %[[C:.+]] = dlm.constant dense<2.000000e+00> : tensor<3xf32>
// CHECK: %[[Q:.+]] = dlm.div %[[A]], %[[B]]
// CHECK: %[[D:.+]] = dlm.mul %[[Q]], %[[C]]
// CHECK: return %[[D]]
func.func @cancels_reshapes_around_elementwise_ops(%a: tensor<3xf32>, %b: tensor<3xf32>)
    -> tensor<3xf32> {
  %c = dlm.constant dense<2.0> : tensor<3x1xf32>
  %x = dlm.reshape %a : tensor<3xf32> -> tensor<3x1xf32>
  %y = dlm.reshape %b : tensor<3xf32> -> tensor<3x1xf32>
  %q = dlm.div %x, %y : tensor<3x1xf32>
  %d = dlm.mul %q, %c : tensor<3x1xf32>
  %r = dlm.reshape %d : tensor<3x1xf32> -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// A reshape that regroups elements is not moved, nor one that only one operand has.
// CHECK-LABEL: func.func @keeps_other_reshapes
// CHECK: dlm.reshape
// CHECK: dlm.exp %{{.+}} : tensor<6xf32>
// CHECK: dlm.reshape
// CHECK: dlm.add %{{.+}} : tensor<6x1xf32>
func.func @keeps_other_reshapes(%a: tensor<2x3xf32>, %b: tensor<6x1xf32>)
    -> tensor<6x1xf32> {
  %x = dlm.reshape %a : tensor<2x3xf32> -> tensor<6xf32>
  %e = dlm.exp %x : tensor<6xf32>
  %k = dlm.reshape %e : tensor<6xf32> -> tensor<6x1xf32>
  %s = dlm.add %k, %b : tensor<6x1xf32>
  return %s : tensor<6x1xf32>
}
