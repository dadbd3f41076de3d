// The row schedule on a device: a warp a row of up to one chunk, else a block a row.
// RUN: dlm-opt %s --dlm-convert-kernel-to-gpu | FileCheck %s

plan.arena @a <persistent> size 4194304 align 64
plan.buffer @x : tensor<1048576xf32> in @a at 0 live 0 to 0 persistent
plan.buffer @y : tensor<f32> in @a at 4194176 live 0 to 0 persistent

// Lanes that are 32 apart fold in registers, then by shuffles down, the lower lane left; never by
// xor. Every lane gets the sum from lane 0. Warps keep out of each other's way.
// CHECK: #plan.stage<@short_row grid 2 numbers [5, 5] scratch 0>
// CHECK: #plan.stage<@total_row grid 1 numbers [10000, 1] scratch 0>
// CHECK: #plan.stage<@total_row grid 1 numbers [40961, 1] scratch 0>
// CHECK-LABEL: gpu.func @short_row(
// CHECK-SAME: known_block_size = array<i32: 128, 1, 1>
// CHECK: llvm.load %{{.+}} {alignment = 4 : i64} : !llvm.ptr<1> -> f32
// CHECK: %[[OTHER:.+]], %{{.+}} = gpu.shuffle down %[[OWN:.+]], %{{.+}}, %{{.+}} : f32
// CHECK: arith.addf %[[OWN]], %[[OTHER]] : f32
// CHECK-COUNT-4: gpu.shuffle down
// CHECK-NOT: gpu.shuffle {{xor|down}}
// CHECK: gpu.shuffle idx
// CHECK-NOT: gpu.barrier
// CHECK: gpu.return
kernel.func @short(%x: tensor<5x200xf32>) -> (%y: tensor<5x200xf32>) over <row, [5, 200]> {
  %a = kernel.load %x affine_map<(d0, d1) -> (d0, d1)> : tensor<5x200xf32> -> f32
  %s = kernel.reduce add %a over 1 tree<128, 2048> : f32
  %b = arith.subf %a, %s : f32
  kernel.store %b, %y affine_map<(d0, d1) -> (d0, d1)> : f32 -> tensor<5x200xf32>
}

// What a row gives once is stored by one lane, after the warp has read its inputs.
// CHECK-LABEL: gpu.func @once_row(
// CHECK: gpu.shuffle idx
// CHECK: llvm.call_intrinsic "llvm.nvvm.bar.warp.sync"
// CHECK: scf.if
// CHECK: llvm.store
// CHECK: gpu.return
kernel.func @once(%x: tensor<5x200xf32>) -> (%y: tensor<5xf32>) over <row, [5, 200]> {
  %a = kernel.load %x affine_map<(d0, d1) -> (d0, d1)> : tensor<5x200xf32> -> f32
  %s = kernel.reduce max %a over 1 tree<128, 2048> : f32
  kernel.store %s, %y affine_map<(d0, d1) -> (d0)> : f32 -> tensor<5xf32>
}

// Rows of a multiple of four that are long enough have accesses of 16 bytes.
// CHECK-LABEL: gpu.func @neighbours_row(
// CHECK: llvm.load %{{.+}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK: llvm.store %{{.+}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>
// CHECK-NOT: -> f32
// CHECK: gpu.return
kernel.func @neighbours(%x: tensor<5x772xf32>) -> (%y: tensor<5x772xf32>) over <row, [5, 772]> {
  %a = kernel.load %x affine_map<(d0, d1) -> (d0, d1)> : tensor<5x772xf32> -> f32
  %s = kernel.reduce add %a over 1 tree<128, 2048> : f32
  %b = arith.subf %a, %s : f32
  kernel.store %b, %y affine_map<(d0, d1) -> (d0, d1)> : f32 -> tensor<5x772xf32>
}

// A long row with a run-time extent: partials in shared memory for the longest launch (21 chunks,
// 32 places), one barrier before they are folded.
// CHECK: llvm.mlir.global internal @total_row_partials0_0()
// CHECK-SAME: {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<32 x f32>
// CHECK-LABEL: gpu.func @total_row(
// CHECK-SAME: known_block_size = array<i32: 256, 1, 1>
// CHECK: llvm.store %{{.+}}, %{{.+}} : f32, !llvm.ptr<3>
// CHECK: gpu.barrier
// CHECK: llvm.load %{{.+}} : !llvm.ptr<3> -> f32
// CHECK-COUNT-5: gpu.shuffle down
// CHECK: gpu.shuffle idx
// CHECK: gpu.barrier
// CHECK: llvm.store %{{.+}} : f32, !llvm.ptr<1>
kernel.func @total(%x: tensor<?xf32>) -> (%y: tensor<f32>) over <row, [?]> {
  %a = kernel.load %x affine_map<(d0) -> (d0)> : tensor<?xf32> -> f32
  %s = kernel.reduce add %a over 0 tree<128, 2048> : f32
  kernel.store %s, %y affine_map<(d0) -> ()> : f32 -> tensor<f32>
}

// More than 32 chunks are halved in memory first; partials of a very long row lie in scratch
// memory.
// CHECK-NOT: llvm.mlir.global
// CHECK: gpu.func @long_row(
// CHECK-NOT: !llvm.ptr<3>
// CHECK: gpu.return
kernel.func @long(%x: tensor<134217728xf32>) -> (%y: tensor<f32>) over <row, [134217728]> {
  %a = kernel.load %x affine_map<(d0) -> (d0)> : tensor<134217728xf32> -> f32
  %s = kernel.reduce add %a over 0 tree<128, 2048> : f32
  kernel.store %s, %y affine_map<(d0) -> ()> : f32 -> tensor<f32>
}

plan.program @p rows 0 reads [] {
  plan.launch @short items 5 extent 5 [#plan.ref<@x at 0 for 4000>, #plan.ref<@x at 4096 for 4000>]
  plan.launch @once items 5 extent 5 [#plan.ref<@x at 0 for 4000>, #plan.ref<@y at 0 for 20>]
  plan.launch @neighbours items 5 extent 5
      [#plan.ref<@x at 0 for 15440>, #plan.ref<@x at 16384 for 15440>]
  plan.launch @total items 1 extent 10000 [#plan.ref<@x at 0 for 40000>, #plan.ref<@y at 0 for 4>]
  plan.launch @total items 1 extent 40961 [#plan.ref<@x at 0 for 163844>, #plan.ref<@y at 0 for 4>]
  plan.launch @long items 1 extent 134217728
      [#plan.ref<@x at 0 for 536870912>, #plan.ref<@y at 0 for 4>]
}
