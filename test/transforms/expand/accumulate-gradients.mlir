// RUN: dlm-opt %s --dlm-accumulate-gradients | FileCheck %s

// Losses are added to their accumulators; a pack of gradients is added part by part, so that no
// sweep over the flat tensor is needed.
// CHECK-LABEL: func.func @adds_to_old_contents
// CHECK-SAME: (%[[L:[^:]+]]: tensor<f32> {dlm.buffer = "batch.l"}
// CHECK-SAME: %[[G:[^:]+]]: tensor<2x3xf32> {dlm.buffer = "batch.g"}
// CHECK-SAME: %[[LOSS:[^:]+]]: tensor<f32> {dlm.buffer = "loss.loss"}
// CHECK-SAME: %[[GRADS:[^:]+]]: tensor<4096xf32> {dlm.buffer = "grads"}
// CHECK: %[[NEW:.+]] = dlm.add %[[LOSS]], %[[L]]
// CHECK: %[[OLD:.+]] = dlm.segment %[[GRADS]] offset 2048 : tensor<4096xf32> -> tensor<2x3xf32>
// CHECK: %[[SUM:.+]] = dlm.add %[[OLD]], %[[G]] : tensor<2x3xf32>
// CHECK: %[[PACK:.+]] = dlm.pack %[[SUM]] offsets [2048]
// CHECK: return %[[NEW]], %[[PACK]]
func.func @adds_to_old_contents(%l: tensor<f32> {dlm.buffer = "batch.l"},
                                %g: tensor<2x3xf32> {dlm.buffer = "batch.g"})
    -> (tensor<f32> {dlm.buffer = "loss.loss"}, tensor<4096xf32> {dlm.buffer = "grads"})
    attributes {dlm.program = "grad"} {
  %p = dlm.pack %g offsets [2048] : tensor<2x3xf32> -> tensor<4096xf32>
  return %l, %p : tensor<f32>, tensor<4096xf32>
}

// CHECK-LABEL: func.func @leaves_other_programs
// CHECK-NOT: dlm.add
// CHECK: return
func.func @leaves_other_programs(%l: tensor<f32> {dlm.buffer = "batch.l"})
    -> (tensor<f32> {dlm.buffer = "metric.l"}) attributes {dlm.program = "eval_end"} {
  return %l : tensor<f32>
}

// A sum over samples is added up over the micro-batches; what each of them gives the same is not.
// CHECK-LABEL: func.func @adds_next_values
// CHECK-SAME: %[[SUM:[^:]+]]: tensor<3xf32> {dlm.buffer = "batch.s"}
// CHECK-SAME: %[[SAME:[^:]+]]: tensor<i32> {dlm.buffer = "batch.n"}
// CHECK-SAME: %[[OLD:[^:]+]]: tensor<3xf32> {dlm.buffer = "next.mean"}
// CHECK: %[[NEXT:.+]] = dlm.add %[[OLD]], %[[SUM]]
// CHECK: return %[[NEXT]], %[[SAME]]
func.func @adds_next_values(%s: tensor<3xf32> {dlm.buffer = "batch.s"},
                            %n: tensor<i32> {dlm.buffer = "batch.n"})
    -> (tensor<3xf32> {dlm.buffer = "next.mean"}, tensor<i32> {dlm.buffer = "last.seen"})
    attributes {dlm.program = "grad"} {
  return %s, %n : tensor<3xf32>, tensor<i32>
}
