// RUN: dlm-opt %s --dlm-guard-update | FileCheck %s

func.func @grad(%a: tensor<f32> {dlm.buffer = "loss.a"}, %b: tensor<f32> {dlm.buffer = "loss.b"})
    -> (tensor<f32> {dlm.buffer = "loss.a"}, tensor<f32> {dlm.buffer = "loss.b"})
    attributes {dlm.program = "grad"} {
  return %a, %b : tensor<f32>, tensor<f32>
}

// One flag decides for parameters, moments and step; it looks at the norm of the gradient and at
// every loss term.
// CHECK-LABEL: func.func @update
// CHECK-SAME: (%[[P:[^:]+]]: tensor<2048xf32> {dlm.buffer = "params"}
// CHECK-SAME: %[[G:[^:]+]]: tensor<2048xf32> {dlm.buffer = "grads"}
// CHECK-SAME: %[[M:[^:]+]]: tensor<2048xf32> {dlm.buffer = "opt.m"}
// CHECK-SAME: %[[A:[^:]+]]: tensor<f32> {dlm.buffer = "loss.a"}
// CHECK-SAME: %[[B:[^:]+]]: tensor<f32> {dlm.buffer = "loss.b"}
// CHECK-SAME: %[[ATTEMPT:[^:]+]]: tensor<i64> {dlm.buffer = "state.attempt"}
// CHECK-SAME: %[[STEP:[^:]+]]: tensor<i64> {dlm.buffer = "state.step"}
// CHECK-SAME: %[[SKIPPED:[^:]+]]: tensor<i64> {dlm.buffer = "state.skipped"}
// CHECK: %[[NEW_M:.+]] = dlm.add %[[M]], %[[G]]
// CHECK: %[[NEW_P:.+]] = dlm.sub %[[P]], %[[NEW_M]]
// CHECK: %[[RATE:.+]] = dlm.constant dense<2.500000e-01>
// CHECK: %[[SQUARE:.+]] = dlm.mul %[[G]], %[[G]]
// CHECK: %[[SUM:.+]] = dlm.reduce add %[[SQUARE]] dims [0]
// CHECK: %[[NORM:.+]] = dlm.sqrt %[[SUM]]
// CHECK: dlm.sub %[[NORM]], %[[NORM]]
// CHECK: %[[NORM_OK:.+]] = dlm.compare eq
// CHECK: dlm.sub %[[A]], %[[A]]
// CHECK: %[[A_OK:.+]] = dlm.compare eq
// CHECK: %[[BOTH:.+]] = dlm.and %[[NORM_OK]], %[[A_OK]]
// CHECK: dlm.sub %[[B]], %[[B]]
// CHECK: %[[B_OK:.+]] = dlm.compare eq
// CHECK: %[[OK:.+]] = dlm.and %[[BOTH]], %[[B_OK]]
// CHECK: %[[SELECTED_P:.+]] = dlm.select %{{.+}}, %[[NEW_P]], %[[P]]
// CHECK: %[[SELECTED_M:.+]] = dlm.select %{{.+}}, %[[NEW_M]], %[[M]]
// The batch is consumed either way; the step counts only if it was taken.
// CHECK: %[[NEW_ATTEMPT:.+]] = dlm.add %[[ATTEMPT]],
// CHECK: %[[NEXT_STEP:.+]] = dlm.add %[[STEP]],
// CHECK: %[[NEW_STEP:.+]] = dlm.select %[[OK]], %[[NEXT_STEP]], %[[STEP]]
// CHECK: %[[NEXT_SKIPPED:.+]] = dlm.add %[[SKIPPED]],
// CHECK: %[[NEW_SKIPPED:.+]] = dlm.select %[[OK]], %[[SKIPPED]], %[[NEXT_SKIPPED]]
// CHECK: %[[FLAG:.+]] = dlm.cast %[[OK]]
// CHECK: %[[TOTAL:.+]] = dlm.add %[[A]], %[[B]]
// CHECK: %[[ZEROS:.+]] = dlm.constant dense<-0.000000e+00> : tensor<2048xf32>
// CHECK: %[[ZERO_A:.+]] = dlm.constant dense<-0.000000e+00> : tensor<f32>
// CHECK: %[[ZERO_B:.+]] = dlm.constant dense<-0.000000e+00> : tensor<f32>
// What is reported is not chosen.
// CHECK: return %[[SELECTED_P]], %[[SELECTED_M]], %[[RATE]], %[[NEW_ATTEMPT]], %[[NEW_STEP]],
// CHECK-SAME: %[[NEW_SKIPPED]], %[[FLAG]], %[[A]], %[[B]], %[[TOTAL]], %[[NORM]], %[[ZEROS]],
// CHECK-SAME: %[[ZERO_A]], %[[ZERO_B]]
func.func @update(%p: tensor<2048xf32> {dlm.buffer = "params"},
                  %g: tensor<2048xf32> {dlm.buffer = "grads"},
                  %m: tensor<2048xf32> {dlm.buffer = "opt.m"})
    -> (tensor<2048xf32> {dlm.buffer = "params"}, tensor<2048xf32> {dlm.buffer = "opt.m"},
        tensor<f32> {dlm.buffer = "report.lr"})
    attributes {dlm.program = "update"} {
  %m1 = dlm.add %m, %g : tensor<2048xf32>
  %p1 = dlm.sub %p, %m1 : tensor<2048xf32>
  %lr = dlm.constant dense<0.25> : tensor<f32>
  return %p1, %m1, %lr : tensor<2048xf32>, tensor<2048xf32>, tensor<f32>
}
