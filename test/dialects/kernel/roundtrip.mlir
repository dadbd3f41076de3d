// RUN: dlm-opt %s | dlm-opt | FileCheck %s
// RUN: dlm-opt %s -mlir-print-op-generic | dlm-opt | FileCheck %s
// Every op prints what it parses, in short and in generic form.

// CHECK-LABEL: kernel.func @softmax
// CHECK-SAME: (%[[X:.+]]: tensor<?x768xf32>) -> (%[[Y:.+]]: tensor<?x768xf32>) over <row, [?, 768]>
kernel.func @softmax(%x: tensor<?x768xf32>) -> (%y: tensor<?x768xf32>) over <row, [?, 768]> {
  // CHECK: %[[A:.+]] = kernel.load %[[X]] affine_map<(d0, d1) -> (d0, d1)> : tensor<?x768xf32>
  %a = kernel.load %x affine_map<(d0, d1) -> (d0, d1)> : tensor<?x768xf32> -> f32
  // CHECK: %[[M:.+]] = kernel.reduce max %[[A]] over 1 tree<128, 2048>{{ +}}: f32
  %m = kernel.reduce max %a over 1 tree<128, 2048> : f32
  %c = arith.subf %a, %m : f32
  %e = math.exp %c : f32
  // CHECK: kernel.reduce add %{{.+}} over 1 tree<128, 2048>
  %s = kernel.reduce add %e over 1 tree<128, 2048> : f32
  // CHECK: %[[R:.+]] = arith.divf
  %r = arith.divf %e, %s : f32
  // CHECK: kernel.store %[[R]], %[[Y]] affine_map<(d0, d1) -> (d0, d1)> : f32 -> tensor<?x768xf32>
  kernel.store %r, %y affine_map<(d0, d1) -> (d0, d1)> : f32 -> tensor<?x768xf32>
}

// CHECK-LABEL: kernel.func @rows
// CHECK-SAME: (%[[X:.+]]: tensor<7x5xf32>, %[[IDS:.+]]: tensor<4xi64>)
kernel.func @rows(%x: tensor<7x5xf32>, %ids: tensor<4xi64>) -> (%y: tensor<4x3xf32>)
    over <row, [4, 3]> {
  %id = kernel.load %ids affine_map<(d0, d1) -> (d0)> : tensor<4xi64> -> i64
  // CHECK: kernel.load %[[X]] at(%{{.+}}) affine_map<(d0, d1)[s0] -> (s0, -d1 + 4)> guarded{{ +}}:
  %a = kernel.load %x at(%id) affine_map<(d0, d1)[s0] -> (s0, -d1 + 4)> guarded
      : tensor<7x5xf32> -> f32
  // CHECK: kernel.load %[[X]] affine_map<(d0, d1) -> (6, d1 + 2)> : tensor<7x5xf32>
  %b = kernel.load %x affine_map<(d0, d1) -> (6, d1 + 2)> : tensor<7x5xf32> -> f32
  %c = arith.addf %a, %b : f32
  kernel.store %c, %y affine_map<(d0, d1) -> (d0, d1)> : f32 -> tensor<4x3xf32>
}

// CHECK-LABEL: kernel.func @sums_by_id
// CHECK-SAME: over <scatter, [1, 7, 4, 3]>
kernel.func @sums_by_id(%x: tensor<4x3xf32>, %ids: tensor<4xi64>) -> (%y: tensor<7x3xf32>)
    over <scatter, [1, 7, 4, 3]> {
  %a = kernel.load %x affine_map<(d0, d1, d2, d3) -> (d2, d3)> : tensor<4x3xf32> -> f32
  %id = kernel.load %ids affine_map<(d0, d1, d2, d3) -> (d2)> : tensor<4xi64> -> i64
  // CHECK: kernel.scatter %{{.+}} at %{{.+}} : f32
  %s = kernel.scatter %a at %id : f32
  kernel.store %s, %y affine_map<(d0, d1, d2, d3) -> (d1, d3)> : f32 -> tensor<7x3xf32>
}

// CHECK-LABEL: kernel.func @best
kernel.func @best(%x: tensor<64x10xf32>) -> (%y: tensor<64xi32>) over <row, [64, 10]> {
  %a = kernel.load %x affine_map<(d0, d1) -> (d0, d1)> : tensor<64x10xf32> -> f32
  // CHECK: kernel.argmax %{{.+}} over 1{{ +}}: i32
  %b = kernel.argmax %a over 1 : i32
  kernel.store %b, %y affine_map<(d0, d1) -> (d0)> : i32 -> tensor<64xi32>
}

// CHECK-LABEL: kernel.func @noise
// CHECK-SAME: over <linear, [?]>
kernel.func @noise(%s: tensor<i64>, %t: tensor<i64>) -> (%y: tensor<?xf32>) over <linear, [?]> {
  %seed = kernel.load %s affine_map<(d0) -> ()> : tensor<i64> -> i64
  %attempt = kernel.load %t affine_map<(d0) -> ()> : tensor<i64> -> i64
  // CHECK: %[[I:.+]] = kernel.iota 0{{ +}}: i64
  %i = kernel.iota 0 : i64
  // CHECK: kernel.random normal(%{{.+}}, %{{.+}}, %[[I]]) site 42{{ +}}: f32
  %r = kernel.random normal(%seed, %attempt, %i) site 42 : f32
  kernel.store %r, %y affine_map<(d0) -> (d0)> : f32 -> tensor<?xf32>
}

// CHECK-LABEL: kernel.func @column_sum
// CHECK-SAME: over <column, [?, 512]>
kernel.func @column_sum(%x: tensor<?x512xf32>) -> (%y: tensor<512xf32>) over <column, [?, 512]> {
  %a = kernel.load %x affine_map<(d0, d1) -> (d0, d1)> : tensor<?x512xf32> -> f32
  %s = kernel.reduce add %a over 0 tree<1, 64> : f32
  kernel.store %s, %y affine_map<(d0, d1) -> (d1)> : f32 -> tensor<512xf32>
}

// A program holds launches and contractions; the launch binds the run-time extent.
// CHECK-LABEL: func.func @program
func.func @program(%x: tensor<64x784xf32>, %w: tensor<512x784xf32>) -> tensor<512xf32> {
  // CHECK: %[[H:.+]] = kernel.contract %{{.+}}, %{{.+}} transposed : {{.*}} -> tensor<64x512xf32>
  %h = kernel.contract %x, %w transposed
      : tensor<64x784xf32>, tensor<512x784xf32> -> tensor<64x512xf32>
  // CHECK: kernel.launch @column_sum(%[[H]]) extent 64{{ +}}: (tensor<64x512xf32>)
  %y = kernel.launch @column_sum(%h) extent 64 : (tensor<64x512xf32>) -> tensor<512xf32>
  return %y : tensor<512xf32>
}

// Products stand side by side.
// CHECK-LABEL: func.func @products
func.func @products(%x: tensor<2x3x8x4xf32>, %y: tensor<2x3x8x5xf32>) -> tensor<2x3x4x5xf32> {
  // CHECK: kernel.contract %{{.+}} transposed, %{{.+}} : {{.*}} -> tensor<2x3x4x5xf32>
  %z = kernel.contract %x transposed, %y
      : tensor<2x3x8x4xf32>, tensor<2x3x8x5xf32> -> tensor<2x3x4x5xf32>
  return %z : tensor<2x3x4x5xf32>
}

// CHECK: func.func private @types(tensor<4x8xf32, #kernel.layout<[0, 1]>>)
func.func private @types(tensor<4x8xf32, #kernel.layout<[0, 1]>>)
