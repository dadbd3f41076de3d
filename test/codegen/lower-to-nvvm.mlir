// The phase `nvvm` as a pass, which replays a failure: loops become branches, ids and barriers
// those of NVVM, exact operations of LLVM, and nothing else is left.
// RUN: dlm-opt %s --dlm-lower-to-nvvm | FileCheck %s --implicit-check-not=__nv_

// CHECK: gpu.module @device
// CHECK: llvm.func @scale(%{{.+}}: !llvm.ptr<1>, %{{.+}}: i64) attributes {gpu.kernel,
// CHECK-SAME: nvvm.kernel, nvvm.maxntid = array<i32: 64, 1, 1>
// CHECK: nvvm.read.ptx.sreg.tid.x
// CHECK-NOT: {{scf|arith|math}}.
// CHECK: llvm.cond_br
// CHECK: llvm.intr.sqrt
// CHECK: nvvm.barrier
// CHECK: llvm.return
gpu.module @device {
  gpu.func @scale(%x: !llvm.ptr<1>, %count: i64) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %tid = gpu.thread_id x
    %lane = arith.index_cast %tid : index to i64
    %step = arith.constant 64 : i64
    scf.for %i = %lane to %count step %step : i64 {
      %address = llvm.getelementptr %x[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
      %a = llvm.load %address : !llvm.ptr<1> -> f32
      %b = math.sqrt %a : f32
      llvm.store %b, %address : f32, !llvm.ptr<1>
    }
    gpu.barrier
    gpu.return
  }
}
