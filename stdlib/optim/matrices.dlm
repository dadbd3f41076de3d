// Optimizers that look at a matrix as a whole. For a parameter of another rank another one is
// chosen: `fn optimizer(p) { if p.rank == 2 { optim.Muon(..) } else { optim.AdamW(..) } }`. The
// weights of `nn.Attention` have an axis for the heads, and so another rank.

/// x scaled so that its singular values are near 1, by five or so rounds of an odd polynomial
/// (Newton and Schulz; the coefficients are those of Jordan et al., 2024).
fn orthogonalised(x: f32[M, N], rounds: int) -> f32[M, N] {
  let wide = if M > N { x.T } else { x }
  let y = fold(wide / (norm(wide) + 1e-7), 0..rounds, fn(y, _) {
    let a = y @ y.T
    3.4445 * y + (-4.7750 * a + 2.0315 * (a @ a)) @ y
  })
  if M > N { y.T } else { y }
}

/// Momentum, orthogonalised (Jordan et al., 2024), for matrices but embeddings and the last layer.
optimizer Muon(lr, momentum = 0.95, weight_decay = 0.0, rounds: int = 5) for p: f32[M, N] {
  require lr > 0, "the learning rate is more than zero"
  require momentum >= 0 and momentum < 1, "momentum is from 0 to below 1"
  require weight_decay >= 0, "weight decay is at least 0"
  state velocity: f32[M, N] = zeros
  fn update(g: f32[M, N]) -> f32[M, N] {
    let v = momentum * velocity + g
    next velocity = v
    let direction = orthogonalised(g + momentum * v, rounds)
    p - lr * (max(1, M / N) ** 0.5 * direction + weight_decay * p)
  }
}

/// Adam's second moments, kept as one number for each row and each column of a matrix (Shazeer and
/// Stern, 2018, algorithm 4, with a rate from outside): states that take no room.
optimizer Adafactor(lr, decay = 0.8, clip = 1.0, weight_decay = 0.0) for p: f32[..., R, C] {
  require lr > 0, "the learning rate is more than zero"
  require decay >= 0 and clip > 0, "decay is at least 0, and clip above it"
  require weight_decay >= 0, "weight decay is at least 0"
  state row: f32[..., R] = zeros
  state column: f32[..., C] = zeros
  fn update(g: f32[..., R, C]) -> f32[..., R, C] {
    let keep = 1 - (updates + 1) ** -decay
    let square = g * g + 1e-30
    let r = lerp(mean(square, over = -1), row, keep)
    let c = lerp(mean(square, over = -2), column, keep)
    next row = r
    next column = c
    let share = r / mean(r, over = -1, keep = true)
    let direction = g * rsqrt(share)[..., new] * rsqrt(c)[..., new, :]
    let length = sqrt(mean(direction * direction))
    p - lr * (direction / max(1, length / clip) + weight_decay * p)
  }
}

test "what is orthogonalised has singular values near 1" {
  let x = orthogonalised(tensor([[3.0, 0.0, 0.0], [0.0, 0.5, 0.0]]), rounds = 8)
  expect x.shape == [2, 3]
  let squares = x @ x.T
  expect abs(squares - tensor([[1.0, 0.0], [0.0, 1.0]])) < 0.6
  expect close(orthogonalised(x.T, rounds = 1), orthogonalised(x, rounds = 1).T)
}

test "Muon takes steps of one size along every direction" {
  let first = Muon(lr = 0.1, rounds = 8).update(zeros([2, 3]), tensor([
    [3.0, 0.0, 0.0],
    [0.0, 0.01, 0.0],
  ]))
  expect close(first.velocity[0, 0], 3)
  expect first.p[0, 0] < -0.06 and first.p[0, 0] > -0.13
  expect first.p[1, 1] < -0.06 and first.p[1, 1] > -0.13
}

test "Adafactor divides by rows and columns" {
  // Where squares are a product of a number for each row and each column, it divides by their root.
  let g = tensor([[1.0, -2.0], [3.0, 6.0]])
  let first = Adafactor(lr = 0.1).update(zeros([2, 2]), g)
  expect close(first.p, -0.1 * sign(g))
  expect close(first.row, tensor([2.5, 22.5]))
  expect close(first.column, tensor([5.0, 20.0]))
}
