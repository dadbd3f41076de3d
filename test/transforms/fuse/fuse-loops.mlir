// RUN: dlm-opt %s --dlm-fuse-kernels --split-input-file | FileCheck %s

// A body is a block like a program's: its ops become launches and products, and what two results
// need is written twice by one kernel.
// CHECK-LABEL: func.func @a_body_is_launches
// CHECK: dlm.scan trips 5
// CHECK-NEXT: ^bb0(%{{.+}}: tensor<i32>, %[[H:.+]]: tensor<4x5xf32>, %[[P:.+]]: tensor<4x5xf32>,
// CHECK-SAME: %[[W:.+]]: tensor<5x5xf32>)
// CHECK-NEXT: %[[M:.+]] = kernel.contract %[[H]], %[[W]]
// CHECK-NEXT: %[[L:.+]]:2 = kernel.launch @[[K:[a-z0-9_]+]](%[[M]], %[[P]]) extent 20
// CHECK-NEXT: dlm.yield %[[L]]#0, %[[L]]#1
// CHECK: kernel.func @[[K]](
func.func @a_body_is_launches(%x: tensor<5x4x5xf32>, %h: tensor<4x5xf32>, %w: tensor<5x5xf32>)
    -> tensor<5x4x5xf32> {
  %first = dlm.tanh %h : tensor<4x5xf32>
  %unused = dlm.exp %h : tensor<4x5xf32>
  %0:2 = dlm.scan trips 5 init(%first : tensor<4x5xf32>) over(%x : tensor<5x4x5xf32>)
      capture(%w : tensor<5x5xf32>) -> (tensor<4x5xf32>, tensor<5x4x5xf32>) {
  ^bb0(%k: tensor<i32>, %old: tensor<4x5xf32>, %p: tensor<4x5xf32>, %m: tensor<5x5xf32>):
    %1 = dlm.matmul %old, %m : tensor<4x5xf32>, tensor<5x5xf32> -> tensor<4x5xf32>
    %2 = dlm.add %1, %p : tensor<4x5xf32>
    %3 = dlm.exp %2 : tensor<4x5xf32>
    dlm.yield %3, %3 : tensor<4x5xf32>, tensor<4x5xf32>
  }
  return %0#1 : tensor<5x4x5xf32>
}

// -----

// A kernel of a body is the same as one outside.
// CHECK-LABEL: func.func @equal_kernels_exist_once
// CHECK: kernel.launch @[[K:[a-z0-9_]+]](
// CHECK: dlm.scan
// CHECK: kernel.launch @[[K]](
func.func @equal_kernels_exist_once(%s: tensor<3xf32>) -> tensor<3xf32> {
  %first = dlm.exp %s : tensor<3xf32>
  %0 = dlm.scan trips 5 init(%first : tensor<3xf32>) over() capture() -> (tensor<3xf32>) {
  ^bb0(%k: tensor<i32>, %a: tensor<3xf32>):
    %1 = dlm.exp %a : tensor<3xf32>
    dlm.yield %1 : tensor<3xf32>
  }
  return %0 : tensor<3xf32>
}

// -----

// The loop overwrites what a state begins with: one that others read gets a copy, and so does an
// argument.
// CHECK-LABEL: func.func @what_others_read_is_copied
// CHECK-SAME: (%[[S:.+]]: tensor<3xf32>)
// CHECK: %[[L:.+]]:3 = kernel.launch @{{.+}}(%[[S]])
// CHECK: %[[R:.+]]:2 = dlm.scan trips 5 init(%[[L]]#{{[0-9]}}, %[[L]]#{{[0-9]}} :
// CHECK: kernel.launch @{{.+}}(%[[R]]#0, %[[R]]#1, %[[L]]#
func.func @what_others_read_is_copied(%s: tensor<3xf32>) -> tensor<3xf32> {
  %first = dlm.exp %s : tensor<3xf32>
  %0:2 = dlm.scan trips 5 init(%first, %s : tensor<3xf32>, tensor<3xf32>) over() capture()
      -> (tensor<3xf32>, tensor<3xf32>) {
  ^bb0(%k: tensor<i32>, %a: tensor<3xf32>, %b: tensor<3xf32>):
    %1 = dlm.exp %a : tensor<3xf32>
    %2 = dlm.tanh %b : tensor<3xf32>
    dlm.yield %1, %2 : tensor<3xf32>, tensor<3xf32>
  }
  %3 = dlm.add %0#0, %0#1 : tensor<3xf32>
  %4 = dlm.add %3, %first : tensor<3xf32>
  return %4 : tensor<3xf32>
}

// -----

// The number of a trip is a slice of all numbers.
// CHECK-LABEL: func.func @the_number_is_a_slice
// CHECK: %[[N:.+]] = kernel.launch @{{.+}}() extent 5 : () -> tensor<5xi32>
// CHECK: dlm.scan trips 5 reverse init() over(%[[N]] : tensor<5xi32>) capture()
// CHECK-NEXT: ^bb0(%{{.+}}: tensor<i32>, %[[K:.+]]: tensor<i32>):
// CHECK-NEXT: kernel.launch @{{.+}}(%[[K]])
func.func @the_number_is_a_slice() -> tensor<5xi32> {
  %0 = dlm.scan trips 5 reverse init() over() capture() -> (tensor<5xi32>) {
  ^bb0(%k: tensor<i32>):
    %1 = dlm.add %k, %k : tensor<i32>
    dlm.yield %1 : tensor<i32>
  }
  return %0 : tensor<5xi32>
}

// -----

// What reads a loop's results comes behind it, what it reads before: no kernel is on both sides.
// CHECK-LABEL: func.func @kernels_do_not_reach_over_a_loop
// CHECK: kernel.launch
// CHECK: dlm.scan
// CHECK: kernel.launch
func.func @kernels_do_not_reach_over_a_loop(%s: tensor<3xf32>) -> tensor<3xf32> {
  %first = dlm.exp %s : tensor<3xf32>
  %0 = dlm.scan trips 5 init(%first : tensor<3xf32>) over() capture() -> (tensor<3xf32>) {
  ^bb0(%k: tensor<i32>, %a: tensor<3xf32>):
    %1 = dlm.tanh %a : tensor<3xf32>
    dlm.yield %1 : tensor<3xf32>
  }
  %2 = dlm.add %0, %first : tensor<3xf32>
  return %2 : tensor<3xf32>
}

// -----

// A plan has two loops in each other at most; a third is written out.
// CHECK-LABEL: func.func @the_third_loop_is_written_out
// CHECK: dlm.scan trips 5
// CHECK: dlm.scan trips 7
// CHECK-NOT: dlm.scan
// CHECK: kernel.launch
// CHECK: return
func.func @the_third_loop_is_written_out(%s: tensor<3xf32>) -> tensor<3xf32> {
  %0 = dlm.scan trips 5 init(%s : tensor<3xf32>) over() capture() -> (tensor<3xf32>) {
  ^bb0(%i: tensor<i32>, %a: tensor<3xf32>):
    %1 = dlm.scan trips 7 init(%a : tensor<3xf32>) over() capture() -> (tensor<3xf32>) {
    ^bb0(%j: tensor<i32>, %b: tensor<3xf32>):
      %2 = dlm.scan trips 2 init(%b : tensor<3xf32>) over() capture() -> (tensor<3xf32>) {
      ^bb0(%k: tensor<i32>, %c: tensor<3xf32>):
        %3 = dlm.exp %c : tensor<3xf32>
        dlm.yield %3 : tensor<3xf32>
      }
      dlm.yield %2 : tensor<3xf32>
    }
    dlm.yield %1 : tensor<3xf32>
  }
  return %0 : tensor<3xf32>
}
