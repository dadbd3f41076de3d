// RUN: dlm-opt %s --dlm-elide-stop-gradients | FileCheck %s

// CHECK-LABEL: func.func @reads_the_operand
// CHECK-SAME: (%[[X:.+]]: tensor<f32>)
// CHECK-NEXT: %[[Y:.+]] = dlm.exp %[[X]]
// CHECK-NEXT: return %[[Y]]
func.func @reads_the_operand(%x: tensor<f32>) -> tensor<f32> {
  %a = dlm.stop_gradient %x : tensor<f32>
  %b = dlm.stop_gradient %a : tensor<f32>
  %y = dlm.exp %b : tensor<f32>
  return %y : tensor<f32>
}
