// The forms of device code on the way to an executable, of the example. No assembler is needed.

// RUN: dlmc %root/examples/fashion_mlp.dlm --target=cuda --emit=nvvm > %t.nvvm
// RUN: FileCheck %s --input-file=%t.nvvm --check-prefix=NVVM
// NVVM: gpu.module @device
// NVVM: llvm.func @linear_{{.*}}nvvm.kernel{{.*}}nvvm.maxntid = array<i32: 256, 1, 1>
// NVVM-NOT: {{arith|scf|math|__nv_}}

// RUN: dlmc %root/examples/fashion_mlp.dlm --target=cuda --emit=ptx > %t.ptx
// RUN: FileCheck %s --input-file=%t.ptx --check-prefix=PTX \
// RUN:   --implicit-check-not=.approx --implicit-check-not=.ftz --implicit-check-not=.local \
// RUN:   --implicit-check-not=__nv_ --implicit-check-not=mad.f32
// PTX: .version 7.0
// PTX-NEXT: .target sm_80
// PTX-NEXT: .address_size 64
// PTX: .visible .entry

// A product: tiles through shared memory, 16 bytes at once, one fused step for each element of k.
// RUN: FileCheck %s --input-file=%t.ptx --check-prefix=PRODUCT
// PRODUCT: .visible .entry product_nn_444(
// PRODUCT: .maxntid 256, 1, 1
// PRODUCT: ld.global{{(.nc)?}}.v4.b32
// PRODUCT: st.shared
// PRODUCT: {{bar|barrier}}
// PRODUCT: ld.shared.v4.b32
// PRODUCT: fma.rn.f32
// PRODUCT: st.global.v4.b32
// PRODUCT: ret;

// A row: values pass from lane to lane, in this order.
// RUN: FileCheck %s --input-file=%t.ptx --check-prefix=ROW
// ROW: .visible .entry row_reduce_max_exp_reduce_add
// ROW: shfl.sync.down.b32
// ROW: shfl.sync.idx.b32
// ROW: shfl.sync.down.b32
// ROW: add.rn.f32
// ROW: ret;
