// Functions that every program sees without `use`.

use metric, prelude.attention as attending, prelude.losses

/// 1 / (1 + exp(-x)), without overflow for large |x|.
fn sigmoid(x) { 0.5 * tanh(0.5 * x) + 0.5 }

/// Gaussian error linear unit (Hendrycks and Gimpel, 2016): exact, or by their formula with
/// `approximate = tanh`.
fn gelu(x, approximate = none) {
  if approximate == tanh {
    0.5 * x * (1 + tanh((2 / 3.141592653589793) ** 0.5 * (x + 0.044715 * x ** 3)))
  } else {
    0.5 * x * (1 + erf(x * 0.5 ** 0.5))
  }
}

/// x * sigmoid(x) (Elfwing et al., 2018), also called swish.
fn silu(x) { x * sigmoid(x) }

/// log(1 + exp(x)), without overflow for large |x|.
fn softplus(x) { max(x, 0) + log1p(exp(-abs(x))) }

/// x where it is positive, `slope` * x elsewhere.
fn leaky_relu(x, slope = 0.01) { where(x > 0, x, slope * x) }

/// a at t = 0, b at t = 1.
fn lerp(a, b, t) { a + t * (b - a) }

/// log(1 + x), exact to rounding near 0: there by the series of 2 * atanh(x / (2 + x)).
fn log1p(x) {
  let near = where(abs(x) < 0.5, x, 0)
  let s = near / (2 + near)
  let z = s * s
  let rest = z * (1 / 3 + z * (1 / 5 + z * (1 / 7 + z * (1 / 9 + z * (1 / 11 + z * (1 / 13))))))
  where(abs(x) < 0.5, 2 * s * (1 + rest), log(1 + x))
}

/// exp(x) - 1, exact to rounding near 0: there by its series.
fn expm1(x) {
  let near = where(abs(x) < 0.5, x, 0)
  let high = 1 + near * (1 / 6) * (1 + near * (1 / 7) * (1 + near * (1 / 8) * (1 + near * (1 / 9))))
  let middle = 1 + near * (1 / 4) * (1 + near * (1 / 5) * high)
  let low = 1 + near * (1 / 2) * (1 + near * (1 / 3) * middle)
  where(abs(x) < 0.5, near * low, exp(x) - 1)
}

/// x itself.
fn identity(x) { x }

/// While training, x with each element 0 with probability `rate`, and the others larger in
/// proportion, so that their mean stays (Srivastava et al., 2014); else x.
fn dropout(x: float[...], rate) {
  require rate >= 0 and rate < 1, "the rate of a dropout is from 0 to below 1"
  if training { where(random.bernoulli(1 - rate, x.shape), x / (1 - rate), 0) } else { x }
}

let attention = attending.attention
let rope = attending.rope

let cross_entropy = losses.cross_entropy
let binary_cross_entropy_with_logits = losses.binary_cross_entropy_with_logits
let mse = losses.mse
let l1 = losses.l1
let huber = losses.huber
let kl_divergence = losses.kl_divergence

let accuracy = metric.accuracy
let top_k_accuracy = metric.top_k_accuracy
let confusion = metric.confusion

/// Whether a and b differ by no more than `tolerance`, relative to b where that is beyond 1.
fn close(a, b, tolerance = 1e-5) { abs(a - b) <= tolerance * max(1, abs(b)) }

test "activations have their known values" {
  let x = cast(iota(5), f32) - 2
  expect close(sigmoid(x), 1 / (1 + exp(-x)))
  expect gelu(zeros([3])) == 0
  expect close(gelu(ones([1])), 0.8413447)
  expect close(silu(x), x / (1 + exp(-x)))
  expect close(softplus(x), log(1 + exp(x)))
  expect leaky_relu(x, slope = 0.5) == max(x, 0.5 * x)
}

test "softplus does not overflow" {
  expect softplus(full([2], 1000)) == 1000
  expect softplus(full([2], -1000)) == 0
}

test "lerp ends at its ends" {
  let (a, b) = (full([3], 2), full([3], 5))
  expect lerp(a, b, 0) == a
  expect lerp(a, b, 1) == b
  expect close(log1p(zeros([2])), 0)
}

test "dropout does nothing but while training" {
  let x = cast(iota(5), f32)
  expect dropout(x, 0.5) == x
  expect identity(x) == x
}
