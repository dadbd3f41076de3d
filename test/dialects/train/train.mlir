// RUN: dlm-opt %s | dlm-opt | FileCheck %s

// A whole run goes through text and back.
// CHECK: train.run @run rows 4, 8 policy {batch = 64 : i64}
// CHECK: parameters {
// CHECK: train.param "w" : tensor<2xf32> init {
// CHECK: train.yield ["init"] %{{.+}} : tensor<2xf32>
// CHECK: train.buffer "b" : tensor<2xi32> init {
// CHECK: train.fitted "b" : tensor<2xi32>
// CHECK: loss {
// CHECK: train.input "x" : tensor<4x2xf32>
// CHECK: train.parameter "w" : tensor<2xf32>
// CHECK: train.option "rate" : tensor<f32>
// CHECK: train.ambient "step" : tensor<i64>
// CHECK: train.batch_reduce add %{{.+}} [0, 1] : tensor<4x2xf32> -> tensor<f32>
// CHECK: train.sample_count : tensor<f32>
// CHECK: train.share %{{.+}} : tensor<f32>
// CHECK: %[[B:.+]] = train.stored "b" : tensor<2xi32>
// CHECK: train.next "b" %[[B]] sums : tensor<2xi32>
// CHECK: train.yield ["loss"]
// CHECK: validation {
// CHECK: metrics {
// CHECK: train.yield []
// CHECK: optimizer {
// CHECK: train.rule ["w"] moments {
// CHECK: train.moment "m" : tensor<2048xf32> init {
// CHECK: } update {
// CHECK: train.target : tensor<2048xf32>
// CHECK: train.gradient : tensor<2048xf32>
// CHECK: train.state "m" : tensor<2048xf32>
// CHECK: train.yield ["target", "m"]
// CHECK: train.rule each ["v"] moments {
// CHECK: train.yield ["target"]
// CHECK: train.average "slow" of "v" decay 7.500000e-01
train.run @run rows 4, 8 policy {batch = 64 : i64}
parameters {
  train.param "w" : tensor<2xf32> init {
    %0 = dlm.constant dense<0.0> : tensor<2xf32>
    train.yield ["init"] %0 : tensor<2xf32>
  }
  train.param "v" : tensor<2xf32> init {
    %0 = dlm.constant dense<0.0> : tensor<2xf32>
    train.yield ["init"] %0 : tensor<2xf32>
  }
  train.buffer "slow" : tensor<2xf32> init {
    %0 = dlm.constant dense<0.0> : tensor<2xf32>
    train.yield ["init"] %0 : tensor<2xf32>
  }
  train.buffer "b" : tensor<2xi32> init {
    %0 = train.fitted "b" : tensor<2xi32>
    train.yield ["init"] %0 : tensor<2xi32>
  }
} loss {
  %x = train.input "x" : tensor<4x2xf32>
  %w = train.parameter "w" : tensor<2xf32>
  %r = train.option "rate" : tensor<f32>
  %t = train.ambient "step" : tensor<i64>
  %s = train.batch_reduce add %x [0, 1] : tensor<4x2xf32> -> tensor<f32>
  %n = train.sample_count : tensor<f32>
  %m = dlm.div %s, %n : tensor<f32>
  %p = train.share %r : tensor<f32>
  %b = train.stored "b" : tensor<2xi32>
  train.next "b" %b sums : tensor<2xi32>
  %l = dlm.add %m, %p : tensor<f32>
  train.yield ["loss"] %l : tensor<f32>
} validation {
  %r = train.option "rate" : tensor<f32>
  train.yield ["loss"] %r : tensor<f32>
} metrics {
  train.yield []
} optimizer {
  train.rule ["w"] moments {
    train.moment "m" : tensor<2048xf32> init {
      %0 = dlm.constant dense<0.1> : tensor<2048xf32>
      train.yield ["value"] %0 : tensor<2048xf32>
    }
  } update {
    %p = train.target : tensor<2048xf32>
    %g = train.gradient : tensor<2048xf32>
    %m = train.state "m" : tensor<2048xf32>
    %q = dlm.sub %p, %g : tensor<2048xf32>
    train.yield ["target", "m"] %q, %m : tensor<2048xf32>, tensor<2048xf32>
  }
  train.rule each ["v"] moments {
  } update {
    %p = train.target : tensor<2xf32>
    train.yield ["target"] %p : tensor<2xf32>
  }
  train.average "slow" of "v" decay 7.500000e-01
}

// CHECK: train.command "grey" program "command_grey" rows 0
// CHECK: train.argument "grey.level" : tensor<f32>
train.command "grey" program "command_grey" rows 0 {
  %level = train.argument "grey.level" : tensor<f32>
  train.yield ["value"] %level : tensor<f32>
}

// CHECK: train.sample "train"
// CHECK: train.input "image" : tensor<4xf32>
train.sample "train" {
  %image = train.input "image" : tensor<4xf32>
  train.yield ["x"] %image : tensor<4xf32>
}
