// RUN: dlm-opt %s --dlm-expand | FileCheck %s

// A command becomes a program without a batch, `predict` one that reads a batch of its own size.
// Truth is written as numbers.
train.run @commands rows 1, 1 policy {}
parameters {
  train.param "w" : tensor<3xf32> init {
    %0 = dlm.constant dense<1.0> : tensor<3xf32>
    train.yield ["init"] %0 : tensor<3xf32>
  }
} loss {
  %w = train.parameter "w" : tensor<3xf32>
  %s = dlm.reduce add %w dims [0] : tensor<3xf32> -> tensor<f32>
  %l = train.share %s : tensor<f32>
  train.yield ["loss"] %l : tensor<f32>
} validation {
  %w = train.parameter "w" : tensor<3xf32>
  %s = dlm.reduce add %w dims [0] : tensor<3xf32> -> tensor<f32>
  %l = train.share %s : tensor<f32>
  train.yield ["loss"] %l : tensor<f32>
} metrics {
  train.yield []
} optimizer {
  train.rule ["w"] moments {
  } update {
    %p = train.target : tensor<2048xf32>
    %g = train.gradient : tensor<2048xf32>
    %q = dlm.sub %p, %g : tensor<2048xf32>
    train.yield ["target"] %q : tensor<2048xf32>
  }
}

train.command "predict" program "predict" rows 5 {
  %x = train.input "x" : tensor<5xf32>
  %z = dlm.constant dense<0.0> : tensor<5xf32>
  %m = dlm.compare gt %x, %z : tensor<5xf32>
  train.yield ["more", "x"] %m, %x : tensor<5xi1>, tensor<5xf32>
}

train.command "grey" program "command_grey" rows 0 {
  %w = train.parameter "w" : tensor<3xf32>
  train.yield ["value"] %w : tensor<3xf32>
}

// CHECK-LABEL: func.func @predict(
// CHECK-SAME: tensor<5xf32> {dlm.buffer = "batch.x"}
// CHECK-SAME: tensor<5xi32> {dlm.buffer = "command.predict.more"}
// CHECK-SAME: tensor<5xf32> {dlm.buffer = "command.predict.x"}
// CHECK-SAME: dlm.program = "predict", dlm.rows = 5 : i64
// CHECK-LABEL: func.func @command_grey(
// CHECK-SAME: dlm.program = "command_grey", dlm.rows = 0 : i64
