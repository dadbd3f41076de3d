// RUN: dlm-opt %s --dlm-guard-update | FileCheck %s

func.func @grad(%l: tensor<f32> {dlm.buffer = "loss.l"}) -> (tensor<f32> {dlm.buffer = "loss.l"})
    attributes {dlm.program = "grad"} {
  return %l : tensor<f32>
}

// A buffer moves only if the step is taken; its sum begins anew in either case.
// CHECK-LABEL: func.func @update
// CHECK-SAME: %[[NEXT:[^:]+]]: tensor<3xf32> {dlm.buffer = "next.mean"}
// CHECK-SAME: %[[LAST:[^:]+]]: tensor<i32> {dlm.buffer = "last.seen"}
// CHECK-SAME: %[[MEAN:[^:]+]]: tensor<3xf32> {dlm.buffer = "buffer.mean"}
// CHECK-SAME: %[[SEEN:[^:]+]]: tensor<i32> {dlm.buffer = "buffer.seen"}
// CHECK: %[[NEW_MEAN:.+]] = dlm.select %{{.+}}, %[[NEXT]], %[[MEAN]]
// CHECK: %[[NEW_SEEN:.+]] = dlm.select %{{.+}}, %[[LAST]], %[[SEEN]]
// CHECK: %[[ZERO:.+]] = dlm.constant dense<-0.000000e+00> : tensor<3xf32>
// CHECK: return %{{[^,]+}}, %[[NEW_MEAN]], %[[NEW_SEEN]],
// CHECK-SAME: %[[ZERO]] :
func.func @update(%p: tensor<2048xf32> {dlm.buffer = "params"},
                  %g: tensor<2048xf32> {dlm.buffer = "grads"},
                  %mean: tensor<3xf32> {dlm.buffer = "next.mean"},
                  %seen: tensor<i32> {dlm.buffer = "last.seen"})
    -> (tensor<2048xf32> {dlm.buffer = "params"}, tensor<3xf32> {dlm.buffer = "buffer.mean"},
        tensor<i32> {dlm.buffer = "buffer.seen"})
    attributes {dlm.program = "update"} {
  %p1 = dlm.sub %p, %g : tensor<2048xf32>
  return %p1, %mean, %seen : tensor<2048xf32>, tensor<3xf32>, tensor<i32>
}
