// Shapes and uses that fusion and placement find hard, one function each.

// A scalar program: several dtypes in one kernel, an argument under another name.
func.func @scalars(%a: tensor<f32> {dlm.buffer = "scalars.a"},
    %n: tensor<i64> {dlm.buffer = "scalars.n"})
    -> (tensor<f32> {dlm.buffer = "scalars.a"}, tensor<i64> {dlm.buffer = "scalars.n"},
        tensor<f32> {dlm.buffer = "scalars.old"},
        tensor<i32> {dlm.buffer = "scalars.flag"}) {
  %one = dlm.constant dense<1> : tensor<i64>
  %m = dlm.add %n, %one : tensor<i64>
  %b = dlm.mul %a, %a : tensor<f32>
  %c = dlm.compare gt %b, %a : tensor<f32>
  %f = dlm.cast %c : tensor<i1> -> tensor<i32>
  return %b, %m, %a, %f : tensor<f32>, tensor<i64>, tensor<f32>, tensor<i32>
}

// Two buffers change places.
func.func @swap(%a: tensor<300xf32> {dlm.buffer = "swap.a"},
    %b: tensor<300xf32> {dlm.buffer = "swap.b"})
    -> (tensor<300xf32> {dlm.buffer = "swap.a"}, tensor<300xf32> {dlm.buffer = "swap.b"}) {
  return %b, %a : tensor<300xf32>, tensor<300xf32>
}

// The old value is needed after the new one is known: the write must wait.
func.func @read_after_write(%a: tensor<40x40xf32> {dlm.buffer = "read_after_write.a"})
    -> (tensor<40x40xf32> {dlm.buffer = "read_after_write.a"},
        tensor<40x40xf32> {dlm.buffer = "read_after_write.product"}) {
  %s = dlm.add %a, %a : tensor<40x40xf32>
  %p = dlm.matmul %s, %a {chain = #dlm.chain<splits = 1>}
      : tensor<40x40xf32>, tensor<40x40xf32> -> tensor<40x40xf32>
  return %s, %p : tensor<40x40xf32>, tensor<40x40xf32>
}

// A transposed result may not overwrite what it is read from.
func.func @transpose_in_place(%a: tensor<9x9xf32> {dlm.buffer = "transpose_in_place.a"})
    -> (tensor<9x9xf32> {dlm.buffer = "transpose_in_place.a"}) {
  %t = dlm.transpose %a permutation [1, 0] : tensor<9x9xf32> -> tensor<9x9xf32>
  %e = dlm.exp %t : tensor<9x9xf32>
  return %e : tensor<9x9xf32>
}

// Reductions over a middle dim, over leading dims of rank 3, over everything, and an argmax that is
// not over the last dim.
func.func @reductions(%a: tensor<5x6x7xf32> {dlm.buffer = "reductions.a"})
    -> (tensor<5x7xf32> {dlm.buffer = "reductions.middle"},
        tensor<7xf32> {dlm.buffer = "reductions.leading"},
            tensor<f32> {dlm.buffer = "reductions.all"},
        tensor<6x7xi32> {dlm.buffer = "reductions.where"},
            tensor<5xf32> {dlm.buffer = "reductions.trailing"}) {
  %m = dlm.reduce add %a dims [1] {tree = #dlm.tree<lanes = 1, chunk = 64>} : tensor<5x6x7xf32>
      -> tensor<5x7xf32>
  %l = dlm.reduce max %a dims [0, 1] {tree = #dlm.tree<lanes = 1, chunk = 64>}
      : tensor<5x6x7xf32> -> tensor<7xf32>
  %s = dlm.reduce add %a dims [0, 1, 2] {tree = #dlm.tree<lanes = 128, chunk = 2048>}
      : tensor<5x6x7xf32> -> tensor<f32>
  %w = dlm.argmax %a dim 0 : tensor<5x6x7xf32> -> tensor<6x7xi32>
  %t = dlm.reduce min %a dims [1, 2] {tree = #dlm.tree<lanes = 128, chunk = 2048>}
      : tensor<5x6x7xf32> -> tensor<5xf32>
  return %m, %l, %s, %w, %t : tensor<5x7xf32>, tensor<7xf32>, tensor<f32>, tensor<6x7xi32>,
      tensor<5xf32>
}

// A row kernel that stores two phases of one row, over its own input.
func.func @normalise(%a: tensor<33x257xf32> {dlm.buffer = "normalise.a"})
    -> (tensor<33x257xf32> {dlm.buffer = "normalise.a"},
        tensor<33x257xf32> {dlm.buffer = "normalise.exp"},
            tensor<33xf32> {dlm.buffer = "normalise.sum"}) {
  %two = dlm.constant dense<2.0> : tensor<33x257xf32>
  %x = dlm.mul %a, %two : tensor<33x257xf32>
  %m = dlm.reduce max %x dims [1] {tree = #dlm.tree<lanes = 128, chunk = 2048>}
      : tensor<33x257xf32> -> tensor<33xf32>
  %mb = dlm.broadcast %m dims [0] : tensor<33xf32> -> tensor<33x257xf32>
  %d = dlm.sub %x, %mb : tensor<33x257xf32>
  %e = dlm.exp %d : tensor<33x257xf32>
  %s = dlm.reduce add %e dims [1] {tree = #dlm.tree<lanes = 128, chunk = 2048>}
      : tensor<33x257xf32> -> tensor<33xf32>
  %sb = dlm.broadcast %s dims [0] : tensor<33xf32> -> tensor<33x257xf32>
  %y = dlm.div %e, %sb : tensor<33x257xf32>
  return %y, %e, %s : tensor<33x257xf32>, tensor<33x257xf32>, tensor<33xf32>
}

// Reshapes that cut dims differently cannot be one index: one side goes through memory.
func.func @crossed_reshape(%a: tensor<3x8xf32> {dlm.buffer = "crossed_reshape.a"},
    %r: tensor<4xf32> {dlm.buffer = "crossed_reshape.r"},
        %q: tensor<3xf32> {dlm.buffer = "crossed_reshape.q"})
    -> (tensor<4x6xf32> {dlm.buffer = "crossed_reshape.out"}) {
  %qb = dlm.broadcast %q dims [0] : tensor<3xf32> -> tensor<3x8xf32>
  %s = dlm.add %a, %qb : tensor<3x8xf32>
  %t = dlm.reshape %s : tensor<3x8xf32> -> tensor<4x6xf32>
  %rb = dlm.broadcast %r dims [0] : tensor<4xf32> -> tensor<4x6xf32>
  %u = dlm.mul %t, %rb : tensor<4x6xf32>
  return %u : tensor<4x6xf32>
}

// A pack that is read again, with gaps, and goes to a buffer that is read as well.
func.func @packed_and_read(%a: tensor<10xf32> {dlm.buffer = "packed_and_read.a"},
    %flat: tensor<64xf32> {dlm.buffer = "packed_and_read.flat"})
    -> (tensor<64xf32> {dlm.buffer = "packed_and_read.flat"},
        tensor<f32> {dlm.buffer = "packed_and_read.norm"}) {
  %old = dlm.segment %flat offset 32 : tensor<64xf32> -> tensor<2x5xf32>
  %old1 = dlm.reshape %old : tensor<2x5xf32> -> tensor<10xf32>
  %s = dlm.add %a, %old1 : tensor<10xf32>
  %t = dlm.neg %a : tensor<10xf32>
  %p = dlm.pack %s, %t, %a offsets [4, 20, 40] : tensor<10xf32>, tensor<10xf32>, tensor<10xf32>
      -> tensor<64xf32>
  %sq = dlm.mul %p, %flat : tensor<64xf32>
  %n = dlm.reduce add %sq dims [0] {tree = #dlm.tree<lanes = 128, chunk = 2048>}
      : tensor<64xf32> -> tensor<f32>
  return %p, %n : tensor<64xf32>, tensor<f32>
}

// One random tensor used in two kernels; uint8 data; a mask that is stored; a batch of one.
func.func @batch_of_one(%image: tensor<1x3x5xui8> {dlm.buffer = "batch_of_one.image"},
    %w: tensor<15x4xf32> {dlm.buffer = "batch_of_one.w"},
        %seed: tensor<i64> {dlm.buffer = "batch_of_one.seed"})
    -> (tensor<1x4xf32> {dlm.buffer = "batch_of_one.out"},
        tensor<15x4xf32> {dlm.buffer = "batch_of_one.w"},
            tensor<4xf32> {dlm.buffer = "batch_of_one.bias"}) {
  %attempt = dlm.constant dense<3> : tensor<i64>
  %x8 = dlm.reshape %image : tensor<1x3x5xui8> -> tensor<1x15xui8>
  %x = dlm.cast %x8 : tensor<1x15xui8> -> tensor<1x15xf32>
  %y = dlm.matmul %x, %w {chain = #dlm.chain<splits = 1>} : tensor<1x15xf32>, tensor<15x4xf32>
      -> tensor<1x4xf32>
  %r = dlm.random uniform %seed, %attempt site 5 : tensor<1x4xf32>
  %half = dlm.constant dense<0.5> : tensor<1x4xf32>
  %mask = dlm.compare lt %r, %half : tensor<1x4xf32>
  %zero = dlm.constant dense<0.0> : tensor<1x4xf32>
  %z = dlm.select %mask, %y, %zero : tensor<1x4xf32>
  %g = dlm.select %mask, %z, %r : tensor<1x4xf32>
  %gw = dlm.matmul %x, %g transposeLhs {chain = #dlm.chain<splits = 1>}
      : tensor<1x15xf32>, tensor<1x4xf32> -> tensor<15x4xf32>
  %w2 = dlm.sub %w, %gw : tensor<15x4xf32>
  %b = dlm.reduce add %g dims [0] {tree = #dlm.tree<lanes = 1, chunk = 64>} : tensor<1x4xf32>
      -> tensor<4xf32>
  return %z, %w2, %b : tensor<1x4xf32>, tensor<15x4xf32>, tensor<4xf32>
}

// Long reductions, which are spread over work items: 201 chunks (padded to 256 and halved once), 8
// chunks exactly, and a maximum.
func.func @long_reductions(%a: tensor<411648xf32> {dlm.buffer = "long_reductions.a"},
    %b: tensor<16x1024xf32> {dlm.buffer = "long_reductions.b"})
    -> (tensor<f32> {dlm.buffer = "long_reductions.norm"},
        tensor<f32> {dlm.buffer = "long_reductions.sum"},
            tensor<f32> {dlm.buffer = "long_reductions.max"}) {
  %sq = dlm.mul %a, %a : tensor<411648xf32>
  %ss = dlm.reduce add %sq dims [0] {tree = #dlm.tree<lanes = 128, chunk = 2048>}
      : tensor<411648xf32> -> tensor<f32>
  %norm = dlm.sqrt %ss : tensor<f32>
  %sum = dlm.reduce add %b dims [0, 1] {tree = #dlm.tree<lanes = 128, chunk = 2048>}
      : tensor<16x1024xf32> -> tensor<f32>
  %max = dlm.reduce max %a dims [0] {tree = #dlm.tree<lanes = 128, chunk = 2048>}
      : tensor<411648xf32> -> tensor<f32>
  return %norm, %sum, %max : tensor<f32>, tensor<f32>, tensor<f32>
}
