// RUN: dlm-opt %s --dlm-fold-scans | FileCheck %s

// Nobody reads the second state, its history and what the body makes of it; then nobody reads %y.
// CHECK-LABEL: func.func @what_nobody_reads_goes
// CHECK-SAME: (%[[X:.+]]: tensor<5x3xf32>, %{{.+}}: tensor<5x3xf32>, %[[S:.+]]: tensor<3xf32>
// CHECK: dlm.scan trips 5 init(%[[S]] : tensor<3xf32>) over(%[[X]] : tensor<5x3xf32>) capture()
// CHECK-SAME: -> (tensor<3xf32>) {
// CHECK-NEXT: ^bb0(%{{.+}}: tensor<i32>, %{{.+}}: tensor<3xf32>, %{{.+}}: tensor<3xf32>):
// CHECK-NEXT: %[[N:.+]] = dlm.add
// CHECK-NEXT: dlm.yield %[[N]] : tensor<3xf32>
func.func @what_nobody_reads_goes(%x: tensor<5x3xf32>, %y: tensor<5x3xf32>, %s: tensor<3xf32>)
    -> tensor<3xf32> {
  %0:4 = dlm.scan trips 5 init(%s, %s : tensor<3xf32>, tensor<3xf32>)
      over(%x, %y : tensor<5x3xf32>, tensor<5x3xf32>) capture(%s : tensor<3xf32>)
      -> (tensor<3xf32>, tensor<3xf32>, tensor<5x3xf32>, tensor<5x3xf32>) {
  ^bb0(%k: tensor<i32>, %a: tensor<3xf32>, %b: tensor<3xf32>, %p: tensor<3xf32>,
       %q: tensor<3xf32>, %c: tensor<3xf32>):
    %1 = dlm.add %a, %p : tensor<3xf32>
    %2 = dlm.mul %b, %c : tensor<3xf32>
    %3 = dlm.add %2, %q : tensor<3xf32>
    %4 = dlm.exp %3 : tensor<3xf32>
    dlm.yield %1, %3, %3, %4 : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
  }
  return %0#0 : tensor<3xf32>
}

// The second state is read by the first, so it stays although its last value is not read.
// CHECK-LABEL: func.func @what_another_state_reads_stays
// CHECK: dlm.scan trips 5 init(%{{.+}}, %{{.+}} : tensor<3xf32>, tensor<3xf32>)
func.func @what_another_state_reads_stays(%s: tensor<3xf32>, %t: tensor<3xf32>) -> tensor<3xf32> {
  %0:2 = dlm.scan trips 5 init(%s, %t : tensor<3xf32>, tensor<3xf32>) over() capture()
      -> (tensor<3xf32>, tensor<3xf32>) {
  ^bb0(%k: tensor<i32>, %a: tensor<3xf32>, %b: tensor<3xf32>):
    %1 = dlm.add %a, %b : tensor<3xf32>
    %2 = dlm.exp %b : tensor<3xf32>
    dlm.yield %1, %2 : tensor<3xf32>, tensor<3xf32>
  }
  return %0#0 : tensor<3xf32>
}

// An earlier loop need not write what a later one does not read.
// CHECK-LABEL: func.func @from_the_last_loop_to_the_first
// CHECK: dlm.scan trips 5 init(%{{.+}} : tensor<3xf32>) over() capture() -> (tensor<3xf32>) {
// CHECK: dlm.scan trips 5 init(%{{.+}} : tensor<3xf32>) over() capture() -> (tensor<3xf32>) {
func.func @from_the_last_loop_to_the_first(%s: tensor<3xf32>) -> tensor<3xf32> {
  %0:2 = dlm.scan trips 5 init(%s : tensor<3xf32>) over() capture()
      -> (tensor<3xf32>, tensor<5x3xf32>) {
  ^bb0(%k: tensor<i32>, %a: tensor<3xf32>):
    %1 = dlm.exp %a : tensor<3xf32>
    dlm.yield %1, %a : tensor<3xf32>, tensor<3xf32>
  }
  %2 = dlm.neg %0#1 : tensor<5x3xf32>
  %3:2 = dlm.scan trips 5 init(%0#0 : tensor<3xf32>) over(%2 : tensor<5x3xf32>) capture()
      -> (tensor<3xf32>, tensor<5x3xf32>) {
  ^bb0(%k: tensor<i32>, %a: tensor<3xf32>, %p: tensor<3xf32>):
    %4 = dlm.tanh %a : tensor<3xf32>
    dlm.yield %4, %p : tensor<3xf32>, tensor<3xf32>
  }
  return %3#0 : tensor<3xf32>
}

// CHECK-LABEL: func.func @a_state_that_stays_is_a_capture
// CHECK-SAME: (%[[S:.+]]: tensor<3xf32>, %[[T:.+]]: tensor<3xf32>)
// CHECK: %[[R:.+]] = dlm.scan trips 5 init(%[[S]] : tensor<3xf32>) over() capture(%[[T]] :
// CHECK: return %[[R]], %[[T]]
func.func @a_state_that_stays_is_a_capture(%s: tensor<3xf32>, %t: tensor<3xf32>)
    -> (tensor<3xf32>, tensor<3xf32>) {
  %0:2 = dlm.scan trips 5 init(%s, %t : tensor<3xf32>, tensor<3xf32>) over() capture()
      -> (tensor<3xf32>, tensor<3xf32>) {
  ^bb0(%k: tensor<i32>, %a: tensor<3xf32>, %b: tensor<3xf32>):
    %1 = dlm.add %a, %b : tensor<3xf32>
    dlm.yield %1, %b : tensor<3xf32>, tensor<3xf32>
  }
  return %0#0, %0#1 : tensor<3xf32>, tensor<3xf32>
}

// Constants, and what repeats one value for each trip, stand in the body; what is given twice is
// given once.
// CHECK-LABEL: func.func @constants_stand_in_the_body
// CHECK-SAME: (%[[S:[^:]+]]: tensor<3xf32>, %[[T:[^:]+]]: tensor<3xf32>)
// CHECK: dlm.scan trips 5 init(%[[S]] : tensor<3xf32>) over() capture(%[[T]] : tensor<3xf32>)
// CHECK-NEXT: ^bb0
// CHECK-DAG: dlm.constant dense<2.0{{.*}}> : tensor<3xf32>
// CHECK-DAG: dlm.constant dense<3.0{{.*}}> : tensor<3xf32>
func.func @constants_stand_in_the_body(%s: tensor<3xf32>, %t: tensor<3xf32>) -> tensor<3xf32> {
  %two = dlm.constant dense<2.0> : tensor<3xf32>
  %three = dlm.constant dense<3.0> : tensor<5x3xf32>
  %all = dlm.broadcast %t dims [1] : tensor<3xf32> -> tensor<5x3xf32>
  %0 = dlm.scan trips 5 init(%s : tensor<3xf32>)
      over(%three, %all : tensor<5x3xf32>, tensor<5x3xf32>)
      capture(%two, %t, %t : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<3xf32>) {
  ^bb0(%k: tensor<i32>, %a: tensor<3xf32>, %p: tensor<3xf32>, %q: tensor<3xf32>,
       %b: tensor<3xf32>, %c: tensor<3xf32>, %d: tensor<3xf32>):
    %1 = dlm.mul %a, %b : tensor<3xf32>
    %2 = dlm.mul %1, %p : tensor<3xf32>
    %3 = dlm.mul %2, %q : tensor<3xf32>
    %4 = dlm.mul %3, %c : tensor<3xf32>
    %5 = dlm.mul %4, %d : tensor<3xf32>
    dlm.yield %5 : tensor<3xf32>
  }
  return %0 : tensor<3xf32>
}

// Outputs that the loop only passes on come from where it has them.
// CHECK-LABEL: func.func @outputs_that_are_known
// CHECK-SAME: (%[[X:[^:]+]]: tensor<5x3xf32>, %[[S:[^:]+]]: tensor<3xf32>,
// CHECK-SAME: %[[T:[^:]+]]: tensor<3xf32>)
// CHECK-DAG: %[[R:.+]]:2 = dlm.scan trips 5
// CHECK-DAG: %[[B:.+]] = dlm.broadcast %[[T]] dims [1] : tensor<3xf32> -> tensor<5x3xf32>
// CHECK: return %[[R]]#0, %[[R]]#1, %[[R]]#1, %[[X]], %[[B]]
func.func @outputs_that_are_known(%x: tensor<5x3xf32>, %s: tensor<3xf32>, %t: tensor<3xf32>)
    -> (tensor<3xf32>, tensor<5x3xf32>, tensor<5x3xf32>, tensor<5x3xf32>, tensor<5x3xf32>) {
  %0:5 = dlm.scan trips 5 init(%s : tensor<3xf32>) over(%x : tensor<5x3xf32>)
      capture(%t : tensor<3xf32>)
      -> (tensor<3xf32>, tensor<5x3xf32>, tensor<5x3xf32>, tensor<5x3xf32>, tensor<5x3xf32>) {
  ^bb0(%k: tensor<i32>, %a: tensor<3xf32>, %p: tensor<3xf32>, %c: tensor<3xf32>):
    %1 = dlm.add %a, %p : tensor<3xf32>
    dlm.yield %1, %a, %a, %p, %c
        : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
  }
  return %0#0, %0#1, %0#2, %0#3, %0#4
      : tensor<3xf32>, tensor<5x3xf32>, tensor<5x3xf32>, tensor<5x3xf32>, tensor<5x3xf32>
}

// CHECK-LABEL: func.func @one_trip_is_the_body
// CHECK-NOT: dlm.scan
// CHECK: %[[K:.+]] = dlm.constant dense<0> : tensor<i32>
// CHECK: %[[P:.+]] = dlm.reshape %{{.+}} : tensor<1x3xf32> -> tensor<3xf32>
// CHECK: %[[N:.+]] = dlm.add %{{.+}}, %[[P]]
// CHECK: %[[O:.+]] = dlm.reshape %[[N]] : tensor<3xf32> -> tensor<1x3xf32>
// CHECK: return %[[N]], %[[O]]
func.func @one_trip_is_the_body(%x: tensor<1x3xf32>, %s: tensor<3xf32>)
    -> (tensor<3xf32>, tensor<1x3xf32>, tensor<1xi32>) {
  %0:3 = dlm.scan trips 1 reverse init(%s : tensor<3xf32>) over(%x : tensor<1x3xf32>) capture()
      -> (tensor<3xf32>, tensor<1x3xf32>, tensor<1xi32>) {
  ^bb0(%k: tensor<i32>, %a: tensor<3xf32>, %p: tensor<3xf32>):
    %1 = dlm.add %a, %p : tensor<3xf32>
    dlm.yield %1, %1, %k : tensor<3xf32>, tensor<3xf32>, tensor<i32>
  }
  return %0#0, %0#1, %0#2 : tensor<3xf32>, tensor<1x3xf32>, tensor<1xi32>
}
