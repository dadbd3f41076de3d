// RUN: dlm-opt %s --dlm-split-mixed-reductions | FileCheck %s

// First what lies together in memory, then the rest of the smaller result.
// CHECK-LABEL: func.func @splits_first_and_last
// CHECK-SAME: (%[[X:.+]]: tensor<4x5x6xf32>)
// CHECK: %[[INNER:.+]] = dlm.reduce add %[[X]] dims [2] : tensor<4x5x6xf32> -> tensor<4x5xf32>
// CHECK: %[[OUTER:.+]] = dlm.reduce add %[[INNER]] dims [0] : tensor<4x5xf32> -> tensor<5xf32>
// CHECK: return %[[OUTER]]
func.func @splits_first_and_last(%x: tensor<4x5x6xf32>) -> tensor<5xf32> {
  %y = dlm.reduce add %x dims [0, 2] : tensor<4x5x6xf32> -> tensor<5xf32>
  return %y : tensor<5xf32>
}

// The trailing run is taken whole, and the kind is kept.
// CHECK-LABEL: func.func @keeps_trailing_run_together
// CHECK: %[[INNER:.+]] = dlm.reduce max %{{.+}} dims [3, 4]
// CHECK: dlm.reduce max %[[INNER]] dims [0, 1]
func.func @keeps_trailing_run_together(%x: tensor<2x3x4x5x6xf32>) -> tensor<4xf32> {
  %y = dlm.reduce max %x dims [0, 1, 3, 4] : tensor<2x3x4x5x6xf32> -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @keeps_total_reduction
// CHECK: dlm.reduce add %{{.+}} dims [0, 1]
// CHECK-NOT: dlm.reduce
// CHECK: return
func.func @keeps_total_reduction(%x: tensor<4x5xf32>) -> tensor<f32> {
  %y = dlm.reduce add %x dims [0, 1] : tensor<4x5xf32> -> tensor<f32>
  return %y : tensor<f32>
}

// Without the last axis there is one group, whether or not its axes are neighbours.
// CHECK-LABEL: func.func @keeps_outer_reduction
// CHECK: dlm.reduce add %{{.+}} dims [0, 2]
// CHECK-NOT: dlm.reduce
// CHECK: return
func.func @keeps_outer_reduction(%x: tensor<2x3x4x5xf32>) -> tensor<3x5xf32> {
  %y = dlm.reduce add %x dims [0, 2] : tensor<2x3x4x5xf32> -> tensor<3x5xf32>
  return %y : tensor<3x5xf32>
}
