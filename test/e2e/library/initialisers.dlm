// How parameters start: what is known of random matrices and numbers, of which these are samples.
use init

model Turned() {
  param square: f32[24, 24] = init.orthogonal
  param tall: f32[12, 5] = init.orthogonal
  param wide: f32[5, 12] = init.orthogonal(gain = 2)
  param nearly: f32[16, 17] = init.orthogonal
  param window: f32[3, 3, 2, 7] = init.orthogonal
  param one: f32[1, 1] = init.orthogonal
  param vector: f32[9] = init.orthogonal
}

/// Whether the rows of x are orthogonal and of length `scale`.
fn is_orthogonal(x: f32[R, C], scale = 1) {
  let turned = x @ x.T / scale ** 2
  abs(turned - cast(iota(R)[:, new] == iota(R)[new, :], f32)) < 1e-5
}

test "orthogonal matrices are so along their shorter side" {
  let net = Turned()
  expect is_orthogonal(net.square)
  expect is_orthogonal(net.square.T)
  expect is_orthogonal(net.tall.T)
  expect is_orthogonal(net.wide, scale = 2)
  expect is_orthogonal(net.nearly)
  expect is_orthogonal(reshape(net.window, [18, 7]).T)
  expect close(abs(net.one), ones([1, 1]))
  expect close(sum(net.vector ** 2), 1)
}

test "orthogonal matrices prefer no direction" {
  let x = Turned().square
  // The mean of 576 elements of deviation 24 ** -0.5 is within 4 of its own deviations.
  expect abs(mean(x)) < 4 * 24 ** -1.5
  // So is that of the squares of one diagonal, whose deviation is about 2 ** 0.5 / 24.
  expect abs(mean(sum(x * cast(iota(24)[:, new] == iota(24)[new, :], f32), over = 0) ** 2) - 1 / 24)
    < 0.05
}

model Cut() {
  param x: f32[80, 100] = init.truncated_normal
  param scaled: f32[80, 100] = init.truncated_normal(std = 0.5, mean = 3, bound = 1)
  param far: f32[80, 100] = init.truncated_normal(bound = 4)
}

test "a truncated normal distribution has its moments" {
  let (x, scaled, far) = (Cut().x, Cut().scaled, Cut().far)
  expect abs(x) <= 2
  expect max(x) > 1.97
  expect min(x) < -1.97
  // 8,000 draws: means are within 0.011 deviations of what they should be, all but surely 4 of it.
  expect abs(mean(x)) < 0.04
  expect abs(mean(x ** 2) - 0.7737) < 0.04
  expect abs(mean(x ** 4) - 1.4162) < 0.12
  expect abs(mean(cast(abs(x) < 1, f32)) - 0.6827 / 0.9545) < 0.021
  expect abs(scaled - 3) <= 0.5
  expect abs(mean(scaled) - 3) < 0.013
  expect abs(mean((scaled - 3) ** 2) / 0.25 - 0.2911) < 0.015
  expect abs(far) <= 4
  expect abs(mean(far ** 2) - 1) < 0.064
}
