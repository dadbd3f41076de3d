// RUN: dlm-opt %s | dlm-opt | FileCheck %s
// RUN: dlm-opt %s --mlir-print-op-generic | dlm-opt | FileCheck %s

// Every op prints what it parses, by its own format and by way of the generic form.

// CHECK-LABEL: func.func @elementwise
// CHECK-SAME: %[[X:.+]]: tensor<4xf32>, %[[N:.+]]: tensor<4xi64>, %[[B:.+]]: tensor<4xi1>
func.func @elementwise(%x: tensor<4xf32>, %n: tensor<4xi64>, %b: tensor<4xi1>) {
  // CHECK: dlm.neg %[[X]] : tensor<4xf32>
  %0 = dlm.neg %x : tensor<4xf32>
  // CHECK: dlm.abs %[[N]] : tensor<4xi64>
  %1 = dlm.abs %n : tensor<4xi64>
  // CHECK: dlm.exp %[[X]] : tensor<4xf32>
  %2 = dlm.exp %x : tensor<4xf32>
  // CHECK: dlm.log %[[X]] : tensor<4xf32>
  %3 = dlm.log %x : tensor<4xf32>
  // CHECK: dlm.sqrt %[[X]] : tensor<4xf32>
  %4 = dlm.sqrt %x : tensor<4xf32>
  // CHECK: dlm.rsqrt %[[X]] : tensor<4xf32>
  %5 = dlm.rsqrt %x : tensor<4xf32>
  // CHECK: dlm.tanh %[[X]] : tensor<4xf32>
  %6 = dlm.tanh %x : tensor<4xf32>
  // CHECK: dlm.erf %[[X]] : tensor<4xf32>
  %7 = dlm.erf %x : tensor<4xf32>
  // CHECK: dlm.sin %[[X]] : tensor<4xf32>
  %8 = dlm.sin %x : tensor<4xf32>
  // CHECK: dlm.cos %[[X]] : tensor<4xf32>
  %9 = dlm.cos %x : tensor<4xf32>
  // CHECK: dlm.floor %[[X]] : tensor<4xf32>
  %10 = dlm.floor %x : tensor<4xf32>
  // CHECK: dlm.ceil %[[X]] : tensor<4xf32>
  %11 = dlm.ceil %x : tensor<4xf32>
  // CHECK: dlm.round %[[X]] : tensor<4xf32>
  %12 = dlm.round %x : tensor<4xf32>
  // CHECK: dlm.sign %[[N]] : tensor<4xi64>
  %13 = dlm.sign %n : tensor<4xi64>
  // CHECK: dlm.relu %[[X]] : tensor<4xf32>
  %14 = dlm.relu %x : tensor<4xf32>
  // CHECK: dlm.add %[[X]], %[[X]] : tensor<4xf32>
  %15 = dlm.add %x, %x : tensor<4xf32>
  // CHECK: dlm.sub %[[N]], %[[N]] : tensor<4xi64>
  %16 = dlm.sub %n, %n : tensor<4xi64>
  // CHECK: dlm.mul %[[X]], %[[X]] : tensor<4xf32>
  %17 = dlm.mul %x, %x : tensor<4xf32>
  // CHECK: dlm.div %[[X]], %[[X]] : tensor<4xf32>
  %18 = dlm.div %x, %x : tensor<4xf32>
  // CHECK: dlm.max %[[X]], %[[X]] : tensor<4xf32>
  %19 = dlm.max %x, %x : tensor<4xf32>
  // CHECK: dlm.min %[[X]], %[[X]] : tensor<4xf32>
  %20 = dlm.min %x, %x : tensor<4xf32>
  // CHECK: dlm.pow %[[X]], %[[X]] : tensor<4xf32>
  %21 = dlm.pow %x, %x : tensor<4xf32>
  // CHECK: %[[C:.+]] = dlm.compare lt %[[X]], %[[X]] : tensor<4xf32>
  %22 = dlm.compare lt %x, %x : tensor<4xf32>
  // CHECK: dlm.and %[[C]], %[[B]] : tensor<4xi1>
  %23 = dlm.and %22, %b : tensor<4xi1>
  // CHECK: dlm.or %[[C]], %[[B]] : tensor<4xi1>
  %24 = dlm.or %22, %b : tensor<4xi1>
  // CHECK: dlm.not %[[B]] : tensor<4xi1>
  %25 = dlm.not %b : tensor<4xi1>
  // CHECK: dlm.select %[[B]], %[[X]], %[[X]] : tensor<4xf32>
  %26 = dlm.select %b, %x, %x : tensor<4xf32>
  // CHECK: dlm.cast %[[X]] : tensor<4xf32> -> tensor<4xui8>
  %27 = dlm.cast %x : tensor<4xf32> -> tensor<4xui8>
  // CHECK: dlm.stop_gradient %[[B]] : tensor<4xi1>
  %28 = dlm.stop_gradient %b : tensor<4xi1>
  return
}

// CHECK-LABEL: func.func @shape
// CHECK-SAME: %[[X:.+]]: tensor<2x1x3xf32>
func.func @shape(%x: tensor<2x1x3xf32>) {
  // CHECK: dlm.broadcast %[[X]] dims [0, 2, 3] : tensor<2x1x3xf32> -> tensor<2x5x4x3xf32>
  %0 = dlm.broadcast %x dims [0, 2, 3] : tensor<2x1x3xf32> -> tensor<2x5x4x3xf32>
  // CHECK: dlm.reshape %[[X]] : tensor<2x1x3xf32> -> tensor<6xf32>
  %1 = dlm.reshape %x : tensor<2x1x3xf32> -> tensor<6xf32>
  // CHECK: dlm.transpose %[[X]] permutation [2, 0, 1] : tensor<2x1x3xf32> -> tensor<3x2x1xf32>
  %2 = dlm.transpose %x permutation [2, 0, 1] : tensor<2x1x3xf32> -> tensor<3x2x1xf32>
  return
}

// CHECK-LABEL: func.func @reductions
// CHECK-SAME: %[[X:.+]]: tensor<8x300xf32>
func.func @reductions(%x: tensor<8x300xf32>) {
  // CHECK: dlm.reduce add %[[X]] dims [1] {tree = #dlm.tree<lanes = 128, chunk = 2048>}
  %0 = dlm.reduce add %x dims [1] {tree = #dlm.tree<lanes = 128, chunk = 2048>}
      : tensor<8x300xf32> -> tensor<8xf32>
  // CHECK: dlm.reduce max %[[X]] dims [0, 1] : tensor<8x300xf32> -> tensor<f32>
  %1 = dlm.reduce max %x dims [0, 1] : tensor<8x300xf32> -> tensor<f32>
  // CHECK: dlm.argmax %[[X]] dim 0 : tensor<8x300xf32> -> tensor<300xi32>
  %2 = dlm.argmax %x dim 0 : tensor<8x300xf32> -> tensor<300xi32>
  return
}

// CHECK-LABEL: func.func @parts
// CHECK-SAME: %[[X:.+]]: tensor<3x5xf32>, %[[IDS:.+]]: tensor<2xi32>
func.func @parts(%x: tensor<3x5xf32>, %ids: tensor<2xi32>) {
  // CHECK: %[[S:.+]] = dlm.slice %[[X]] begins [0, 2] : tensor<3x5xf32> -> tensor<3x2xf32>
  %0 = dlm.slice %x begins [0, 2] : tensor<3x5xf32> -> tensor<3x2xf32>
  // CHECK: dlm.pad %[[S]] low [0, 1] value -1.000000e+00 : tensor<3x2xf32> -> tensor<3x5xf32>
  %1 = dlm.pad %0 low [0, 1] value -1.0 : tensor<3x2xf32> -> tensor<3x5xf32>
  // CHECK: dlm.flip %[[X]] dims [0, 1] : tensor<3x5xf32>
  %2 = dlm.flip %x dims [0, 1] : tensor<3x5xf32>
  // CHECK: dlm.concat %[[X]], %[[S]] dim 1 : tensor<3x5xf32>, tensor<3x2xf32> -> tensor<3x7xf32>
  %3 = dlm.concat %x, %0 dim 1 : tensor<3x5xf32>, tensor<3x2xf32> -> tensor<3x7xf32>
  // CHECK: %[[G:.+]] = dlm.gather %[[X]], %[[IDS]] dim 0
  // CHECK-SAME: tensor<3x5xf32>, tensor<2xi32> -> tensor<2x5xf32>
  %4 = dlm.gather %x, %ids dim 0 : tensor<3x5xf32>, tensor<2xi32> -> tensor<2x5xf32>
  // CHECK: dlm.scatter_add %[[G]], %[[IDS]] dim 0
  // CHECK-SAME: tensor<2x5xf32>, tensor<2xi32> -> tensor<3x5xf32>
  %5 = dlm.scatter_add %4, %ids dim 0 : tensor<2x5xf32>, tensor<2xi32> -> tensor<3x5xf32>
  return
}

// CHECK-LABEL: func.func @products
// CHECK-SAME: %[[A:.+]]: tensor<8x4xf32>, %[[B:.+]]: tensor<3x4xf32>
func.func @products(%a: tensor<8x4xf32>, %b: tensor<3x4xf32>) {
  // CHECK: %[[C:.+]] = dlm.matmul %[[A]], %[[B]] transposeRhs {chain = #dlm.chain<splits = 2>}
  %0 = dlm.matmul %a, %b transposeRhs {chain = #dlm.chain<splits = 2>}
      : tensor<8x4xf32>, tensor<3x4xf32> -> tensor<8x3xf32>
  // CHECK: dlm.matmul %[[B]], %[[C]] transposeLhs transposeRhs : tensor<3x4xf32>, tensor<8x3xf32>

  %1 = dlm.matmul %b, %0 transposeLhs transposeRhs
      : tensor<3x4xf32>, tensor<8x3xf32> -> tensor<4x8xf32>
  return
}

// CHECK-LABEL: func.func @windows
// CHECK-SAME: %[[X:.+]]: tensor<4x6x3xf32>
func.func @windows(%x: tensor<4x6x3xf32>) {
  // CHECK: %[[W:.+]] = dlm.windows %[[X]] dim 1 strides [2] dilations [1] low [1]
  // CHECK-SAME: tensor<4x6x3xf32> -> tensor<4x3x3x3xf32>
  %0 = dlm.windows %x dim 1 strides [2] dilations [1] low [1]
      : tensor<4x6x3xf32> -> tensor<4x3x3x3xf32>
  // CHECK: dlm.overlap_add %[[W]] dim 1 strides [2] dilations [1] low [1]
  // CHECK-SAME: tensor<4x3x3x3xf32> -> tensor<4x6x3xf32>
  %1 = dlm.overlap_add %0 dim 1 strides [2] dilations [1] low [1]
      : tensor<4x3x3x3xf32> -> tensor<4x6x3xf32>
  // CHECK: dlm.reduce max %[[W]] dims [2] toFirst : tensor<4x3x3x3xf32> -> tensor<4x3x3xf32>
  %2 = dlm.reduce max %0 dims [2] toFirst : tensor<4x3x3x3xf32> -> tensor<4x3x3xf32>
  return
}

// CHECK-LABEL: func.func @sources
// CHECK-SAME: %[[SEED:.+]]: tensor<i64>, %[[ATTEMPT:.+]]: tensor<i64>
func.func @sources(%seed: tensor<i64>, %attempt: tensor<i64>) {
  // CHECK: dlm.constant dense<[1, 2]> : tensor<2xui8>
  %0 = dlm.constant dense<[1, 2]> : tensor<2xui8>
  // CHECK: dlm.iota dim 1 : tensor<2x3xi32>
  %1 = dlm.iota dim 1 : tensor<2x3xi32>
  // CHECK: dlm.random normal %[[SEED]], %[[ATTEMPT]] site 17 : tensor<4xf32>
  %2 = dlm.random normal %seed, %attempt site 17 : tensor<4xf32>
  // CHECK: dlm.random uniform %[[SEED]], %[[ATTEMPT]] first %[[SEED]] site 18 : tensor<4xf32>
  %3 = dlm.random uniform %seed, %attempt first %seed site 18 : tensor<4xf32>
  return
}

// CHECK-LABEL: func.func @flat
// CHECK-SAME: %[[FLAT:.+]]: tensor<4096xf32>
func.func @flat(%flat: tensor<4096xf32>) {
  // CHECK: %[[A:.+]] = dlm.segment %[[FLAT]] offset 2048 : tensor<4096xf32> -> tensor<16x4xf32>
  %0 = dlm.segment %flat offset 2048 : tensor<4096xf32> -> tensor<16x4xf32>
  // CHECK: dlm.fence %[[A]] after %[[FLAT]], %[[A]]
  // CHECK-SAME: : tensor<16x4xf32> after tensor<4096xf32>, tensor<16x4xf32>
  %2 = dlm.fence %0 after %flat, %0 : tensor<16x4xf32> after tensor<4096xf32>, tensor<16x4xf32>
  // CHECK: dlm.pack %[[A]], %[[A]] offsets [0, 2048]
  %1 = dlm.pack %0, %0 offsets [0, 2048]
      : tensor<16x4xf32>, tensor<16x4xf32> -> tensor<4096xf32>
  return
}

// CHECK-LABEL: func.func @loops
// CHECK-SAME: %[[X:.+]]: tensor<5x3xf32>, %[[S:.+]]: tensor<3xf32>, %[[N:.+]]: tensor<i32>
func.func @loops(%x: tensor<5x3xf32>, %s: tensor<3xf32>, %n: tensor<i32>) {
  // CHECK: %[[R:.+]]:3 = dlm.scan trips 5 reverse
  // CHECK-SAME: init(%[[S]], %[[N]] : tensor<3xf32>, tensor<i32>)
  // CHECK-SAME: over(%[[X]] : tensor<5x3xf32>) capture(%[[S]] : tensor<3xf32>)
  // CHECK-SAME: -> (tensor<3xf32>, tensor<i32>, tensor<5x3xf32>)
  // CHECK-NEXT: ^bb0(%[[K:.+]]: tensor<i32>, %{{.+}}: tensor<3xf32>, %{{.+}}: tensor<i32>
  %0:3 = dlm.scan trips 5 reverse init(%s, %n : tensor<3xf32>, tensor<i32>)
      over(%x : tensor<5x3xf32>) capture(%s : tensor<3xf32>)
      -> (tensor<3xf32>, tensor<i32>, tensor<5x3xf32>) {
  ^bb0(%k: tensor<i32>, %sum: tensor<3xf32>, %count: tensor<i32>, %each: tensor<3xf32>,
       %scale: tensor<3xf32>):
    %1 = dlm.mul %each, %scale : tensor<3xf32>
    %2 = dlm.add %sum, %1 : tensor<3xf32>
    // CHECK: dlm.add %{{.+}}, %[[K]] : tensor<i32>
    %3 = dlm.add %count, %k : tensor<i32>
    // CHECK: dlm.yield %{{.+}}, %{{.+}}, %{{.+}} : tensor<3xf32>, tensor<i32>, tensor<3xf32>
    dlm.yield %2, %3, %1 : tensor<3xf32>, tensor<i32>, tensor<3xf32>
  }
  // CHECK: dlm.scan trips 2 init(%[[R]]#1 : tensor<i32>) over() capture() -> (tensor<i32>) {
  %4 = dlm.scan trips 2 init(%0#1 : tensor<i32>) over() capture() -> (tensor<i32>) {
  ^bb0(%k: tensor<i32>, %count: tensor<i32>):
    dlm.yield %count : tensor<i32>
  }
  return
}
