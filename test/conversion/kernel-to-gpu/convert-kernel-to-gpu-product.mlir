// Products on a device: one function for each combination of transpositions and accesses, sizes as
// numbers, strips of 16 in shared memory between two barriers.
// RUN: dlm-opt %s --dlm-convert-kernel-to-gpu | FileCheck %s

plan.arena @a <persistent> size 65536 align 64
plan.buffer @x : tensor<4096xf32> in @a at 0 live 0 to 0 persistent
plan.buffer @y : tensor<4096xf32> in @a at 16384 live 0 to 0 persistent
plan.buffer @z : tensor<8192xf32> in @a at 32768 live 0 to 0 persistent

// CHECK: plan.function @product_nn_444 block 256 shared 8704
// CHECK: plan.function @product_nn_141 block 256 shared 8704
// CHECK: plan.function @product_tt_444 block 256 shared 8704
// CHECK: plan.function @products_nt_444 block 256 shared 8704
// CHECK-NOT: plan.function
// CHECK: stages [#plan.stage<@product_nn_444 grid 2 numbers [65, 32, 16] scratch 0>]
// CHECK: stages [#plan.stage<@product_nn_444 grid 1 numbers [4, 4, 4] scratch 0>]
// CHECK: stages [#plan.stage<@product_nn_141 grid 1 numbers [7, 12, 13] scratch 0>]
// CHECK: stages [#plan.stage<@product_tt_444 grid 1 numbers [64, 64, 64] scratch 0>]
// CHECK: stages [#plan.stage<@products_nt_444 grid 6 numbers [68, 16, 16] scratch 0>]

// CHECK-LABEL: gpu.func @product_nn_444(
// CHECK-SAME: known_block_size = array<i32: 256, 1, 1>
// The chain starts at -0.0, and is one of fma.
// CHECK: %[[START:.+]] = arith.constant dense<-0.000000e+00> : vector<4xf32>
// CHECK: scf.for {{.+}} iter_args(%{{[a-z0-9]+}} = %[[START]], %{{[a-z0-9]+}} = %[[START]],
// CHECK-SAME: %{{[a-z0-9]+}} = %[[START]], %{{[a-z0-9]+}} = %[[START]])
// The left strip is padded with -0.0 and turned around in shared memory, the right one is padded
// with 0.0 and laid down as it comes.
// CHECK: llvm.load %{{.+}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK: else
// CHECK-NEXT: %[[LEFT:.+]] = arith.constant dense<-0.000000e+00> : vector<4xf32>
// CHECK-NEXT: scf.yield %[[LEFT]]
// CHECK-COUNT-4: llvm.store %{{.+}} {alignment = 4 : i64} : f32, !llvm.ptr<3>
// CHECK: llvm.load %{{.+}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK: else
// CHECK-NEXT: %[[RIGHT:.+]] = arith.constant dense<0.000000e+00> : vector<4xf32>
// CHECK-NEXT: scf.yield %[[RIGHT]]
// CHECK: llvm.store %{{.+}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<3>
// CHECK: gpu.barrier
// CHECK-COUNT-64: math.fma %{{.+}}, %{{.+}}, %{{.+}} : vector<4xf32>
// CHECK: gpu.barrier
// CHECK: scf.yield
// CHECK: llvm.store %{{.+}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>

// Rows of 13 and an odd address take single elements.
// CHECK-LABEL: gpu.func @product_nn_141(
// CHECK-COUNT-4: llvm.load %{{.+}} {alignment = 4 : i64} : !llvm.ptr<1> -> f32
// CHECK: llvm.load %{{.+}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK-COUNT-16: llvm.store %{{.+}} {alignment = 4 : i64} : f32, !llvm.ptr<1>

// CHECK-LABEL: gpu.func @product_tt_444(
// CHECK: llvm.store %{{.+}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<3>
// CHECK-COUNT-4: llvm.store %{{.+}} {alignment = 4 : i64} : f32, !llvm.ptr<3>

plan.program @p rows 0 reads [] {
  plan.contract 65 x 32 x 16
      [#plan.ref<@x at 0 for 4160>, #plan.ref<@y at 0 for 2048>, #plan.ref<@z at 0 for 8320>]
  plan.contract 4 x 4 x 4
      [#plan.ref<@x at 0 for 64>, #plan.ref<@y at 0 for 64>, #plan.ref<@z at 0 for 64>]
  plan.contract 7 x 12 x 13
      [#plan.ref<@x at 0 for 364>, #plan.ref<@y at 0 for 624>, #plan.ref<@z at 4 for 336>]
  plan.contract 64 x 64 x 64 transpose_lhs transpose_rhs
      [#plan.ref<@x at 0 for 16384>, #plan.ref<@y at 0 for 16384>, #plan.ref<@z at 0 for 16384>]
  plan.contract 68 x 16 x 16 transpose_rhs batch 3
      [#plan.ref<@x at 0 for 13056>, #plan.ref<@y at 0 for 3072>, #plan.ref<@z at 0 for 13056>]
}
