// The linear schedule on a device: a block a work item, a thread two groups of four neighbours,
// accesses of 16 bytes where every launch allows them, and tails element by element.
// RUN: dlm-opt %s --dlm-convert-kernel-to-gpu | FileCheck %s

plan.arena @a <persistent> size 65536 align 64
plan.buffer @x : tensor<4096xf32> in @a at 0 live 0 to 0 persistent
plan.buffer @y : tensor<4096xf32> in @a at 16384 live 0 to 0 persistent
plan.buffer @s : tensor<f32> in @a at 32768 live 0 to 0 persistent
plan.buffer @odd : tensor<4096xf32> in @a at 32772 live 0 to 0 persistent

// The plan knows the functions and how each launch calls them.
// CHECK: plan.function @multiple_linear block 256 shared 0
// CHECK: plan.function @tail_linear block 256 shared 0
// CHECK: plan.launch @multiple items 2 extent 4096
// CHECK-SAME: stages [#plan.stage<@multiple_linear grid 2 numbers [4096, 2] scratch 0>]

// Arguments are global pointers, scratch, extent and items.
// CHECK: gpu.module @device
// CHECK-LABEL: gpu.func @multiple_linear(
// CHECK-SAME: %{{.+}}: !llvm.ptr<1>, %{{.+}}: !llvm.ptr<1>, %{{.+}}: !llvm.ptr<1>,
// CHECK-SAME: %{{.+}}: i64, %{{.+}}: i64) kernel
// CHECK-SAME: known_block_size = array<i32: 256, 1, 1>
// A multiple of four has no tail.
// CHECK: llvm.load %{{.+}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK-NOT: -> f32
// CHECK: llvm.store %{{.+}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>
// CHECK-NOT: llvm.store
// CHECK: gpu.return
kernel.func @multiple(%x: tensor<4096xf32>) -> (%y: tensor<4096xf32>) over <linear, [4096]> {
  %a = kernel.load %x affine_map<(d0) -> (d0)> : tensor<4096xf32> -> f32
  %b = arith.addf %a, %a : f32
  kernel.store %b, %y affine_map<(d0) -> (d0)> : f32 -> tensor<4096xf32>
}

// A run-time extent: whole groups, and one that is cut short, lane by lane.
// CHECK-LABEL: gpu.func @tail_linear(
// CHECK: llvm.load %{{.+}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK: llvm.store %{{.+}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>
// CHECK: scf.if
// CHECK: llvm.load %{{.+}} {alignment = 4 : i64} : !llvm.ptr<1> -> f32
// CHECK: llvm.store %{{.+}} {alignment = 4 : i64} : f32, !llvm.ptr<1>
// CHECK-NOT: masked
kernel.func @tail(%x: tensor<?xf32>) -> (%y: tensor<?xf32>) over <linear, [?]> {
  %a = kernel.load %x affine_map<(d0) -> (d0)> : tensor<?xf32> -> f32
  kernel.store %a, %y affine_map<(d0) -> (d0)> : f32 -> tensor<?xf32>
}

// One launch with an odd address takes the alignment from all; the other argument keeps its own.
// CHECK-LABEL: gpu.func @odd_address_linear(
// CHECK: llvm.load %{{.+}} {alignment = 4 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK: llvm.store %{{.+}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>
kernel.func @odd_address(%x: tensor<4096xf32>) -> (%y: tensor<4096xf32>) over <linear, [4096]> {
  %a = kernel.load %x affine_map<(d0) -> (d0)> : tensor<4096xf32> -> f32
  kernel.store %a, %y affine_map<(d0) -> (d0)> : f32 -> tensor<4096xf32>
}

// A single element is read by the thread that writes it, for both may be one place in memory.
// CHECK-LABEL: gpu.func @single_linear(
// CHECK: scf.if
// CHECK: %[[S:.+]] = llvm.load %{{.+}} : !llvm.ptr<1> -> f32
// CHECK: %[[T:.+]] = arith.addf %[[S]], %[[S]]
// CHECK: llvm.store %[[T]]
// CHECK-NOT: llvm.load
// CHECK: gpu.return
kernel.func @single(%x: tensor<f32>) -> (%y: tensor<f32>) over <linear, [1]> {
  %a = kernel.load %x affine_map<(d0) -> ()> : tensor<f32> -> f32
  %b = arith.addf %a, %a : f32
  kernel.store %b, %y affine_map<(d0) -> ()> : f32 -> tensor<f32>
}

plan.program @p rows 0 reads [] {
  plan.launch @multiple items 2 extent 4096
      [#plan.ref<@x at 0 for 16384>, #plan.ref<@y at 0 for 16384>]
  plan.launch @tail items 1 extent 1003 [#plan.ref<@x at 0 for 4012>, #plan.ref<@y at 0 for 4012>]
  plan.launch @odd_address items 2 extent 4096
      [#plan.ref<@x at 0 for 16384>, #plan.ref<@y at 0 for 16384>]
  plan.launch @odd_address items 2 extent 4096
      [#plan.ref<@odd at 0 for 16384>, #plan.ref<@y at 0 for 16384>]
  plan.launch @single items 1 extent 1 [#plan.ref<@s at 0 for 4>, #plan.ref<@s at 0 for 4>]
}
