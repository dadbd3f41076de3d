// RUN: dlm-opt %s --dlm-instantiate-programs | FileCheck %s

// Each rule has flat buffers of its own; what no rule changes lies in `params.held`. A moment of a
// rule for each parameter is as large as it says, once for each of them.
// CHECK: module attributes
// CHECK-SAME: {buffer = "params.2", name = "a", offset = 0 : i64, role = "param"
// CHECK-SAME: {buffer = "params", name = "bias", offset = 0 : i64, role = "param"
// CHECK-SAME: {buffer = "params.2", name = "b", offset = 2048 : i64, role = "param"
// CHECK-SAME: {buffer = "params.held", name = "fixed", offset = 0 : i64, role = "param"
// CHECK-SAME: {buffer = "buffer.slow", name = "slow"
// CHECK-SAME: {buffer = "opt.2.row", name = "opt.row.a", offset = 0 : i64, role = "moment"
// CHECK-SAME: shape = array<i64: 3>
// CHECK-SAME: {buffer = "opt.2.row", name = "opt.row.b", offset = 2048 : i64, role = "moment"
// CHECK-SAME: shape = array<i64: 3>

train.run @small rows 4, 6 clip_norm 0.5 policy {batch = 8 : i64}
parameters {
  train.param "a" : tensor<3x2xf32> init {
    %0 = dlm.constant dense<1.0> : tensor<3x2xf32>
    train.yield ["init"] %0 : tensor<3x2xf32>
  }
  train.param "bias" : tensor<2xf32> init {
    %0 = dlm.constant dense<2.0> : tensor<2xf32>
    train.yield ["init"] %0 : tensor<2xf32>
  }
  train.param "b" : tensor<3x2xf32> init {
    %0 = dlm.constant dense<3.0> : tensor<3x2xf32>
    train.yield ["init"] %0 : tensor<3x2xf32>
  }
  train.param "fixed" : tensor<2xf32> init {
    %0 = dlm.constant dense<4.0> : tensor<2xf32>
    train.yield ["init"] %0 : tensor<2xf32>
  }
  train.buffer "slow" : tensor<3x2xf32> init {
    %0 = dlm.constant dense<3.0> : tensor<3x2xf32>
    train.yield ["init"] %0 : tensor<3x2xf32>
  }
} loss {
  %a = train.parameter "a" : tensor<3x2xf32>
  %fixed = train.parameter "fixed" : tensor<2xf32>
  %f = dlm.broadcast %fixed dims [1] : tensor<2xf32> -> tensor<3x2xf32>
  %y = dlm.mul %a, %f : tensor<3x2xf32>
  %s = dlm.reduce add %y dims [0, 1] : tensor<3x2xf32> -> tensor<f32>
  %part = train.share %s : tensor<f32>
  train.yield ["loss"] %part : tensor<f32>
} validation {
  %l = dlm.constant dense<0.0> : tensor<f32>
  train.yield ["loss"] %l : tensor<f32>
} metrics {
  train.yield []
} optimizer {
  train.rule ["bias"] moments {
  } update {
    %p = train.target : tensor<2048xf32>
    %g = train.gradient : tensor<2048xf32>
    %q = dlm.sub %p, %g : tensor<2048xf32>
    train.yield ["target"] %q : tensor<2048xf32>
  }
  train.rule each ["a", "b"] moments {
    train.moment "row" : tensor<3xf32> init {
      %p = train.target : tensor<3x2xf32>
      %s = dlm.reduce add %p dims [1] : tensor<3x2xf32> -> tensor<3xf32>
      train.yield ["value"] %s : tensor<3xf32>
    }
  } update {
    %p = train.target : tensor<3x2xf32>
    %g = train.gradient : tensor<3x2xf32>
    %r = train.state "row" : tensor<3xf32>
    %q = dlm.sub %p, %g : tensor<3x2xf32>
    train.yield ["target", "row"] %q, %r : tensor<3x2xf32>, tensor<3xf32>
  }
  train.average "slow" of "b" decay 0.75
}

// CHECK-LABEL: func.func @init
// CHECK: %[[A:.+]] = dlm.constant dense<1.0{{.+}}> : tensor<3x2xf32>
// CHECK: %[[B:.+]] = dlm.constant dense<3.0{{.+}}> : tensor<3x2xf32>
// CHECK: dlm.pack %[[A]], %[[B]] offsets [0, 2048]
// CHECK: %[[SA:.+]] = dlm.reduce add %[[A]]
// CHECK: %[[SB:.+]] = dlm.reduce add %[[B]]
// CHECK: dlm.pack %[[SA]], %[[SB]] offsets [0, 2048] : tensor<3xf32>, tensor<3xf32>

// CHECK-LABEL: func.func @grad
// CHECK-SAME: {dlm.buffer = "params.2"}
// CHECK-SAME: {dlm.buffer = "params.held"}

// The norm is of all gradients together; each part is shortened where it is used.
// CHECK-LABEL: func.func @update
// CHECK-SAME: %[[G:[^:]+]]: tensor<2048xf32> {dlm.buffer = "grads"}
// CHECK-SAME: %[[G2:[^:]+]]: tensor<4096xf32> {dlm.buffer = "grads.2"}
// CHECK: %[[ONE:.+]] = dlm.reduce add
// CHECK: %[[TWO:.+]] = dlm.reduce add
// CHECK: %[[SUM:.+]] = dlm.add %[[ONE]], %[[TWO]]
// CHECK: %[[NORM:.+]] = dlm.sqrt %[[SUM]]
// CHECK: dlm.compare gt %[[NORM]]
// CHECK: dlm.segment %[[G2]] offset 0 : tensor<4096xf32> -> tensor<3x2xf32>
// CHECK: dlm.segment %[[G2]] offset 2048 : tensor<4096xf32> -> tensor<3x2xf32>
// CHECK: %[[NEWB:.+]] = dlm.sub
// CHECK: dlm.pack %{{.+}}, %[[NEWB]] offsets [0, 2048]
// The average goes a quarter of the way to the new value.
// CHECK: %[[QUARTER:.+]] = dlm.constant dense<2.500000e-01>
// CHECK: %[[WAY:.+]] = dlm.sub %[[NEWB]], %[[OLD:.+]] :
// CHECK: %[[PART:.+]] = dlm.mul %[[WAY]], %[[QUARTER]]
// CHECK: dlm.add %[[OLD]], %[[PART]]
