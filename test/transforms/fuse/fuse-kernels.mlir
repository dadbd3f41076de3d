// RUN: dlm-opt %s --dlm-fuse-kernels --split-input-file | FileCheck %s

// Neighbouring element-wise ops are one kernel over the flattened tensor, whatever its rank.
// CHECK-LABEL: func.func @elementwise_ops_are_one_flat_kernel
// CHECK: %[[Y:.+]] = kernel.launch @[[K:.+]](%{{.+}}, %{{.+}}) extent 12
// CHECK-NEXT: return %[[Y]]
// CHECK: kernel.func @[[K]](%{{.+}}: tensor<?xf32>, %{{.+}}: tensor<?xf32>)
// CHECK-SAME: over <linear, [?]>
// CHECK: math.exp
// CHECK: arith.addf
func.func @elementwise_ops_are_one_flat_kernel(%a: tensor<3x4xf32>, %b: tensor<3x4xf32>)
    -> tensor<3x4xf32> {
  %e = dlm.exp %a : tensor<3x4xf32>
  %y = dlm.add %e, %b : tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// -----

// A broadcast becomes an index map that leaves out a dim; the kernel cannot be flat any more.
// CHECK-LABEL: func.func @a_broadcast_is_an_index_map
// CHECK: kernel.launch @{{.+}}(%{{.+}}, %{{.+}}) extent 3
// CHECK: kernel.func @{{.+}}(%{{.+}}: tensor<?x4xf32>, %[[B:[a-z0-9]+]]: tensor<4xf32>)
// CHECK-SAME: over <row, [?, 4]>
// CHECK: kernel.load %[[B]]
func.func @a_broadcast_is_an_index_map(%x: tensor<3x4xf32>, %b: tensor<4xf32>) -> tensor<3x4xf32> {
  %s = dlm.broadcast %b dims [1] : tensor<4xf32> -> tensor<3x4xf32>
  %y = dlm.div %x, %s : tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// -----

// Two reductions over the same rows and what is computed of them are one kernel.
// CHECK-LABEL: func.func @softmax_is_one_row_kernel
// CHECK: kernel.launch @[[K:.+]](%{{.+}}) extent 5
// CHECK-NEXT: return
// CHECK: kernel.func @[[K]]({{.*}} over <row, [?, 7]>
// CHECK: kernel.reduce max
// CHECK: kernel.reduce add
// CHECK: arith.divf
func.func @softmax_is_one_row_kernel(%x: tensor<5x7xf32>) -> tensor<5x7xf32> {
  %m = dlm.reduce max %x dims [1] {tree = #dlm.tree<lanes = 128, chunk = 2048>}
      : tensor<5x7xf32> -> tensor<5xf32>
  %mb = dlm.broadcast %m dims [0] : tensor<5xf32> -> tensor<5x7xf32>
  %d = dlm.sub %x, %mb : tensor<5x7xf32>
  %e = dlm.exp %d : tensor<5x7xf32>
  %s = dlm.reduce add %e dims [1] {tree = #dlm.tree<lanes = 128, chunk = 2048>}
      : tensor<5x7xf32> -> tensor<5xf32>
  %sb = dlm.broadcast %s dims [0] : tensor<5xf32> -> tensor<5x7xf32>
  %y = dlm.div %e, %sb : tensor<5x7xf32>
  return %y : tensor<5x7xf32>
}

// -----

// What is drawn is stored in front of a row, which would draw it once for each walk.
// CHECK-LABEL: func.func @a_row_draws_nothing
// CHECK: %[[KEPT:.+]] = kernel.launch @[[DRAW:.+]](%{{.+}}, %{{.+}}) extent 35
// CHECK: kernel.launch @[[ROW:.+]](%[[KEPT]]) extent 5
// CHECK: kernel.func @[[DRAW]]({{.*}} over <linear, [?]>
// CHECK: kernel.random uniform
// CHECK: kernel.func @[[ROW]]({{.*}} over <row, [?, 7]>
// CHECK-NOT: kernel.random
func.func @a_row_draws_nothing(%x: tensor<5x7xf32>, %seed: tensor<i64>) -> tensor<5x7xf32> {
  %u = dlm.random uniform %seed, %seed site 3 : tensor<5x7xf32>
  %kept = dlm.mul %x, %u : tensor<5x7xf32>
  %m = dlm.reduce max %kept dims [1] {tree = #dlm.tree<lanes = 128, chunk = 2048>}
      : tensor<5x7xf32> -> tensor<5xf32>
  %mb = dlm.broadcast %m dims [0] : tensor<5xf32> -> tensor<5x7xf32>
  %y = dlm.sub %kept, %mb : tensor<5x7xf32>
  return %y : tensor<5x7xf32>
}

// -----

// A reduction over leading dims takes its element-wise operand along, if nobody else needs it.
// CHECK-LABEL: func.func @a_column_reduction_takes_its_operand_along
// CHECK: kernel.launch @[[K:.+]](%{{.+}}) extent 5
// CHECK-NEXT: return
// CHECK: kernel.func @[[K]]({{.*}} over <column, [?, 7]>
func.func @a_column_reduction_takes_its_operand_along(%x: tensor<5x7xf32>) -> tensor<7xf32> {
  %e = dlm.exp %x : tensor<5x7xf32>
  %s = dlm.reduce add %e dims [0] {tree = #dlm.tree<lanes = 1, chunk = 64>} : tensor<5x7xf32>
      -> tensor<7xf32>
  return %s : tensor<7xf32>
}

// -----

// If the operand is a result as well, a column kernel cannot store it: two kernels.
// CHECK-LABEL: func.func @a_column_reduction_leaves_a_needed_operand
// CHECK: %[[E:.+]] = kernel.launch @[[K:linear.+]](%{{.+}})
// CHECK: %[[S:.+]] = kernel.launch @[[C:column.+]](%[[E]])
// CHECK: return %[[E]], %[[S]]
func.func @a_column_reduction_leaves_a_needed_operand(%x: tensor<5x7xf32>)
    -> (tensor<5x7xf32>, tensor<7xf32>) {
  %e = dlm.exp %x : tensor<5x7xf32>
  %s = dlm.reduce add %e dims [0] {tree = #dlm.tree<lanes = 1, chunk = 64>} : tensor<5x7xf32>
      -> tensor<7xf32>
  return %e, %s : tensor<5x7xf32>, tensor<7xf32>
}

// -----

// A product is no kernel; a transpose of an operand becomes a flag of it.
// CHECK-LABEL: func.func @a_transpose_folds_into_the_product
// CHECK-NEXT: %[[P:.+]] = kernel.contract %{{.+}} transposed, %{{.+}}
// CHECK-NEXT: return %[[P]]
func.func @a_transpose_folds_into_the_product(%a: tensor<3x2xf32>, %b: tensor<3x4xf32>)
    -> tensor<2x4xf32> {
  %t = dlm.transpose %a permutation [1, 0] : tensor<3x2xf32> -> tensor<2x3xf32>
  %p = dlm.matmul %t, %b {chain = #dlm.chain<splits = 1>} : tensor<2x3xf32>, tensor<3x4xf32>
      -> tensor<2x4xf32>
  return %p : tensor<2x4xf32>
}

// -----

// %s needs %e through the product, so %e and %s must not be one kernel.
// CHECK-LABEL: func.func @never_fuses_across_a_product
// CHECK: %[[E:.+]] = kernel.launch
// CHECK: %[[P:.+]] = kernel.contract %[[E]], %{{.+}}
// CHECK: kernel.launch @{{.+}}(%[[P]], %[[E]])
func.func @never_fuses_across_a_product(%a: tensor<3x3xf32>) -> tensor<3x3xf32> {
  %e = dlm.exp %a : tensor<3x3xf32>
  %p = dlm.matmul %e, %a {chain = #dlm.chain<splits = 1>} : tensor<3x3xf32>, tensor<3x3xf32>
      -> tensor<3x3xf32>
  %s = dlm.div %p, %e : tensor<3x3xf32>
  return %s : tensor<3x3xf32>
}

// -----

// Nor across a view: %n reads the pack, of which %e is a part.
// CHECK-LABEL: func.func @never_fuses_across_a_pack
// CHECK: %[[E:.+]] = kernel.launch
// CHECK: %[[F:.+]] = dlm.pack %[[E]]
// CHECK: kernel.launch @{{.+}}(%[[F]])
func.func @never_fuses_across_a_pack(%a: tensor<16xf32>) -> tensor<16xf32> {
  %e = dlm.exp %a : tensor<16xf32>
  %f = dlm.pack %e offsets [0] : tensor<16xf32> -> tensor<16xf32>
  %n = dlm.exp %f : tensor<16xf32>
  return %n : tensor<16xf32>
}

// -----

// Cheap arithmetic on memory is computed again rather than stored.
// CHECK-LABEL: func.func @cheap_values_are_computed_again
// CHECK: %[[M:.+]] = kernel.contract
// CHECK: %[[H:.+]] = kernel.launch @{{.+}}(%[[M]])
// CHECK: %[[Q:.+]] = kernel.contract %[[H]]
// CHECK: kernel.launch @{{.+}}(%[[M]], %[[Q]])
func.func @cheap_values_are_computed_again(%a: tensor<3x3xf32>) -> tensor<3x3xf32> {
  %m = dlm.matmul %a, %a {chain = #dlm.chain<splits = 1>} : tensor<3x3xf32>, tensor<3x3xf32>
      -> tensor<3x3xf32>
  %n = dlm.neg %m : tensor<3x3xf32>
  %h = dlm.exp %n : tensor<3x3xf32>
  %q = dlm.matmul %h, %a {chain = #dlm.chain<splits = 1>} : tensor<3x3xf32>, tensor<3x3xf32>
      -> tensor<3x3xf32>
  %y = dlm.add %n, %q : tensor<3x3xf32>
  return %y : tensor<3x3xf32>
}

// -----

// Equal bodies are one kernel, at any length.
// CHECK-LABEL: func.func @equal_kernels_exist_once
// CHECK: kernel.launch @[[K:.+]](%{{.+}}) extent 6
// CHECK: kernel.launch @[[K]](%{{.+}}) extent 40
// CHECK: kernel.func @[[K]]
// CHECK-NOT: kernel.func
func.func @equal_kernels_exist_once(%a: tensor<2x3xf32>, %b: tensor<40xf32>)
    -> (tensor<2x3xf32>, tensor<40xf32>) {
  %x = dlm.exp %a : tensor<2x3xf32>
  %y = dlm.exp %b : tensor<40xf32>
  return %x, %y : tensor<2x3xf32>, tensor<40xf32>
}

// -----

// A result that is an argument under another name is copied; under its own name it just stays.
// CHECK-LABEL: func.func @an_argument_under_another_name_is_copied
// CHECK: %[[C:.+]] = kernel.launch @{{.+}}(%[[A:[a-z0-9]+]])
// CHECK: return %[[A]], %[[C]]
func.func @an_argument_under_another_name_is_copied(%a: tensor<4xf32> {dlm.buffer = "a"})
    -> (tensor<4xf32> {dlm.buffer = "a"}, tensor<4xf32> {dlm.buffer = "b"}) {
  return %a, %a : tensor<4xf32>, tensor<4xf32>
}

// -----

// A long reduction of everything is a row a chunk, and then a reduction of the rows.
// CHECK-LABEL: func.func @a_long_reduction_is_spread_over_rows
// CHECK: %[[P:.+]] = kernel.launch @[[R:.+]](%{{.+}}) extent 16 {{.*}} -> tensor<16xf32>
// CHECK: kernel.launch @{{.+}}(%[[P]]) {{.*}} -> tensor<f32>
func.func @a_long_reduction_is_spread_over_rows(%x: tensor<32768xf32>) -> tensor<f32> {
  %s = dlm.reduce add %x dims [0] {tree = #dlm.tree<lanes = 128, chunk = 2048>}
      : tensor<32768xf32> -> tensor<f32>
  return %s : tensor<f32>
}

// -----

// Reshapes that cut a tensor differently cannot be one index: the value between is stored.
// CHECK-LABEL: func.func @crossing_reshapes_go_through_memory
// CHECK: kernel.launch
// CHECK: kernel.launch
// CHECK-NEXT: return
func.func @crossing_reshapes_go_through_memory(%q: tensor<3xf32>, %r: tensor<4xf32>)
    -> tensor<4x6xf32> {
  %a = dlm.broadcast %q dims [0] : tensor<3xf32> -> tensor<3x8xf32>
  %b = dlm.reshape %a : tensor<3x8xf32> -> tensor<4x6xf32>
  %c = dlm.broadcast %r dims [0] : tensor<4xf32> -> tensor<4x6xf32>
  %d = dlm.div %b, %c : tensor<4x6xf32>
  return %d : tensor<4x6xf32>
}
