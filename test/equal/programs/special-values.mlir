// Functions that see NaN, infinities, both zeros and numbers at the ends of the range; what any op
// makes of these is part of its meaning.

// Along the last dim, the first one, and of a vector.
func.func @argmax(%a: tensor<9x37xf32> {dlm.buffer = "argmax.a"},
    %b: tensor<300xf32> {dlm.buffer = "argmax.b"})
    -> (tensor<9xi32> {dlm.buffer = "argmax.last"}, tensor<37xi32> {dlm.buffer = "argmax.first"},
        tensor<i32> {dlm.buffer = "argmax.all"}) {
  %l = dlm.argmax %a dim 1 : tensor<9x37xf32> -> tensor<9xi32>
  %f = dlm.argmax %a dim 0 : tensor<9x37xf32> -> tensor<37xi32>
  %v = dlm.argmax %b dim 0 : tensor<300xf32> -> tensor<i32>
  return %l, %f, %v : tensor<9xi32>, tensor<37xi32>, tensor<i32>
}

// Rows, columns, and a total over several chunks.
func.func @extremes(%a: tensor<19x300xf32> {dlm.buffer = "extremes.a"})
    -> (tensor<19xf32> {dlm.buffer = "extremes.row_max"},
        tensor<19xf32> {dlm.buffer = "extremes.row_min"},
        tensor<300xf32> {dlm.buffer = "extremes.column_max"},
        tensor<300xf32> {dlm.buffer = "extremes.column_min"},
        tensor<f32> {dlm.buffer = "extremes.max"}, tensor<19xf32> {dlm.buffer = "extremes.sum"}) {
  %0 = dlm.reduce max %a dims [1] {tree = #dlm.tree<lanes = 128, chunk = 2048>}
      : tensor<19x300xf32> -> tensor<19xf32>
  %1 = dlm.reduce min %a dims [1] {tree = #dlm.tree<lanes = 128, chunk = 2048>}
      : tensor<19x300xf32> -> tensor<19xf32>
  %2 = dlm.reduce max %a dims [0] {tree = #dlm.tree<lanes = 1, chunk = 64>}
      : tensor<19x300xf32> -> tensor<300xf32>
  %3 = dlm.reduce min %a dims [0] {tree = #dlm.tree<lanes = 1, chunk = 64>}
      : tensor<19x300xf32> -> tensor<300xf32>
  %4 = dlm.reduce max %a dims [0, 1] {tree = #dlm.tree<lanes = 128, chunk = 2048>}
      : tensor<19x300xf32> -> tensor<f32>
  %5 = dlm.reduce add %a dims [1] {tree = #dlm.tree<lanes = 128, chunk = 2048>}
      : tensor<19x300xf32> -> tensor<19xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<19xf32>, tensor<19xf32>, tensor<300xf32>,
      tensor<300xf32>, tensor<f32>, tensor<19xf32>
}

func.func @pointwise(%a: tensor<700xf32> {dlm.buffer = "pointwise.a"},
    %b: tensor<700xf32> {dlm.buffer = "pointwise.b"})
    -> (tensor<700xf32> {dlm.buffer = "pointwise.relu"},
        tensor<700xf32> {dlm.buffer = "pointwise.select"},
        tensor<700xf32> {dlm.buffer = "pointwise.max"},
        tensor<700xf32> {dlm.buffer = "pointwise.min"},
        tensor<700xf32> {dlm.buffer = "pointwise.sign"},
        tensor<700xf32> {dlm.buffer = "pointwise.exp"},
        tensor<700xf32> {dlm.buffer = "pointwise.log"},
        tensor<700xf32> {dlm.buffer = "pointwise.pow"},
        tensor<700xi32> {dlm.buffer = "pointwise.cast"}) {
  %r = dlm.relu %a : tensor<700xf32>
  %c = dlm.compare lt %a, %b : tensor<700xf32>
  %s = dlm.select %c, %a, %b : tensor<700xf32>
  %x = dlm.max %a, %b : tensor<700xf32>
  %n = dlm.min %a, %b : tensor<700xf32>
  %g = dlm.sign %a : tensor<700xf32>
  %e = dlm.exp %a : tensor<700xf32>
  %l = dlm.log %a : tensor<700xf32>
  %p = dlm.pow %a, %b : tensor<700xf32>
  %i = dlm.cast %a : tensor<700xf32> -> tensor<700xi32>
  return %r, %s, %x, %n, %g, %e, %l, %p, %i : tensor<700xf32>, tensor<700xf32>, tensor<700xf32>,
      tensor<700xf32>, tensor<700xf32>, tensor<700xf32>, tensor<700xf32>, tensor<700xf32>,
      tensor<700xi32>
}

func.func @softmax(%a: tensor<12x131xf32> {dlm.buffer = "softmax.a"})
    -> (tensor<12x131xf32> {dlm.buffer = "softmax.out"}) {
  %m = dlm.reduce max %a dims [1] {tree = #dlm.tree<lanes = 128, chunk = 2048>}
      : tensor<12x131xf32> -> tensor<12xf32>
  %mb = dlm.broadcast %m dims [0] : tensor<12xf32> -> tensor<12x131xf32>
  %d = dlm.sub %a, %mb : tensor<12x131xf32>
  %e = dlm.exp %d : tensor<12x131xf32>
  %s = dlm.reduce add %e dims [1] {tree = #dlm.tree<lanes = 128, chunk = 2048>}
      : tensor<12x131xf32> -> tensor<12xf32>
  %sb = dlm.broadcast %s dims [0] : tensor<12xf32> -> tensor<12x131xf32>
  %y = dlm.div %e, %sb : tensor<12x131xf32>
  return %y : tensor<12x131xf32>
}

// Sizes that fill no tile: what pads one must not meet an infinity.
func.func @products(%a: tensor<21x35xf32> {dlm.buffer = "products.a"},
    %b: tensor<35x45xf32> {dlm.buffer = "products.b"},
    %c: tensor<21x45xf32> {dlm.buffer = "products.c"})
    -> (tensor<21x45xf32> {dlm.buffer = "products.ab"},
        tensor<35x45xf32> {dlm.buffer = "products.atc"},
        tensor<21x35xf32> {dlm.buffer = "products.cbt"}) {
  %0 = dlm.matmul %a, %b {chain = #dlm.chain<splits = 1>}
      : tensor<21x35xf32>, tensor<35x45xf32> -> tensor<21x45xf32>
  %1 = dlm.matmul %a, %c transposeLhs {chain = #dlm.chain<splits = 1>}
      : tensor<21x35xf32>, tensor<21x45xf32> -> tensor<35x45xf32>
  %2 = dlm.matmul %c, %b transposeRhs {chain = #dlm.chain<splits = 1>}
      : tensor<21x45xf32>, tensor<35x45xf32> -> tensor<21x35xf32>
  return %0, %1, %2 : tensor<21x45xf32>, tensor<35x45xf32>, tensor<21x35xf32>
}
