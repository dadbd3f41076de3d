// The column schedule on a device: a partial and a fold function for each phase of reductions, one
// function where no launch has more than one chunk of 64 rows.
// RUN: dlm-opt %s --dlm-convert-kernel-to-gpu | FileCheck %s

plan.arena @a <persistent> size 4194304 align 64
plan.buffer @x : tensor<1048576xf32> in @a at 0 live 0 to 0 persistent
plan.buffer @y : tensor<1024xf32> in @a at 4190208 live 0 to 0 persistent

// 3 chunks of 1024 columns, four a thread: 2 blocks a chunk, 12,288 bytes of partials.
// CHECK: plan.function @sum_partial0 block 128 shared 0
// CHECK: plan.function @sum_fold0 block 128 shared 0
// CHECK: plan.function @brief_column block 64 shared 0
// CHECK: stages [#plan.stage<@sum_partial0 grid 6 numbers [130, 8] scratch 12288>,
// CHECK-SAME: #plan.stage<@sum_fold0 grid 2 numbers [130, 8] scratch 12288>]
// CHECK: stages [#plan.stage<@brief_column grid 1 numbers [64, 1] scratch 0>]
// Two phases, each with its own table.
// CHECK: stages [#plan.stage<@deviation_partial0 grid 2 numbers [100, 1] scratch 608>,
// CHECK-SAME: #plan.stage<@deviation_fold0 grid 1 numbers [100, 1] scratch 608>,
// CHECK-SAME: #plan.stage<@deviation_partial1 grid 2 numbers [100, 1] scratch 608>,
// CHECK-SAME: #plan.stage<@deviation_fold1 grid 1 numbers [100, 1] scratch 608>]

// CHECK-LABEL: gpu.func @sum_partial0(
// CHECK: scf.for
// CHECK: llvm.load %{{.+}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK: arith.addf %{{.+}}, %{{.+}} : vector<4xf32>
// CHECK: llvm.store %{{.+}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>
// CHECK-NOT: llvm.store
// CHECK-LABEL: gpu.func @sum_fold0(
// CHECK: llvm.load %{{.+}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK: arith.addf %{{.+}}, %{{.+}} : vector<4xf32>
// CHECK: llvm.store %{{.+}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>
// CHECK: gpu.return
kernel.func @sum(%x: tensor<?x1024xf32>) -> (%y: tensor<1024xf32>) over <column, [?, 1024]> {
  %a = kernel.load %x affine_map<(d0, d1) -> (d0, d1)> : tensor<?x1024xf32> -> f32
  %s = kernel.reduce add %a over 0 tree<1, 64> : f32
  kernel.store %s, %y affine_map<(d0, d1) -> (d1)> : f32 -> tensor<1024xf32>
}

// One chunk: no scratch memory, and a thread a column.
// CHECK-LABEL: gpu.func @brief_column(
// CHECK-SAME: known_block_size = array<i32: 64, 1, 1>
// CHECK: scf.for
// CHECK: llvm.load %{{.+}} : !llvm.ptr<1> -> f32
// CHECK: arith.addf
// CHECK: scf.yield
// CHECK: llvm.store %{{.+}} : f32, !llvm.ptr<1>
// CHECK: gpu.return
kernel.func @brief(%x: tensor<?x37xf32>) -> (%y: tensor<37xf32>) over <column, [?, 37]> {
  %a = kernel.load %x affine_map<(d0, d1) -> (d0, d1)> : tensor<?x37xf32> -> f32
  %s = kernel.reduce add %a over 0 tree<1, 64> : f32
  kernel.store %s, %y affine_map<(d0, d1) -> (d1)> : f32 -> tensor<37xf32>
}

// The second phase reads what the first has left.
// CHECK-LABEL: gpu.func @deviation_partial1(
// CHECK: %[[SUM:.+]] = llvm.load %{{.+}} : !llvm.ptr<1> -> f32
// CHECK: scf.for
// CHECK: arith.subf %{{.+}}, %[[SUM]]
kernel.func @deviation(%x: tensor<?x37xf32>) -> (%y: tensor<37xf32>) over <column, [?, 37]> {
  %a = kernel.load %x affine_map<(d0, d1) -> (d0, d1)> : tensor<?x37xf32> -> f32
  %s = kernel.reduce add %a over 0 tree<1, 64> : f32
  %c = arith.subf %a, %s : f32
  %q = arith.mulf %c, %c : f32
  %v = kernel.reduce add %q over 0 tree<1, 64> : f32
  kernel.store %v, %y affine_map<(d0, d1) -> (d1)> : f32 -> tensor<37xf32>
}

plan.program @p rows 0 reads [] {
  plan.launch @sum items 8 extent 130 [#plan.ref<@x at 0 for 532480>, #plan.ref<@y at 0 for 4096>]
  plan.launch @brief items 1 extent 64 [#plan.ref<@x at 0 for 9472>, #plan.ref<@y at 0 for 148>]
  plan.launch @deviation items 1 extent 100
      [#plan.ref<@x at 0 for 14800>, #plan.ref<@y at 0 for 148>]
}
