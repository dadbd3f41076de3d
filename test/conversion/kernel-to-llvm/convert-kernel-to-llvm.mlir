// RUN: dlm-opt %s --dlm-convert-kernel-to-llvm="vector-width=16" | FileCheck %s
// RUN: dlm-opt %s --dlm-convert-kernel-to-llvm="vector-width=64" | FileCheck %s --check-prefix=WIDE

// A kernel becomes a function of the kernel ABI; a static size that is a multiple of the width
// needs no masks.
// CHECK-LABEL: llvm.func @multiples_need_no_mask
// CHECK-SAME: (%{{.+}}: !llvm.ptr, %{{.+}}: !llvm.ptr, %{{.+}}: i64, %{{.+}}: i64)
// CHECK-NOT: masked
// CHECK: llvm.load %{{.+}} {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
// CHECK-NOT: masked
// CHECK: llvm.fadd %{{.+}}, %{{.+}} : vector<16xf32>
// WIDE-LABEL: llvm.func @multiples_need_no_mask
// WIDE: llvm.fadd %{{.+}}, %{{.+}} : vector<64xf32>
kernel.func @multiples_need_no_mask(%x: tensor<4096xf32>) -> (%y: tensor<4096xf32>)
    over <linear, [4096]> {
  %a = kernel.load %x affine_map<(d0) -> (d0)> : tensor<4096xf32> -> f32
  %b = arith.addf %a, %a : f32
  kernel.store %b, %y affine_map<(d0) -> (d0)> : f32 -> tensor<4096xf32>
}

// A size known at run time has a vector loop and one masked rest.
// CHECK-LABEL: llvm.func @rest_is_masked
// CHECK: llvm.load %{{.+}} : !llvm.ptr -> vector<16xf32>
// CHECK: llvm.intr.masked.load
// CHECK: llvm.intr.masked.store
// CHECK-NOT: llvm.intr.masked
kernel.func @rest_is_masked(%x: tensor<?xf32>) -> (%y: tensor<?xf32>) over <linear, [?]> {
  %a = kernel.load %x affine_map<(d0) -> (d0)> : tensor<?xf32> -> f32
  kernel.store %a, %y affine_map<(d0) -> (d0)> : f32 -> tensor<?xf32>
}

// What does not vary over the inner dim is loaded and computed once, outside the loop.
// CHECK-LABEL: llvm.func @uniform_values_stay_scalars
// CHECK: %[[S:.+]] = llvm.load %{{.+}} {alignment = 4 : i64} : !llvm.ptr -> f32
// CHECK: llvm.intr.sqrt(%[[S]]) : (f32) -> f32
// CHECK: llvm.cond_br
kernel.func @uniform_values_stay_scalars(%x: tensor<?xf32>, %s: tensor<f32>) -> (%y: tensor<?xf32>)
    over <linear, [?]> {
  %a = kernel.load %x affine_map<(d0) -> (d0)> : tensor<?xf32> -> f32
  %b = kernel.load %s affine_map<(d0) -> ()> : tensor<f32> -> f32
  %c = math.sqrt %b : f32
  %d = arith.mulf %a, %c : f32
  kernel.store %d, %y affine_map<(d0) -> (d0)> : f32 -> tensor<?xf32>
}

// One element is computed by scalars.
// CHECK-LABEL: llvm.func @single_element_needs_no_vector
// CHECK-NOT: vector<
// CHECK: llvm.return
kernel.func @single_element_needs_no_vector(%x: tensor<f32>) -> (%y: tensor<f32>)
    over <linear, [1]> {
  %a = kernel.load %x affine_map<(d0) -> ()> : tensor<f32> -> f32
  %b = arith.addf %a, %a : f32
  kernel.store %b, %y affine_map<(d0) -> ()> : f32 -> tensor<f32>
}

// A transposed input lies apart from lane to lane.
// CHECK-LABEL: llvm.func @transposed_input_is_gathered
// CHECK: llvm.intr.masked.gather
// CHECK: llvm.store %{{.+}} : vector<16xf32>, !llvm.ptr
kernel.func @transposed_input_is_gathered(%x: tensor<64x4xf32>) -> (%y: tensor<4x64xf32>)
    over <row, [4, 64]> {
  %a = kernel.load %x affine_map<(d0, d1) -> (d1, d0)> : tensor<64x4xf32> -> f32
  kernel.store %a, %y affine_map<(d0, d1) -> (d0, d1)> : f32 -> tensor<4x64xf32>
}

// A sum starts at -0.0; its lanes fold by halves, the lower half on the left.
// CHECK-LABEL: llvm.func @lanes_fold_by_halves
// CHECK: dense<-0.000000e+00> : vector<16xf32>
// CHECK: %[[LOW:.+]] = llvm.shufflevector %{{.+}}, %{{.+}} [0, 1, 2, 3, 4, 5, 6, 7]
// CHECK: %[[HIGH:.+]] = llvm.shufflevector %{{.+}}, %{{.+}} [8, 9, 10, 11, 12, 13, 14, 15]
// CHECK: llvm.fadd %[[LOW]], %[[HIGH]] : vector<8xf32>
// CHECK-NOT: llvm.intr.vector.reduce
// CHECK: llvm.return
kernel.func @lanes_fold_by_halves(%x: tensor<4x64xf32>) -> (%y: tensor<4xf32>) over <row, [4, 64]> {
  %a = kernel.load %x affine_map<(d0, d1) -> (d0, d1)> : tensor<4x64xf32> -> f32
  %s = kernel.reduce add %a over 1 tree<128, 2048> : f32
  kernel.store %s, %y affine_map<(d0, d1) -> (d0)> : f32 -> tensor<4xf32>
}

// A short row takes vectors of its own size.
// CHECK-LABEL: llvm.func @short_rows_take_short_vectors
// CHECK: llvm.intr.masked.load{{.*}} -> vector<8xf32>
// WIDE-LABEL: llvm.func @short_rows_take_short_vectors
// WIDE: llvm.intr.masked.load{{.*}} -> vector<8xf32>
kernel.func @short_rows_take_short_vectors(%x: tensor<4x5xf32>) -> (%y: tensor<4xf32>)
    over <row, [4, 5]> {
  %a = kernel.load %x affine_map<(d0, d1) -> (d0, d1)> : tensor<4x5xf32> -> f32
  %s = kernel.reduce max %a over 1 tree<128, 2048> : f32
  kernel.store %s, %y affine_map<(d0, d1) -> (d0)> : f32 -> tensor<4xf32>
}

// Float to integer is defined for every value.
// CHECK-LABEL: llvm.func @conversion_to_integer_saturates
// CHECK: llvm.call_intrinsic "llvm.fptosi.sat"
kernel.func @conversion_to_integer_saturates(%x: tensor<?xf32>) -> (%y: tensor<?xi32>)
    over <linear, [?]> {
  %a = kernel.load %x affine_map<(d0) -> (d0)> : tensor<?xf32> -> f32
  %b = arith.fptosi %a : f32 to i32
  kernel.store %b, %y affine_map<(d0) -> (d0)> : i32 -> tensor<?xi32>
}
