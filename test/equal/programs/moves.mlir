// Parts, joins and choices by index, one function for each way they meet other ops in a kernel.

// Parts at inner and outer dims, read by one element-wise kernel.
func.func @parts(%a: tensor<7x30xf32> {dlm.buffer = "parts.a"})
    -> (tensor<5x10xf32> {dlm.buffer = "parts.sum"},
        tensor<7x1xf32> {dlm.buffer = "parts.column"}) {
  %x = dlm.slice %a begins [0, 0] : tensor<7x30xf32> -> tensor<5x10xf32>
  %y = dlm.slice %a begins [2, 20] : tensor<7x30xf32> -> tensor<5x10xf32>
  %s = dlm.add %x, %y : tensor<5x10xf32>
  %c = dlm.slice %a begins [0, 29] : tensor<7x30xf32> -> tensor<7x1xf32>
  %n = dlm.neg %c : tensor<7x1xf32>
  return %s, %n : tensor<5x10xf32>, tensor<7x1xf32>
}

// Three projections out of one, each cut into heads: a part whose dim is two dims afterwards.
func.func @heads(%a: tensor<4x5x24xf32> {dlm.buffer = "heads.a"})
    -> (tensor<4x2x5x4xf32> {dlm.buffer = "heads.out"}) {
  %k = dlm.slice %a begins [0, 0, 8] : tensor<4x5x24xf32> -> tensor<4x5x8xf32>
  %h = dlm.reshape %k : tensor<4x5x8xf32> -> tensor<4x5x2x4xf32>
  %t = dlm.transpose %h permutation [0, 2, 1, 3] : tensor<4x5x2x4xf32> -> tensor<4x2x5x4xf32>
  %e = dlm.exp %t : tensor<4x2x5x4xf32>
  return %e : tensor<4x2x5x4xf32>
}

// Turned around in place: what is read may not be overwritten before.
func.func @flip_in_place(%a: tensor<6x45xf32> {dlm.buffer = "flip.a"})
    -> (tensor<6x45xf32> {dlm.buffer = "flip.a"}, tensor<6x45xf32> {dlm.buffer = "flip.rows"}) {
  %f = dlm.flip %a dims [0, 1] : tensor<6x45xf32>
  %t = dlm.tanh %f : tensor<6x45xf32>
  %r = dlm.flip %a dims [0] : tensor<6x45xf32>
  return %t, %r : tensor<6x45xf32>, tensor<6x45xf32>
}

// Widths around images, of several element types.
func.func @pads(%a: tensor<3x4x5x2xf32> {dlm.buffer = "pads.a"},
    %m: tensor<3x4xi1> {dlm.buffer = "pads.m"}, %n: tensor<9xi64> {dlm.buffer = "pads.n"},
    %u: tensor<9xui8> {dlm.buffer = "pads.u"})
    -> (tensor<3x6x8x2xf32> {dlm.buffer = "pads.images"}, tensor<3x7xi1> {dlm.buffer = "pads.mask"},
        tensor<12xi64> {dlm.buffer = "pads.numbers"}, tensor<12xui8> {dlm.buffer = "pads.bytes"}) {
  %p = dlm.pad %a low [0, 1, 1, 0] value -1.5 : tensor<3x4x5x2xf32> -> tensor<3x6x8x2xf32>
  %s = dlm.mul %p, %p : tensor<3x6x8x2xf32>
  %q = dlm.pad %m low [0, 2] value 1.0 : tensor<3x4xi1> -> tensor<3x7xi1>
  %k = dlm.pad %n low [3] value -7.0 : tensor<9xi64> -> tensor<12xi64>
  %b = dlm.pad %u low [0] value 200.0 : tensor<9xui8> -> tensor<12xui8>
  return %s, %q, %k, %b : tensor<3x6x8x2xf32>, tensor<3x7xi1>, tensor<12xi64>, tensor<12xui8>
}

// A division of whole numbers may not see the zeros outside.
func.func @division_before_a_pad(%a: tensor<5xi32> {dlm.buffer = "division.a"})
    -> (tensor<9xi32> {dlm.buffer = "division.out"}) {
  %one = dlm.constant dense<11> : tensor<5xi32>
  %b = dlm.add %a, %one : tensor<5xi32>
  %d = dlm.div %one, %b : tensor<5xi32>
  %p = dlm.pad %d low [2] value 3.0 : tensor<5xi32> -> tensor<9xi32>
  return %p : tensor<9xi32>
}

// Joins of computed values along the inner and the outer dim, reduced at once.
func.func @joins(%a: tensor<6x13xf32> {dlm.buffer = "joins.a"},
    %b: tensor<6x4xf32> {dlm.buffer = "joins.b"}, %c: tensor<6x1xf32> {dlm.buffer = "joins.c"})
    -> (tensor<6xf32> {dlm.buffer = "joins.sum"}, tensor<12x13xf32> {dlm.buffer = "joins.rows"}) {
  %e = dlm.exp %b : tensor<6x4xf32>
  %j = dlm.concat %a, %e, %c dim 1
      : tensor<6x13xf32>, tensor<6x4xf32>, tensor<6x1xf32> -> tensor<6x18xf32>
  %s = dlm.reduce add %j dims [1] {tree = #dlm.tree<lanes = 128, chunk = 2048>}
      : tensor<6x18xf32> -> tensor<6xf32>
  %n = dlm.neg %a : tensor<6x13xf32>
  %r = dlm.concat %a, %n dim 0 : tensor<6x13xf32>, tensor<6x13xf32> -> tensor<12x13xf32>
  return %s, %r : tensor<6xf32>, tensor<12x13xf32>
}

// A roll is a join of two parts; many in a row would double their text each time.
func.func @rolls(%a: tensor<5x64xf32> {dlm.buffer = "rolls.a"})
    -> (tensor<5x64xf32> {dlm.buffer = "rolls.out"}) {
  %h0 = dlm.slice %a begins [0, 63] : tensor<5x64xf32> -> tensor<5x1xf32>
  %t0 = dlm.slice %a begins [0, 0] : tensor<5x64xf32> -> tensor<5x63xf32>
  %r0 = dlm.concat %h0, %t0 dim 1 : tensor<5x1xf32>, tensor<5x63xf32> -> tensor<5x64xf32>
  %s0 = dlm.add %a, %r0 : tensor<5x64xf32>
  %h1 = dlm.slice %s0 begins [0, 62] : tensor<5x64xf32> -> tensor<5x2xf32>
  %t1 = dlm.slice %s0 begins [0, 0] : tensor<5x64xf32> -> tensor<5x62xf32>
  %r1 = dlm.concat %h1, %t1 dim 1 : tensor<5x2xf32>, tensor<5x62xf32> -> tensor<5x64xf32>
  %s1 = dlm.add %s0, %r1 : tensor<5x64xf32>
  %h2 = dlm.slice %s1 begins [0, 60] : tensor<5x64xf32> -> tensor<5x4xf32>
  %t2 = dlm.slice %s1 begins [0, 0] : tensor<5x64xf32> -> tensor<5x60xf32>
  %r2 = dlm.concat %h2, %t2 dim 1 : tensor<5x4xf32>, tensor<5x60xf32> -> tensor<5x64xf32>
  %h3 = dlm.slice %r2 begins [0, 56] : tensor<5x64xf32> -> tensor<5x8xf32>
  %t3 = dlm.slice %r2 begins [0, 0] : tensor<5x64xf32> -> tensor<5x56xf32>
  %r3 = dlm.concat %h3, %t3 dim 1 : tensor<5x8xf32>, tensor<5x56xf32> -> tensor<5x64xf32>
  return %r3 : tensor<5x64xf32>
}

// Ten steps stacked along the second dim: a pack and a transpose.
func.func @stack(%a: tensor<3x1x4xf32> {dlm.buffer = "stack.a"},
    %b: tensor<3x2x4xf32> {dlm.buffer = "stack.b"})
    -> (tensor<3x13x4xf32> {dlm.buffer = "stack.out"}) {
  %e = dlm.exp %a : tensor<3x1x4xf32>
  %j = dlm.concat %a, %b, %e, %a, %b, %e, %a, %b, %e, %a dim 1
      : tensor<3x1x4xf32>, tensor<3x2x4xf32>, tensor<3x1x4xf32>, tensor<3x1x4xf32>,
        tensor<3x2x4xf32>, tensor<3x1x4xf32>, tensor<3x1x4xf32>, tensor<3x2x4xf32>,
        tensor<3x1x4xf32>, tensor<3x1x4xf32> -> tensor<3x13x4xf32>
  %n = dlm.neg %j : tensor<3x13x4xf32>
  return %n : tensor<3x13x4xf32>
}

// Rows of a table, some by ids that are no index, then normalised; and the gradient of the table.
func.func @embedding(%t: tensor<9x20xf32> {dlm.buffer = "embedding.table"},
    %ids: tensor<4x6xi32> {dlm.buffer = "embedding.ids"},
    %p: tensor<6x20xf32> {dlm.buffer = "embedding.places"},
    %g: tensor<4x6x20xf32> {dlm.buffer = "embedding.g"})
    -> (tensor<4x6xf32> {dlm.buffer = "embedding.norm"},
        tensor<9x20xf32> {dlm.buffer = "embedding.gradient"}) {
  %x = dlm.gather %t, %ids dim 0 : tensor<9x20xf32>, tensor<4x6xi32> -> tensor<4x6x20xf32>
  %q = dlm.broadcast %p dims [1, 2] : tensor<6x20xf32> -> tensor<4x6x20xf32>
  %s = dlm.add %x, %q : tensor<4x6x20xf32>
  %m = dlm.mul %s, %s : tensor<4x6x20xf32>
  %r = dlm.reduce add %m dims [2] {tree = #dlm.tree<lanes = 128, chunk = 2048>}
      : tensor<4x6x20xf32> -> tensor<4x6xf32>
  %w = dlm.scatter_add %g, %ids dim 0
      : tensor<4x6x20xf32>, tensor<4x6xi32> -> tensor<9x20xf32>
  return %r, %w : tensor<4x6xf32>, tensor<9x20xf32>
}

// Elements by ids of each sample, of bytes and numbers.
func.func @by_sample(%x: tensor<5x7x3xf32> {dlm.buffer = "by_sample.x"},
    %k: tensor<5x10xi64> {dlm.buffer = "by_sample.k"},
    %u: tensor<5x2xui8> {dlm.buffer = "by_sample.u"},
    %n: tensor<5x2xi64> {dlm.buffer = "by_sample.n"})
    -> (tensor<5x2x3xf32> {dlm.buffer = "by_sample.out"},
        tensor<5x2xi64> {dlm.buffer = "by_sample.numbers"},
        tensor<5x7x3xf32> {dlm.buffer = "by_sample.sums"}) {
  %o = dlm.gather %x, %n dim 1 : tensor<5x7x3xf32>, tensor<5x2xi64> -> tensor<5x2x3xf32>
  %s = dlm.sin %o : tensor<5x2x3xf32>
  %i = dlm.gather %k, %u dim 1 : tensor<5x10xi64>, tensor<5x2xui8> -> tensor<5x2xi64>
  %w = dlm.scatter_add %s, %n dim 1 : tensor<5x2x3xf32>, tensor<5x2xi64> -> tensor<5x7x3xf32>
  return %s, %i, %w : tensor<5x2x3xf32>, tensor<5x2xi64>, tensor<5x7x3xf32>
}

// A sum by ids of what is computed on the way: a broadcast and a scale.
func.func @sums_of_text(%g: tensor<40xf32> {dlm.buffer = "sums_of_text.g"},
    %ids: tensor<40xi32> {dlm.buffer = "sums_of_text.ids"})
    -> (tensor<300xf32> {dlm.buffer = "sums_of_text.one"},
        tensor<5x8xf32> {dlm.buffer = "sums_of_text.many"}) {
  %two = dlm.constant dense<2.0> : tensor<40xf32>
  %h = dlm.mul %g, %two : tensor<40xf32>
  %s = dlm.scatter_add %h, %ids dim 0 : tensor<40xf32>, tensor<40xi32> -> tensor<300xf32>
  %b = dlm.broadcast %h dims [0] : tensor<40xf32> -> tensor<40x8xf32>
  %t = dlm.scatter_add %b, %ids dim 0 : tensor<40x8xf32>, tensor<40xi32> -> tensor<5x8xf32>
  return %s, %t : tensor<300xf32>, tensor<5x8xf32>
}
