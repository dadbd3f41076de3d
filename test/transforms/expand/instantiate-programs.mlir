// RUN: dlm-opt %s --dlm-instantiate-programs | FileCheck %s

// The policy and the list of what a checkpoint holds survive as attributes of the module.
// CHECK: module attributes
// CHECK-SAME: {buffer = "params", name = "w", offset = 0 : i64, role = "param"
// CHECK-SAME: {buffer = "params", name = "b", offset = 4096 : i64, role = "param"
// CHECK-SAME: {buffer = "opt.velocity", name = "opt.velocity.w", offset = 0 : i64, role = "moment"
// CHECK-SAME: name = "state.attempt"
// CHECK-SAME: train.policy = {batch = 8 : i64, loss_terms = ["loss"], metrics = ["loss", "hits"]}

train.run @small rows 4, 6 policy {batch = 8 : i64}
parameters {
  train.param "w" : tensor<3000x1xf32> init {
    %seed = train.ambient "seed" : tensor<i64>
    %attempt = dlm.constant dense<0> : tensor<i64>
    %x = dlm.random normal %seed, %attempt site 7 : tensor<3000x1xf32>
    train.yield ["init"] %x : tensor<3000x1xf32>
  }
  train.param "b" : tensor<1xf32> init {
    %zero = dlm.constant dense<0.0> : tensor<1xf32>
    train.yield ["init"] %zero : tensor<1xf32>
  }
} loss {
  %x = train.input "x" : tensor<4x3000xf32>
  %w = train.parameter "w" : tensor<3000x1xf32>
  %y = dlm.matmul %x, %w : tensor<4x3000xf32>, tensor<3000x1xf32> -> tensor<4x1xf32>
  %s = train.batch_reduce add %y [0, 1] : tensor<4x1xf32> -> tensor<f32>
  %n = train.sample_count : tensor<f32>
  %l = dlm.div %s, %n : tensor<f32>
  %decay = train.option "decay" : tensor<f32>
  %part = train.share %decay : tensor<f32>
  %t = dlm.add %l, %part : tensor<f32>
  train.yield ["loss"] %t : tensor<f32>
} validation {
  %decay = train.option "decay" : tensor<f32>
  %part = train.share %decay : tensor<f32>
  train.yield ["loss"] %part : tensor<f32>
} metrics {
  %x = train.input "x" : tensor<6x3000xf32>
  %s = train.batch_reduce add %x [0, 1] : tensor<6x3000xf32> -> tensor<f32>
  %n = train.sample_count : tensor<f32>
  %l = dlm.div %s, %n : tensor<f32>
  train.yield ["hits"] %l : tensor<f32>
} optimizer {
  train.rule ["w", "b"] moments {
    train.moment "velocity" : tensor<6144xf32> init {
      %0 = dlm.constant dense<0.5> : tensor<6144xf32>
      train.yield ["value"] %0 : tensor<6144xf32>
    }
  } update {
    %p = train.target : tensor<6144xf32>
    %g = train.gradient : tensor<6144xf32>
    %v = train.state "velocity" : tensor<6144xf32>
    %v1 = dlm.add %v, %g : tensor<6144xf32>
    %p1 = dlm.sub %p, %v1 : tensor<6144xf32>
    train.yield ["target", "velocity"] %p1, %v1 : tensor<6144xf32>, tensor<6144xf32>
  }
}

// Parameters are packed at multiples of 2,048; accumulators start at -0.0.
// CHECK-LABEL: func.func @init
// CHECK-SAME: (%[[SEED:.+]]: tensor<i64> {dlm.buffer = "state.seed"})
// CHECK: %[[W:.+]] = dlm.random normal %[[SEED]],
// CHECK: %[[B:.+]] = dlm.constant dense<0.000000e+00> : tensor<1xf32>
// CHECK: dlm.pack %[[W]], %[[B]] offsets [0, 4096]
// CHECK: dlm.constant dense<5.000000e-01> : tensor<6144xf32>
// CHECK: dlm.constant dense<-0.000000e+00> : tensor<6144xf32>

// In training a batch reduction is one over the micro-batch, and the count is the global batch's.
// CHECK-LABEL: func.func @grad
// CHECK-SAME: %[[X:.+]]: tensor<4x3000xf32> {dlm.buffer = "batch.x"}
// CHECK-SAME: %[[PARAMS:.+]]: tensor<6144xf32> {dlm.buffer = "params"}
// CHECK-SAME: %[[SIZE:.+]]: tensor<f32> {dlm.buffer = "batch.size"}
// CHECK-SAME: %[[DECAY:.+]]: tensor<f32> {dlm.buffer = "option.decay"}
// CHECK-SAME: {dlm.buffer = "loss.loss"}
// CHECK-SAME: dlm.program = "grad", dlm.rows = 4 : i64
// CHECK: %[[W:.+]] = dlm.segment %[[PARAMS]] offset 0
// CHECK: %[[Y:.+]] = dlm.matmul %[[X]], %[[W]]
// CHECK: %[[S:.+]] = dlm.reduce add %[[Y]] dims [0, 1]
// CHECK: %[[MEAN:.+]] = dlm.div %[[S]], %[[SIZE]]
// A value that is counted once per batch is shared by the micro-batches: 4 of `batch.size`.
// CHECK: %[[ROWS:.+]] = dlm.constant dense<4.000000e+00>
// CHECK: %[[PART:.+]] = dlm.div %[[ROWS]], %[[SIZE]]
// CHECK: %[[SHARE:.+]] = dlm.mul %[[DECAY]], %[[PART]]
// CHECK: dlm.add %[[MEAN]], %[[SHARE]]

// CHECK-LABEL: func.func @update
// CHECK-SAME: {dlm.buffer = "params"}
// CHECK-SAME: {dlm.buffer = "grads"}
// CHECK-SAME: {dlm.buffer = "opt.velocity"}
// CHECK-SAME: -> ({{.*}} {dlm.buffer = "params"}, {{.*}} {dlm.buffer = "opt.velocity"})

// In evaluation reductions and counts stay for dlm-accumulate-metrics; a share is the whole.
// CHECK-LABEL: func.func @eval
// CHECK-SAME: %[[DECAY:.+]]: tensor<f32> {dlm.buffer = "option.decay"}
// CHECK-SAME: {dlm.buffer = "metric.loss"}
// CHECK-SAME: {dlm.buffer = "metric.hits"}
// CHECK: train.batch_reduce
// CHECK: train.sample_count
// CHECK: return %[[DECAY]],

// A sample has buffers of its own: nothing of the run is shared with the threads that make samples.
// CHECK-LABEL: func.func @sample_train
// CHECK-SAME: %[[IMAGE:.+]]: tensor<4xf32> {dlm.buffer = "sample.in.image"}
// CHECK-SAME: {dlm.buffer = "sample.option.noise"}
// CHECK-SAME: %[[SEED:.+]]: tensor<i64> {dlm.buffer = "sample.seed"}
// CHECK-SAME: %[[DRAW:.+]]: tensor<i64> {dlm.buffer = "sample.draw"}
// CHECK-SAME: -> (tensor<4xf32> {dlm.buffer = "sample.out.x"})
// CHECK-SAME: dlm.per_thread
// CHECK: dlm.random normal %[[SEED]], %[[DRAW]] site 9
train.sample "train" {
  %image = train.input "image" : tensor<4xf32>
  %noise = train.option "noise" : tensor<f32>
  %seed = train.ambient "seed" : tensor<i64>
  %draw = train.ambient "draw" : tensor<i64>
  %r = dlm.random normal %seed, %draw site 9 : tensor<4xf32>
  %n = dlm.broadcast %noise dims [] : tensor<f32> -> tensor<4xf32>
  %a = dlm.mul %r, %n : tensor<4xf32>
  %x = dlm.add %image, %a : tensor<4xf32>
  train.yield ["x"] %x : tensor<4xf32>
}
