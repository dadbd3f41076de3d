// An optimizer that spends less on parameters that matter less: fewer bits, and fewer steps.

/// Each element is one of the two multiples of `grain` next to it, by chance, so that it is x on
/// average.
fn rounded(x: f32[...], grain) -> f32[...] {
  where(grain > 0, grain * floor(x / grain + random.uniform(x.shape)), x)
}

/// Momentum by importance. (It is unrelated to the maximal-update parametrisation, which is called
/// by the same letters and is no optimizer.)
///
/// The importance of a parameter is the norm of gradient times parameter, averaged: how far the
/// loss would move if each of its elements did by its own size, in the units of the loss. `share`
/// of it, importance / (importance + `threshold`), says how the parameter is treated:
///
/// - Its gradient is rounded by chance to multiples of a grain, which is `coarse` times the root
///   mean square of the gradient where the share is 0, and `fine` times that where it is 1.
/// - If the importance is below `threshold`, the parameter changes in each `period`th step only;
///   its gradients are added up meanwhile, and their mean enters the momentum.
///
/// A change is by the rate in the direction of the signs of the momentum, so the rate is about half
/// of AdamW's.
optimizer MuP(
  lr,
  momentum = 0.9,
  weight_decay = 0.0,
  period: int = 4,
  threshold = 1e-3,
  coarse = 1.0,
  fine = 0.03,
  decay = 0.99,
) for p: f32[...] {
  require lr > 0, "the learning rate is more than zero"
  require momentum >= 0 and momentum < 1, "momentum is from 0 to below 1"
  require weight_decay >= 0, "weight decay is at least 0"
  require period >= 1 and threshold >= 0, "the period is at least 1, and the threshold at least 0"
  require coarse >= fine and fine > 0, "fine is above 0, and coarse at least that"
  require decay >= 0 and decay < 1, "decay is from 0 to below 1"
  state velocity: f32[...] = zeros
  state gathered: f32[...] = zeros
  state importance: f32[] = 0
  state waited: i32[] = 0
  fn update(g: f32[...]) -> f32[...] {
    let average = lerp(norm(g * p), importance, decay)
    next importance = average
    let now = average / (1 - decay ** (updates + 1))
    let share = now / (now + threshold + 1e-30)
    let total = gathered + rounded(g, sqrt(mean(g * g)) * lerp(coarse, fine, share))
    let count = waited + 1
    let is_due = now >= threshold or count >= period
    let v = momentum * velocity + (1 - momentum) * total / cast(count, f32)
    next velocity = where(is_due, where(abs(v) < 1e-30, 0, v), velocity)
    next gathered = where(is_due, 0, total)
    next waited = where(is_due, 0, count)
    p - where(is_due, lr * (sign(v) + weight_decay * p), 0)
  }
}

test "rounding is to a neighbour, and right on average" {
  let x = full([4000], 0.3)
  let r = rounded(x, 0.25)
  expect (r == 0.25) or (r == 0.5)
  // The mean of 4,000 draws of deviation 0.1 is within 5 of its own deviations.
  expect abs(mean(r) - 0.3) < 0.008
  expect rounded(tensor([-0.5, 0.0, 0.75]), 0.25) == tensor([-0.5, 0.0, 0.75])
  expect rounded(zeros([3]), 0.0) == 0
}

test "an important parameter changes at once" {
  let rule = MuP(lr = 0.1, weight_decay = 0.5)
  let after = rule.update(full([4], 2), full([4], -1))
  expect close(after.importance, 0.04)
  expect after.waited == 0
  expect after.gathered == 0
  expect close(after.velocity, full([4], -0.1), tolerance = 0.01)
  expect close(after.p, full([4], 2 + 0.1 - 0.1 * 0.5 * 2))
}

test "one that matters less waits, and adds its gradients up" {
  let rule = MuP(lr = 0.1, period = 3, threshold = 100.0, momentum = 0.0, coarse = 1.0, fine = 1.0)
  // The grain is the gradient itself, so nothing is rounded.
  let first = rule.update(full([2], 1), full([2], 0.5), step = 0)
  expect first.p == 1
  expect first.waited == 1
  expect first.gathered == 0.5
  let second = rule.update(first.p, full([2], -0.25), first, step = 1)
  expect second.p == 1
  expect second.gathered == 0.25
  let third = rule.update(second.p, full([2], -1), second, step = 2)
  expect close(third.velocity, full([2], -0.25))
  expect close(third.p, full([2], 1.1))
  expect third.waited == 0
  expect third.gathered == 0
}
