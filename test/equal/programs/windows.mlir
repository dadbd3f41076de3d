// Windows that move over tensors, the sums that undo them, and reductions of few elements.

// What a convolution multiplies, of one channel and of several, and with padding.
func.func @patches(%a: tensor<2x7x6x1xf32> {dlm.buffer = "patches.a"},
    %b: tensor<2x5x4x20xf32> {dlm.buffer = "patches.b"})
    -> (tensor<40x9xf32> {dlm.buffer = "patches.one"},
        tensor<2x3x2x3x2x20xf32> {dlm.buffer = "patches.many"}) {
  %w = dlm.windows %a dim 1 strides [1, 1] dilations [1, 1] low [0, 0]
      : tensor<2x7x6x1xf32> -> tensor<2x5x4x3x3x1xf32>
  %n = dlm.neg %w : tensor<2x5x4x3x3x1xf32>
  %r = dlm.reshape %n : tensor<2x5x4x3x3x1xf32> -> tensor<40x9xf32>
  %e = dlm.tanh %b : tensor<2x5x4x20xf32>
  %v = dlm.windows %e dim 1 strides [2, 3] dilations [1, 2] low [1, 1]
      : tensor<2x5x4x20xf32> -> tensor<2x3x2x3x2x20xf32>
  return %r, %v : tensor<40x9xf32>, tensor<2x3x2x3x2x20xf32>
}

// A window of the sum of two tensors with zeros around it, not of two with zeros.
func.func @padding_of_a_sum(%a: tensor<3x9x5xf32> {dlm.buffer = "padding.a"},
    %b: tensor<5xf32> {dlm.buffer = "padding.b"})
    -> (tensor<3x9x4x5xf32> {dlm.buffer = "padding.out"}) {
  %c = dlm.broadcast %b dims [2] : tensor<5xf32> -> tensor<3x9x5xf32>
  %s = dlm.add %a, %c : tensor<3x9x5xf32>
  %w = dlm.windows %s dim 1 strides [1] dilations [1] low [2]
      : tensor<3x9x5xf32> -> tensor<3x9x4x5xf32>
  return %w : tensor<3x9x4x5xf32>
}

// A pooling by maxima of what is computed on the way, and its gradient.
func.func @max_pool(%x: tensor<3x6x8x5xf32> {dlm.buffer = "max_pool.x"},
    %b: tensor<5xf32> {dlm.buffer = "max_pool.b"},
    %g: tensor<3x3x4x5xf32> {dlm.buffer = "max_pool.g"})
    -> (tensor<3x3x4x5xf32> {dlm.buffer = "max_pool.out"},
        tensor<3x6x8x5xf32> {dlm.buffer = "max_pool.gradient"}) {
  %c = dlm.broadcast %b dims [3] : tensor<5xf32> -> tensor<3x6x8x5xf32>
  %s = dlm.add %x, %c : tensor<3x6x8x5xf32>
  %y = dlm.relu %s : tensor<3x6x8x5xf32>
  %w = dlm.windows %y dim 1 strides [2, 2] dilations [1, 1] low [0, 0]
      : tensor<3x6x8x5xf32> -> tensor<3x3x4x2x2x5xf32>
  %m = dlm.reduce max %w dims [3, 4] toFirst {tree = #dlm.tree<lanes = 1, chunk = 64>}
      : tensor<3x3x4x2x2x5xf32> -> tensor<3x3x4x5xf32>
  %two = dlm.constant dense<2> : tensor<3x3x4x2x2x5xi32>
  %four = dlm.constant dense<4> : tensor<3x3x4x2x2x5xi32>
  %zero = dlm.constant dense<0.0> : tensor<3x3x4x2x2x5xf32>
  %i = dlm.iota dim 3 : tensor<3x3x4x2x2x5xi32>
  %j = dlm.iota dim 4 : tensor<3x3x4x2x2x5xi32>
  %h = dlm.mul %i, %two : tensor<3x3x4x2x2x5xi32>
  %n = dlm.add %h, %j : tensor<3x3x4x2x2x5xi32>
  %mm = dlm.broadcast %m dims [0, 1, 2, 5] : tensor<3x3x4x5xf32> -> tensor<3x3x4x2x2x5xf32>
  %at = dlm.compare eq %w, %mm : tensor<3x3x4x2x2x5xf32>
  %k = dlm.select %at, %n, %four : tensor<3x3x4x2x2x5xi32>
  %f = dlm.reduce min %k dims [3, 4] {tree = #dlm.tree<lanes = 1, chunk = 64>}
      : tensor<3x3x4x2x2x5xi32> -> tensor<3x3x4x5xi32>
  %ff = dlm.broadcast %f dims [0, 1, 2, 5] : tensor<3x3x4x5xi32> -> tensor<3x3x4x2x2x5xi32>
  %gg = dlm.broadcast %g dims [0, 1, 2, 5] : tensor<3x3x4x5xf32> -> tensor<3x3x4x2x2x5xf32>
  %is = dlm.compare eq %n, %ff : tensor<3x3x4x2x2x5xi32>
  %p = dlm.select %is, %gg, %zero : tensor<3x3x4x2x2x5xf32>
  %o = dlm.overlap_add %p dim 1 strides [2, 2] dilations [1, 1] low [0, 0]
      : tensor<3x3x4x2x2x5xf32> -> tensor<3x6x8x5xf32>
  return %m, %o : tensor<3x3x4x5xf32>, tensor<3x6x8x5xf32>
}

// Overlapping windows with less than every number around the tensor.
func.func @padded_max_pool(%x: tensor<2x5x7x3xf32> {dlm.buffer = "padded.x"})
    -> (tensor<2x3x4x3xf32> {dlm.buffer = "padded.out"}) {
  %p = dlm.pad %x low [0, 1, 1, 0] value 0xFFF0000000000000
      : tensor<2x5x7x3xf32> -> tensor<2x7x9x3xf32>
  %w = dlm.windows %p dim 1 strides [2, 2] dilations [1, 1] low [0, 0]
      : tensor<2x7x9x3xf32> -> tensor<2x3x4x3x3x3xf32>
  %m = dlm.reduce max %w dims [3, 4] {tree = #dlm.tree<lanes = 1, chunk = 64>}
      : tensor<2x3x4x3x3x3xf32> -> tensor<2x3x4x3xf32>
  return %m : tensor<2x3x4x3xf32>
}

// Sums of overlapping windows at every stride: none, a power of two, another number, dilated; along
// the inner dim; and what falls beside the result.
func.func @overlaps(%a: tensor<2x5x4x3x3x20xf32> {dlm.buffer = "overlaps.a"},
    %b: tensor<3x4x5x6xf32> {dlm.buffer = "overlaps.b"},
    %c: tensor<3x4x5xf32> {dlm.buffer = "overlaps.c"},
    %d: tensor<2x4x3x7xf32> {dlm.buffer = "overlaps.d"})
    -> (tensor<2x5x4x20xf32> {dlm.buffer = "overlaps.one"},
        tensor<3x9x6xf32> {dlm.buffer = "overlaps.two"},
        tensor<3x15xf32> {dlm.buffer = "overlaps.inner"},
        tensor<2x11x7xf32> {dlm.buffer = "overlaps.three"}) {
  %o = dlm.overlap_add %a dim 1 strides [1, 1] dilations [1, 1] low [1, 1]
      : tensor<2x5x4x3x3x20xf32> -> tensor<2x5x4x20xf32>
  %p = dlm.overlap_add %b dim 1 strides [2] dilations [1] low [2]
      : tensor<3x4x5x6xf32> -> tensor<3x9x6xf32>
  %n = dlm.neg %c : tensor<3x4x5xf32>
  %q = dlm.overlap_add %n dim 1 strides [3] dilations [2] low [1]
      : tensor<3x4x5xf32> -> tensor<3x15xf32>
  %r = dlm.overlap_add %d dim 1 strides [3] dilations [1] low [0]
      : tensor<2x4x3x7xf32> -> tensor<2x11x7xf32>
  return %o, %p, %q, %r : tensor<2x5x4x20xf32>, tensor<3x9x6xf32>, tensor<3x15xf32>,
    tensor<2x11x7xf32>
}

// More places than one kernel writes out: the same chain in several.
func.func @large_window(%a: tensor<2x3x4x7x6x5xf32> {dlm.buffer = "large.a"})
    -> (tensor<2x9x9x5xf32> {dlm.buffer = "large.out"}) {
  %o = dlm.overlap_add %a dim 1 strides [1, 1] dilations [1, 1] low [0, 0]
      : tensor<2x3x4x7x6x5xf32> -> tensor<2x9x9x5xf32>
  return %o : tensor<2x9x9x5xf32>
}

// Each channel by itself, and the gradient of its weights.
func.func @depthwise(%x: tensor<2x6x5x20xf32> {dlm.buffer = "depthwise.x"},
    %w: tensor<9x20xf32> {dlm.buffer = "depthwise.w"},
    %g: tensor<60x20xf32> {dlm.buffer = "depthwise.g"})
    -> (tensor<60x20xf32> {dlm.buffer = "depthwise.out"},
        tensor<9x20xf32> {dlm.buffer = "depthwise.gradient"}) {
  %s = dlm.windows %x dim 1 strides [1, 1] dilations [1, 1] low [1, 1]
      : tensor<2x6x5x20xf32> -> tensor<2x6x5x3x3x20xf32>
  %r = dlm.reshape %s : tensor<2x6x5x3x3x20xf32> -> tensor<60x9x20xf32>
  %f = dlm.broadcast %w dims [1, 2] : tensor<9x20xf32> -> tensor<60x9x20xf32>
  %p = dlm.mul %r, %f : tensor<60x9x20xf32>
  %o = dlm.reduce add %p dims [1] {tree = #dlm.tree<lanes = 1, chunk = 64>}
      : tensor<60x9x20xf32> -> tensor<60x20xf32>
  %h = dlm.broadcast %g dims [0, 2] : tensor<60x20xf32> -> tensor<60x9x20xf32>
  %q = dlm.mul %r, %h : tensor<60x9x20xf32>
  %d = dlm.reduce add %q dims [0] {tree = #dlm.tree<lanes = 1, chunk = 64>}
      : tensor<60x9x20xf32> -> tensor<9x20xf32>
  return %o, %d : tensor<60x20xf32>, tensor<9x20xf32>
}

// Small groups inside of a tensor, of numbers too, used by elements and rows behind them.
func.func @small_groups(%a: tensor<4x3x5x6xf32> {dlm.buffer = "small.a"},
    %n: tensor<4x3x6xi64> {dlm.buffer = "small.n"})
    -> (tensor<4x3x6xf32> {dlm.buffer = "small.mean"}, tensor<4xf32> {dlm.buffer = "small.sum"},
        tensor<4x6xi64> {dlm.buffer = "small.most"}) {
  %s = dlm.reduce add %a dims [2] {tree = #dlm.tree<lanes = 1, chunk = 64>}
      : tensor<4x3x5x6xf32> -> tensor<4x3x6xf32>
  %e = dlm.exp %s : tensor<4x3x6xf32>
  %r = dlm.reduce add %e dims [1, 2] {tree = #dlm.tree<lanes = 128, chunk = 2048>}
      : tensor<4x3x6xf32> -> tensor<4xf32>
  %m = dlm.reduce max %n dims [1] {tree = #dlm.tree<lanes = 1, chunk = 64>}
      : tensor<4x3x6xi64> -> tensor<4x6xi64>
  return %e, %r, %m : tensor<4x3x6xf32>, tensor<4xf32>, tensor<4x6xi64>
}

// Windows of windows, turned around and cut.
func.func @windows_of_windows(%a: tensor<3x12xf32> {dlm.buffer = "twice.a"})
    -> (tensor<3x4x2x2xf32> {dlm.buffer = "twice.out"}) {
  %f = dlm.flip %a dims [1] : tensor<3x12xf32>
  %w = dlm.windows %f dim 1 strides [3] dilations [1] low [1]
      : tensor<3x12xf32> -> tensor<3x5x3xf32>
  %s = dlm.slice %w begins [0, 0, 1] : tensor<3x5x3xf32> -> tensor<3x5x2xf32>
  %v = dlm.windows %s dim 1 strides [1] dilations [1] low [0]
      : tensor<3x5x2xf32> -> tensor<3x4x2x2xf32>
  %e = dlm.exp %v : tensor<3x4x2x2xf32>
  return %e : tensor<3x4x2x2xf32>
}
