// Loops: one trip, two, a prime number of them, and from the end; states that stay, change places,
// are outputs, or begin with what others read as well; loops in loops, and behind loops; products,
// reductions, whole numbers and truth values in a body.

// A running sum, and of each trip what it began with and what it ended with.
func.func @grad(%x: tensor<7x3xf32> {dlm.buffer = "batch.x"},
    %s: tensor<3xf32> {dlm.buffer = "s"})
    -> (tensor<3xf32> {dlm.buffer = "last"}, tensor<7x3xf32> {dlm.buffer = "before"},
        tensor<7x3xf32> {dlm.buffer = "after"})
    attributes {dlm.program = "grad", dlm.rows = 7 : i64} {
  %0:3 = dlm.scan trips 7 init(%s : tensor<3xf32>) over(%x : tensor<7x3xf32>) capture()
      -> (tensor<3xf32>, tensor<7x3xf32>, tensor<7x3xf32>) {
  ^bb0(%k: tensor<i32>, %sum: tensor<3xf32>, %each: tensor<3xf32>):
    %next = dlm.add %sum, %each : tensor<3xf32>
    dlm.yield %next, %sum, %next : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
  }
  return %0#0, %0#1, %0#2 : tensor<3xf32>, tensor<7x3xf32>, tensor<7x3xf32>
}

func.func @run_1(%x: tensor<1x4x3xf32> {dlm.buffer = "run_1.x"},
    %h: tensor<4x5xf32> {dlm.buffer = "run_1.h"},
    %u: tensor<3x5xf32> {dlm.buffer = "run_1.u"},
    %w: tensor<5x5xf32> {dlm.buffer = "run_1.w"},
    %b: tensor<5xf32> {dlm.buffer = "run_1.b"})
    -> (tensor<4x5xf32> {dlm.buffer = "run_1.h"},
        tensor<1x4x5xf32> {dlm.buffer = "run_1.y"})
    attributes {dlm.program = "run_1", dlm.rows = 0 : i64} {
  %0:2 = dlm.scan trips 1 init(%h : tensor<4x5xf32>) over(%x : tensor<1x4x3xf32>)
      capture(%u, %w, %b : tensor<3x5xf32>, tensor<5x5xf32>, tensor<5xf32>)
      -> (tensor<4x5xf32>, tensor<1x4x5xf32>) {
  ^bb0(%k: tensor<i32>, %old: tensor<4x5xf32>, %each: tensor<4x3xf32>, %in: tensor<3x5xf32>,
       %again: tensor<5x5xf32>, %shift: tensor<5xf32>):
    %1 = dlm.matmul %each, %in {chain = #dlm.chain<splits = 1>}
        : tensor<4x3xf32>, tensor<3x5xf32> -> tensor<4x5xf32>
    %2 = dlm.matmul %old, %again {chain = #dlm.chain<splits = 1>}
        : tensor<4x5xf32>, tensor<5x5xf32> -> tensor<4x5xf32>
    %3 = dlm.add %1, %2 : tensor<4x5xf32>
    %4 = dlm.broadcast %shift dims [1] : tensor<5xf32> -> tensor<4x5xf32>
    %5 = dlm.add %3, %4 : tensor<4x5xf32>
    %6 = dlm.tanh %5 : tensor<4x5xf32>
    dlm.yield %6, %6 : tensor<4x5xf32>, tensor<4x5xf32>
  }
  return %0#0, %0#1 : tensor<4x5xf32>, tensor<1x4x5xf32>
}

func.func @run_2(%x: tensor<2x4x3xf32> {dlm.buffer = "run_2.x"},
    %h: tensor<4x5xf32> {dlm.buffer = "run_2.h"},
    %u: tensor<3x5xf32> {dlm.buffer = "run_2.u"},
    %w: tensor<5x5xf32> {dlm.buffer = "run_2.w"},
    %b: tensor<5xf32> {dlm.buffer = "run_2.b"})
    -> (tensor<4x5xf32> {dlm.buffer = "run_2.h"},
        tensor<2x4x5xf32> {dlm.buffer = "run_2.y"})
    attributes {dlm.program = "run_2", dlm.rows = 0 : i64} {
  %0:2 = dlm.scan trips 2 init(%h : tensor<4x5xf32>) over(%x : tensor<2x4x3xf32>)
      capture(%u, %w, %b : tensor<3x5xf32>, tensor<5x5xf32>, tensor<5xf32>)
      -> (tensor<4x5xf32>, tensor<2x4x5xf32>) {
  ^bb0(%k: tensor<i32>, %old: tensor<4x5xf32>, %each: tensor<4x3xf32>, %in: tensor<3x5xf32>,
       %again: tensor<5x5xf32>, %shift: tensor<5xf32>):
    %1 = dlm.matmul %each, %in {chain = #dlm.chain<splits = 1>}
        : tensor<4x3xf32>, tensor<3x5xf32> -> tensor<4x5xf32>
    %2 = dlm.matmul %old, %again {chain = #dlm.chain<splits = 1>}
        : tensor<4x5xf32>, tensor<5x5xf32> -> tensor<4x5xf32>
    %3 = dlm.add %1, %2 : tensor<4x5xf32>
    %4 = dlm.broadcast %shift dims [1] : tensor<5xf32> -> tensor<4x5xf32>
    %5 = dlm.add %3, %4 : tensor<4x5xf32>
    %6 = dlm.tanh %5 : tensor<4x5xf32>
    dlm.yield %6, %6 : tensor<4x5xf32>, tensor<4x5xf32>
  }
  return %0#0, %0#1 : tensor<4x5xf32>, tensor<2x4x5xf32>
}

func.func @run_1reverse(%x: tensor<1x4x3xf32> {dlm.buffer = "run_1reverse.x"},
    %h: tensor<4x5xf32> {dlm.buffer = "run_1reverse.h"},
    %u: tensor<3x5xf32> {dlm.buffer = "run_1reverse.u"},
    %w: tensor<5x5xf32> {dlm.buffer = "run_1reverse.w"},
    %b: tensor<5xf32> {dlm.buffer = "run_1reverse.b"})
    -> (tensor<4x5xf32> {dlm.buffer = "run_1reverse.h"},
        tensor<1x4x5xf32> {dlm.buffer = "run_1reverse.y"})
    attributes {dlm.program = "run_1reverse", dlm.rows = 0 : i64} {
  %0:2 = dlm.scan trips 1 reverse init(%h : tensor<4x5xf32>) over(%x : tensor<1x4x3xf32>)
      capture(%u, %w, %b : tensor<3x5xf32>, tensor<5x5xf32>, tensor<5xf32>)
      -> (tensor<4x5xf32>, tensor<1x4x5xf32>) {
  ^bb0(%k: tensor<i32>, %old: tensor<4x5xf32>, %each: tensor<4x3xf32>, %in: tensor<3x5xf32>,
       %again: tensor<5x5xf32>, %shift: tensor<5xf32>):
    %1 = dlm.matmul %each, %in {chain = #dlm.chain<splits = 1>}
        : tensor<4x3xf32>, tensor<3x5xf32> -> tensor<4x5xf32>
    %2 = dlm.matmul %old, %again {chain = #dlm.chain<splits = 1>}
        : tensor<4x5xf32>, tensor<5x5xf32> -> tensor<4x5xf32>
    %3 = dlm.add %1, %2 : tensor<4x5xf32>
    %4 = dlm.broadcast %shift dims [1] : tensor<5xf32> -> tensor<4x5xf32>
    %5 = dlm.add %3, %4 : tensor<4x5xf32>
    %6 = dlm.tanh %5 : tensor<4x5xf32>
    dlm.yield %6, %6 : tensor<4x5xf32>, tensor<4x5xf32>
  }
  return %0#0, %0#1 : tensor<4x5xf32>, tensor<1x4x5xf32>
}

func.func @run_5reverse(%x: tensor<5x4x3xf32> {dlm.buffer = "run_5reverse.x"},
    %h: tensor<4x5xf32> {dlm.buffer = "run_5reverse.h"},
    %u: tensor<3x5xf32> {dlm.buffer = "run_5reverse.u"},
    %w: tensor<5x5xf32> {dlm.buffer = "run_5reverse.w"},
    %b: tensor<5xf32> {dlm.buffer = "run_5reverse.b"})
    -> (tensor<4x5xf32> {dlm.buffer = "run_5reverse.h"},
        tensor<5x4x5xf32> {dlm.buffer = "run_5reverse.y"})
    attributes {dlm.program = "run_5reverse", dlm.rows = 0 : i64} {
  %0:2 = dlm.scan trips 5 reverse init(%h : tensor<4x5xf32>) over(%x : tensor<5x4x3xf32>)
      capture(%u, %w, %b : tensor<3x5xf32>, tensor<5x5xf32>, tensor<5xf32>)
      -> (tensor<4x5xf32>, tensor<5x4x5xf32>) {
  ^bb0(%k: tensor<i32>, %old: tensor<4x5xf32>, %each: tensor<4x3xf32>, %in: tensor<3x5xf32>,
       %again: tensor<5x5xf32>, %shift: tensor<5xf32>):
    %1 = dlm.matmul %each, %in {chain = #dlm.chain<splits = 1>}
        : tensor<4x3xf32>, tensor<3x5xf32> -> tensor<4x5xf32>
    %2 = dlm.matmul %old, %again {chain = #dlm.chain<splits = 1>}
        : tensor<4x5xf32>, tensor<5x5xf32> -> tensor<4x5xf32>
    %3 = dlm.add %1, %2 : tensor<4x5xf32>
    %4 = dlm.broadcast %shift dims [1] : tensor<5xf32> -> tensor<4x5xf32>
    %5 = dlm.add %3, %4 : tensor<4x5xf32>
    %6 = dlm.tanh %5 : tensor<4x5xf32>
    dlm.yield %6, %6 : tensor<4x5xf32>, tensor<4x5xf32>
  }
  return %0#0, %0#1 : tensor<4x5xf32>, tensor<5x4x5xf32>
}

// A state that a product makes of itself; nothing may be overwritten too early.
func.func @powers(%m: tensor<4x4xf32> {dlm.buffer = "powers.m"})
    -> (tensor<4x4xf32> {dlm.buffer = "powers.last"}, tensor<3x4x4xf32> {dlm.buffer = "powers.all"})
    attributes {dlm.program = "powers", dlm.rows = 0 : i64} {
  %0:2 = dlm.scan trips 3 init(%m : tensor<4x4xf32>) over() capture(%m : tensor<4x4xf32>)
      -> (tensor<4x4xf32>, tensor<3x4x4xf32>) {
  ^bb0(%k: tensor<i32>, %old: tensor<4x4xf32>, %first: tensor<4x4xf32>):
    %1 = dlm.matmul %old, %first transposeRhs {chain = #dlm.chain<splits = 1>}
        : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32>
    dlm.yield %1, %old : tensor<4x4xf32>, tensor<4x4xf32>
  }
  return %0#0, %0#1 : tensor<4x4xf32>, tensor<3x4x4xf32>
}

// Two states change places, one stays, and one is made of two others that are read later on.
func.func @places(%a: tensor<9xf32> {dlm.buffer = "places.a"},
    %b: tensor<9xf32> {dlm.buffer = "places.b"}, %c: tensor<9xf32> {dlm.buffer = "places.c"})
    -> (tensor<9xf32> {dlm.buffer = "places.a"}, tensor<9xf32> {dlm.buffer = "places.b"},
        tensor<9xf32> {dlm.buffer = "places.same"}, tensor<9xf32> {dlm.buffer = "places.d"},
        tensor<5x9xf32> {dlm.buffer = "places.all"})
    attributes {dlm.program = "places", dlm.rows = 0 : i64} {
  %0:5 = dlm.scan trips 5 init(%a, %b, %c, %a : tensor<9xf32>, tensor<9xf32>, tensor<9xf32>,
                                                tensor<9xf32>)
      over() capture(%b : tensor<9xf32>)
      -> (tensor<9xf32>, tensor<9xf32>, tensor<9xf32>, tensor<9xf32>, tensor<5x9xf32>) {
  ^bb0(%k: tensor<i32>, %p: tensor<9xf32>, %q: tensor<9xf32>, %same: tensor<9xf32>,
       %d: tensor<9xf32>, %e: tensor<9xf32>):
    %1 = dlm.sub %p, %q : tensor<9xf32>
    %2 = dlm.flip %d dims [0] : tensor<9xf32>
    %3 = dlm.add %1, %2 : tensor<9xf32>
    %4 = dlm.add %3, %e : tensor<9xf32>
    dlm.yield %q, %p, %same, %3, %4
        : tensor<9xf32>, tensor<9xf32>, tensor<9xf32>, tensor<9xf32>, tensor<9xf32>
  }
  return %0#0, %0#1, %0#2, %0#3, %0#4
      : tensor<9xf32>, tensor<9xf32>, tensor<9xf32>, tensor<9xf32>, tensor<5x9xf32>
}

// States of different sizes change places with parts of each other.
func.func @parts(%a: tensor<6xf32> {dlm.buffer = "parts.a"},
    %b: tensor<2x3xf32> {dlm.buffer = "parts.b"})
    -> (tensor<6xf32> {dlm.buffer = "parts.c"}, tensor<2x3xf32> {dlm.buffer = "parts.d"})
    attributes {dlm.program = "parts", dlm.rows = 0 : i64} {
  %0:2 = dlm.scan trips 3 init(%a, %b : tensor<6xf32>, tensor<2x3xf32>) over() capture()
      -> (tensor<6xf32>, tensor<2x3xf32>) {
  ^bb0(%k: tensor<i32>, %p: tensor<6xf32>, %q: tensor<2x3xf32>):
    %1 = dlm.reshape %q : tensor<2x3xf32> -> tensor<6xf32>
    %2 = dlm.segment %p offset 0 : tensor<6xf32> -> tensor<3xf32>
    %3 = dlm.segment %p offset 3 : tensor<6xf32> -> tensor<3xf32>
    %4 = dlm.pack %3, %2 offsets [0, 3] : tensor<3xf32>, tensor<3xf32> -> tensor<6xf32>
    %5 = dlm.reshape %4 : tensor<6xf32> -> tensor<2x3xf32>
    dlm.yield %1, %5 : tensor<6xf32>, tensor<2x3xf32>
  }
  return %0#0, %0#1 : tensor<6xf32>, tensor<2x3xf32>
}

// Nothing is carried: a map, from the end, with the number of the slice.
func.func @only_outputs(%x: tensor<5x3xf32> {dlm.buffer = "outputs.x"},
    %w: tensor<3xf32> {dlm.buffer = "outputs.w"})
    -> (tensor<5x3xf32> {dlm.buffer = "outputs.y"}, tensor<5xi32> {dlm.buffer = "outputs.k"},
        tensor<5xf32> {dlm.buffer = "outputs.sum"})
    attributes {dlm.program = "only_outputs", dlm.rows = 0 : i64} {
  %0:3 = dlm.scan trips 5 reverse init() over(%x : tensor<5x3xf32>) capture(%w : tensor<3xf32>)
      -> (tensor<5x3xf32>, tensor<5xi32>, tensor<5xf32>) {
  ^bb0(%k: tensor<i32>, %each: tensor<3xf32>, %scale: tensor<3xf32>):
    %1 = dlm.mul %each, %scale : tensor<3xf32>
    %2 = dlm.exp %1 : tensor<3xf32>
    %3 = dlm.reduce add %2 dims [0] {tree = #dlm.tree<lanes = 128, chunk = 2048>}
        : tensor<3xf32> -> tensor<f32>
    dlm.yield %2, %k, %3 : tensor<3xf32>, tensor<i32>, tensor<f32>
  }
  return %0#0, %0#1, %0#2 : tensor<5x3xf32>, tensor<5xi32>, tensor<5xf32>
}

// Whole numbers and truth values are carried.
func.func @numbers(%x: tensor<7x3xi32> {dlm.buffer = "numbers.x"},
    %n: tensor<3xi32> {dlm.buffer = "numbers.n"}, %f: tensor<3xi1> {dlm.buffer = "numbers.f"})
    -> (tensor<3xi32> {dlm.buffer = "numbers.n"}, tensor<3xi1> {dlm.buffer = "numbers.f"},
        tensor<7x3xi1> {dlm.buffer = "numbers.all"}, tensor<7x3xi32> {dlm.buffer = "numbers.max"})
    attributes {dlm.program = "numbers", dlm.rows = 0 : i64} {
  %0:4 = dlm.scan trips 7 init(%n, %f : tensor<3xi32>, tensor<3xi1>) over(%x : tensor<7x3xi32>)
      capture() -> (tensor<3xi32>, tensor<3xi1>, tensor<7x3xi1>, tensor<7x3xi32>) {
  ^bb0(%k: tensor<i32>, %most: tensor<3xi32>, %flag: tensor<3xi1>, %each: tensor<3xi32>):
    %1 = dlm.max %most, %each : tensor<3xi32>
    %2 = dlm.compare lt %most, %each : tensor<3xi32>
    %3 = dlm.broadcast %k dims [] : tensor<i32> -> tensor<3xi32>
    %4 = dlm.add %1, %3 : tensor<3xi32>
    %5 = dlm.select %flag, %4, %1 : tensor<3xi32>
    dlm.yield %5, %2, %flag, %1 : tensor<3xi32>, tensor<3xi1>, tensor<3xi1>, tensor<3xi32>
  }
  return %0#0, %0#1, %0#2, %0#3 : tensor<3xi32>, tensor<3xi1>, tensor<7x3xi1>, tensor<7x3xi32>
}

// A loop in a loop, which goes over slices of what the outer one carries, and gives it a slice.
func.func @nested(%x: tensor<3x4x2xf32> {dlm.buffer = "nested.x"},
    %s: tensor<2xf32> {dlm.buffer = "nested.s"}, %t: tensor<2xf32> {dlm.buffer = "nested.t"})
    -> (tensor<2xf32> {dlm.buffer = "nested.last"}, tensor<3x2xf32> {dlm.buffer = "nested.each"},
        tensor<3x4x2xf32> {dlm.buffer = "nested.all"}, tensor<3x4xi32> {dlm.buffer = "nested.k"})
    attributes {dlm.program = "nested", dlm.rows = 0 : i64} {
  %0:4 = dlm.scan trips 3 reverse init(%s : tensor<2xf32>) over(%x : tensor<3x4x2xf32>)
      capture(%t : tensor<2xf32>)
      -> (tensor<2xf32>, tensor<3x2xf32>, tensor<3x4x2xf32>, tensor<3x4xi32>) {
  ^bb0(%k: tensor<i32>, %outer: tensor<2xf32>, %row: tensor<4x2xf32>, %scale: tensor<2xf32>):
    %1:3 = dlm.scan trips 4 init(%outer : tensor<2xf32>) over(%row : tensor<4x2xf32>)
        capture(%scale, %k, %outer : tensor<2xf32>, tensor<i32>, tensor<2xf32>)
        -> (tensor<2xf32>, tensor<4x2xf32>, tensor<4xi32>) {
    ^bb0(%j: tensor<i32>, %inner: tensor<2xf32>, %each: tensor<2xf32>, %by: tensor<2xf32>,
         %i: tensor<i32>, %began: tensor<2xf32>):
      %2 = dlm.mul %inner, %by : tensor<2xf32>
      %3 = dlm.add %2, %each : tensor<2xf32>
      %4 = dlm.add %3, %began : tensor<2xf32>
      %5 = dlm.add %i, %j : tensor<i32>
      dlm.yield %3, %4, %5 : tensor<2xf32>, tensor<2xf32>, tensor<i32>
    }
    %6 = dlm.mul %1#0, %scale : tensor<2xf32>
    dlm.yield %6, %1#0, %1#1, %1#2 : tensor<2xf32>, tensor<2xf32>, tensor<4x2xf32>, tensor<4xi32>
  }
  return %0#0, %0#1, %0#2, %0#3
      : tensor<2xf32>, tensor<3x2xf32>, tensor<3x4x2xf32>, tensor<3x4xi32>
}

// Loops behind loops: the outputs of one are the slices of the next, the last state of one the
// first of another, which is read once more behind it.
func.func @chained(%x: tensor<5x2x3xf32> {dlm.buffer = "chained.x"},
    %w: tensor<3x3xf32> {dlm.buffer = "chained.w"})
    -> (tensor<2x3xf32> {dlm.buffer = "chained.last"}, tensor<5x2x3xf32> {dlm.buffer = "chained.y"},
        tensor<2x3xf32> {dlm.buffer = "chained.sum"}, tensor<12xf32> {dlm.buffer = "chained.flat"})
    attributes {dlm.program = "chained", dlm.rows = 0 : i64} {
  %zero = dlm.constant dense<0.0> : tensor<2x3xf32>
  %0:2 = dlm.scan trips 5 init(%zero : tensor<2x3xf32>) over(%x : tensor<5x2x3xf32>)
      capture(%w : tensor<3x3xf32>) -> (tensor<2x3xf32>, tensor<5x2x3xf32>) {
  ^bb0(%k: tensor<i32>, %h: tensor<2x3xf32>, %each: tensor<2x3xf32>, %m: tensor<3x3xf32>):
    %1 = dlm.matmul %h, %m {chain = #dlm.chain<splits = 1>}
        : tensor<2x3xf32>, tensor<3x3xf32> -> tensor<2x3xf32>
    %2 = dlm.add %1, %each : tensor<2x3xf32>
    dlm.yield %2, %2 : tensor<2x3xf32>, tensor<2x3xf32>
  }
  %3:2 = dlm.scan trips 5 reverse init(%0#0 : tensor<2x3xf32>) over(%0#1 : tensor<5x2x3xf32>)
      capture(%w : tensor<3x3xf32>) -> (tensor<2x3xf32>, tensor<5x2x3xf32>) {
  ^bb0(%k: tensor<i32>, %h: tensor<2x3xf32>, %each: tensor<2x3xf32>, %m: tensor<3x3xf32>):
    %4 = dlm.matmul %h, %m transposeRhs {chain = #dlm.chain<splits = 1>}
        : tensor<2x3xf32>, tensor<3x3xf32> -> tensor<2x3xf32>
    %5 = dlm.mul %4, %each : tensor<2x3xf32>
    %6 = dlm.tanh %5 : tensor<2x3xf32>
    dlm.yield %6, %5 : tensor<2x3xf32>, tensor<2x3xf32>
  }
  %7 = dlm.add %0#0, %3#0 : tensor<2x3xf32>
  %8 = dlm.scan trips 2 init(%3#0 : tensor<2x3xf32>) over() capture() -> (tensor<2x3xf32>) {
  ^bb0(%k: tensor<i32>, %h: tensor<2x3xf32>):
    %9 = dlm.exp %h : tensor<2x3xf32>
    dlm.yield %9 : tensor<2x3xf32>
  }
  %10 = dlm.reshape %8 : tensor<2x3xf32> -> tensor<6xf32>
  %11 = dlm.reshape %7 : tensor<2x3xf32> -> tensor<6xf32>
  %12 = dlm.pack %10, %11 offsets [0, 6] : tensor<6xf32>, tensor<6xf32> -> tensor<12xf32>
  return %3#0, %3#1, %7, %12 : tensor<2x3xf32>, tensor<5x2x3xf32>, tensor<2x3xf32>, tensor<12xf32>
}

// Large enough to be shared by all workers, with intermediate values of several sizes.
func.func @shared(%x: tensor<11x37x64xf32> {dlm.buffer = "shared.x"},
    %h: tensor<37x64xf32> {dlm.buffer = "shared.h"},
    %w: tensor<64x192xf32> {dlm.buffer = "shared.w"})
    -> (tensor<37x64xf32> {dlm.buffer = "shared.h"}, tensor<11x37xf32> {dlm.buffer = "shared.y"})
    attributes {dlm.program = "shared", dlm.rows = 0 : i64} {
  %0:2 = dlm.scan trips 11 init(%h : tensor<37x64xf32>) over(%x : tensor<11x37x64xf32>)
      capture(%w : tensor<64x192xf32>) -> (tensor<37x64xf32>, tensor<11x37xf32>) {
  ^bb0(%k: tensor<i32>, %old: tensor<37x64xf32>, %each: tensor<37x64xf32>, %m: tensor<64x192xf32>):
    %1 = dlm.add %old, %each : tensor<37x64xf32>
    %2 = dlm.matmul %1, %m {chain = #dlm.chain<splits = 1>}
        : tensor<37x64xf32>, tensor<64x192xf32> -> tensor<37x192xf32>
    %3 = dlm.slice %2 begins [0, 0] : tensor<37x192xf32> -> tensor<37x64xf32>
    %4 = dlm.slice %2 begins [0, 64] : tensor<37x192xf32> -> tensor<37x64xf32>
    %5 = dlm.slice %2 begins [0, 128] : tensor<37x192xf32> -> tensor<37x64xf32>
    %6 = dlm.tanh %3 : tensor<37x64xf32>
    %7 = dlm.mul %6, %4 : tensor<37x64xf32>
    %8 = dlm.tanh %5 : tensor<37x64xf32>
    %9 = dlm.add %7, %8 : tensor<37x64xf32>
    %10 = dlm.sub %9, %old : tensor<37x64xf32>
    %11 = dlm.reduce max %10 dims [1] {tree = #dlm.tree<lanes = 128, chunk = 2048>}
        : tensor<37x64xf32> -> tensor<37xf32>
    dlm.yield %10, %11 : tensor<37x64xf32>, tensor<37xf32>
  }
  return %0#0, %0#1 : tensor<37x64xf32>, tensor<11x37xf32>
}

// Three loops in each other, the innermost over slices of a slice, with its number, from the end.
func.func @deep(%x: tensor<2x3x2x5xf32> {dlm.buffer = "deep.x"},
    %s: tensor<5xf32> {dlm.buffer = "deep.s"})
    -> (tensor<2x3x2x5xf32> {dlm.buffer = "deep.all"}, tensor<2x3x2xi32> {dlm.buffer = "deep.k"},
        tensor<5xf32> {dlm.buffer = "deep.last"})
    attributes {dlm.program = "deep", dlm.rows = 0 : i64} {
  %0:3 = dlm.scan trips 2 init(%s : tensor<5xf32>) over(%x : tensor<2x3x2x5xf32>) capture()
      -> (tensor<5xf32>, tensor<2x3x2x5xf32>, tensor<2x3x2xi32>) {
  ^bb0(%i: tensor<i32>, %a: tensor<5xf32>, %p: tensor<3x2x5xf32>):
    %1:3 = dlm.scan trips 3 init(%a : tensor<5xf32>) over(%p : tensor<3x2x5xf32>)
        capture(%a : tensor<5xf32>) -> (tensor<5xf32>, tensor<3x2x5xf32>, tensor<3x2xi32>) {
    ^bb0(%j: tensor<i32>, %b: tensor<5xf32>, %q: tensor<2x5xf32>, %began: tensor<5xf32>):
      %2:3 = dlm.scan trips 2 reverse init(%b : tensor<5xf32>) over(%q : tensor<2x5xf32>)
          capture(%j, %began : tensor<i32>, tensor<5xf32>)
          -> (tensor<5xf32>, tensor<2x5xf32>, tensor<2xi32>) {
      ^bb0(%k: tensor<i32>, %c: tensor<5xf32>, %r: tensor<5xf32>, %outer: tensor<i32>,
           %d: tensor<5xf32>):
        %3 = dlm.mul %c, %r : tensor<5xf32>
        %4 = dlm.sub %3, %d : tensor<5xf32>
        %5 = dlm.add %outer, %k : tensor<i32>
        dlm.yield %4, %3, %5 : tensor<5xf32>, tensor<5xf32>, tensor<i32>
      }
      dlm.yield %2#0, %2#1, %2#2 : tensor<5xf32>, tensor<2x5xf32>, tensor<2xi32>
    }
    dlm.yield %1#0, %1#1, %1#2 : tensor<5xf32>, tensor<3x2x5xf32>, tensor<3x2xi32>
  }
  return %0#1, %0#2, %0#0 : tensor<2x3x2x5xf32>, tensor<2x3x2xi32>, tensor<5xf32>
}
