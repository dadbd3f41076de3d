// Functions that every program sees without `use`.

/// 1 / (1 + exp(-x)), without overflow for large |x|.
fn sigmoid(x) { 0.5 * tanh(0.5 * x) + 0.5 }

/// Gaussian error linear unit, exact.
fn gelu(x) { 0.5 * x * (1 + erf(x * 0.5 ** 0.5)) }

/// x * sigmoid(x), also called swish.
fn silu(x) { x * sigmoid(x) }

/// log(1 + exp(x)), without overflow for large |x|.
fn softplus(x) { max(x, 0) + log(1 + exp(-abs(x))) }

/// x where it is positive, `slope` * x elsewhere.
fn leaky_relu(x, slope = 0.01) { where(x > 0, x, slope * x) }

/// a at t = 0, b at t = 1.
fn lerp(a, b, t) { a + t * (b - a) }

/// log(1 + x).
fn log1p(x) { log(1 + x) }

/// Mean of -log(probability of the class with this id), from logits.
fn cross_entropy(logits: f32[B, C], labels: i32[B]) -> f32[] {
  let picked = where(one_hot(labels, C), log_softmax(logits, over = -1), 0)
  -mean(sum(picked, over = -1))
}

/// Mean of the squared difference.
fn mse(x, y) { mean((x - y) ** 2) }

/// Mean of the absolute difference.
fn l1(x, y) { mean(abs(x - y)) }

/// Quadratic up to a difference of `delta`, linear beyond it.
fn huber(x, y, delta = 1.0) {
  let d = abs(x - y)
  mean(where(d < delta, 0.5 * d * d, delta * (d - 0.5 * delta)))
}

/// Mean of -log(probability of the target), from logits; targets are between 0 and 1.
fn binary_cross_entropy_with_logits(logits, targets) {
  mean(max(logits, 0) - logits * targets + log(1 + exp(-abs(logits))))
}
