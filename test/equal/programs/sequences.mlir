// Products side by side and random numbers that go on from micro-batch to micro-batch, as an
// attention with dropout has them: odd sizes, each way of transposing, a product of many small ones
// and one of few columns.
func.func @grad(%q: tensor<2x3x5x7xf32> {dlm.buffer = "batch.q"},
    %k: tensor<2x3x9x7xf32> {dlm.buffer = "batch.k"},
    %v: tensor<2x3x9x4xf32> {dlm.buffer = "batch.v"},
    %seed: tensor<i64> {dlm.buffer = "state.seed"},
    %attempt: tensor<i64> {dlm.buffer = "state.attempt"},
    %row: tensor<i64> {dlm.buffer = "state.row"})
    -> (tensor<2x3x5x4xf32> {dlm.buffer = "out"}, tensor<2x3x7x4xf32> {dlm.buffer = "turned"},
        tensor<2x3x4x5xf32> {dlm.buffer = "both"}, tensor<6x5x9xf32> {dlm.buffer = "noise"},
        tensor<i64> {dlm.buffer = "state.row"})
    attributes {dlm.program = "grad", dlm.rows = 2 : i64} {
  %scores = dlm.matmul %q, %k transposeRhs {chain = #dlm.chain<splits = 1>}
      : tensor<2x3x5x7xf32>, tensor<2x3x9x7xf32> -> tensor<2x3x5x9xf32>
  %most = dlm.reduce max %scores dims [3] {tree = #dlm.tree<lanes = 128, chunk = 2048>}
      : tensor<2x3x5x9xf32> -> tensor<2x3x5xf32>
  %mostAll = dlm.broadcast %most dims [0, 1, 2] : tensor<2x3x5xf32> -> tensor<2x3x5x9xf32>
  %lower = dlm.sub %scores, %mostAll : tensor<2x3x5x9xf32>
  %e = dlm.exp %lower : tensor<2x3x5x9xf32>
  %sum = dlm.reduce add %e dims [3] {tree = #dlm.tree<lanes = 128, chunk = 2048>}
      : tensor<2x3x5x9xf32> -> tensor<2x3x5xf32>
  %sumAll = dlm.broadcast %sum dims [0, 1, 2] : tensor<2x3x5xf32> -> tensor<2x3x5x9xf32>
  %shares = dlm.div %e, %sumAll : tensor<2x3x5x9xf32>
  %each = dlm.constant dense<135> : tensor<i64>
  %first = dlm.mul %row, %each : tensor<i64>
  %u = dlm.random uniform %seed, %attempt first %first site 17 : tensor<2x3x5x9xf32>
  %rate = dlm.constant dense<0.25> : tensor<2x3x5x9xf32>
  %zero = dlm.constant dense<0.0> : tensor<2x3x5x9xf32>
  %isKept = dlm.compare ge %u, %rate : tensor<2x3x5x9xf32>
  %kept = dlm.select %isKept, %shares, %zero : tensor<2x3x5x9xf32>
  %out = dlm.matmul %kept, %v {chain = #dlm.chain<splits = 1>}
      : tensor<2x3x5x9xf32>, tensor<2x3x9x4xf32> -> tensor<2x3x5x4xf32>
  %turned = dlm.matmul %k, %v transposeLhs {chain = #dlm.chain<splits = 1>}
      : tensor<2x3x9x7xf32>, tensor<2x3x9x4xf32> -> tensor<2x3x7x4xf32>
  %qt = dlm.transpose %q permutation [0, 1, 3, 2]
      : tensor<2x3x5x7xf32> -> tensor<2x3x7x5xf32>
  %both = dlm.matmul %turned, %qt transposeLhs {chain = #dlm.chain<splits = 1>}
      : tensor<2x3x7x4xf32>, tensor<2x3x7x5xf32> -> tensor<2x3x4x5xf32>
  %n = dlm.random normal %seed, %attempt first %first site 18 : tensor<6x5x9xf32>
  %rows = dlm.constant dense<2> : tensor<i64>
  %nextRow = dlm.add %row, %rows : tensor<i64>
  return %out, %turned, %both, %n, %nextRow
      : tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x4x5xf32>, tensor<6x5x9xf32>,
        tensor<i64>
}
