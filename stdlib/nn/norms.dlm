// Layers that bring what they get to mean 0 and variance 1, over other axes each. All of them scale
// and shift afterwards, by a trained number for each channel; channels are the last axis.

/// Normalises [..., width] over the last axis (Ba et al., 2016, section 3).
model LayerNorm(width: int, eps: f32 = 1e-5) {
  param scale: f32[width] = ones
  param shift: f32[width] = zeros
  fn forward(x: f32[..., width]) -> f32[..., width] {
    let centred = x - mean(x, over = -1, keep = true)
    let spread = rsqrt(mean(centred * centred, over = -1, keep = true) + eps)
    centred * spread * scale + shift
  }
}

/// Divides [..., width] by the root of the mean square over the last axis (Zhang and Sennrich,
/// 2019, equation 4).
model RMSNorm(width: int, eps: f32 = 1e-6) {
  param scale: f32[width] = ones
  fn forward(x: f32[..., width]) -> f32[..., width] {
    x * rsqrt(mean(x * x, over = -1, keep = true) + eps) * scale
  }
}

fn product(sizes) { fold(1, sizes, fn(n, size) { n * size }) }

/// Normalises each sample of [B, ..., width] over all its places and the channels of each of
/// `groups` groups (Wu and He, 2018, section 3.1).
model GroupNorm(width: int, groups: int, eps: f32 = 1e-5) {
  require width % groups == 0, "the channels are divided into groups of one size"
  param scale: f32[width] = ones
  param shift: f32[width] = zeros
  fn forward(x: f32[B, ..., width]) -> f32[B, ..., width] {
    let parts = reshape(x, [B, product(x.shape[1:-1]), groups, width / groups])
    let centred = parts - mean(parts, over = (1, 3), keep = true)
    let spread = rsqrt(mean(centred * centred, over = (1, 3), keep = true) + eps)
    reshape(centred * spread, x.shape) * scale + shift
  }
}

/// Normalises each channel of [B, ..., width] over the samples and all places (Ioffe and Szegedy,
/// 2015, algorithm 1): while
/// training by the samples at hand, else by averages kept of them, of which a step moves the share
/// `momentum`.
///
/// With `group = n`, by each n samples in turn (as in Hoffer et al., 2017), so that a batch can be
/// split; a batch then is a multiple of n. Without, by the whole batch, which then cannot be split.
model BatchNorm(width: int, group: int? = none, momentum: f32 = 0.1, eps: f32 = 1e-5) {
  param scale: f32[width] = ones
  param shift: f32[width] = zeros
  buffer running_mean: f32[width] = zeros
  buffer running_var: f32[width] = ones

  /// x of [groups, samples of a group, places, width], and the statistics of each group.
  fn standard(x) {
    let m = mean(x, over = (1, 2), keep = true)
    let v = var(x, over = (1, 2), keep = true)
    let count = x.shape[1] * x.shape[2]
    let sample_var = v * (count / (count - 1))
    next running_mean = lerp(running_mean, mean(m, over = (0, 1, 2)), momentum)
    next running_var = lerp(running_var, mean(sample_var, over = (0, 1, 2)), momentum)
    (x - m) * rsqrt(v + eps)
  }

  fn forward(x: f32[B, ..., width]) -> f32[B, ..., width] {
    let y = if training {
      let places = product(x.shape[1:-1])
      let n = if group == none { B } else { group }
      reshape(standard(reshape(x, [B / n, n, places, width])), x.shape)
    } else {
      (x - running_mean) * rsqrt(running_var + eps)
    }
    y * scale + shift
  }
}

test "LayerNorm has mean 0 and variance 1" {
  let y = LayerNorm(6)(reshape(cast(iota(12), f32), [2, 6]))
  expect close(mean(y, over = -1), 0, tolerance = 1e-4)
  expect close(var(y, over = -1), 1, tolerance = 1e-4)
}

test "RMSNorm has a mean square of 1" {
  let y = RMSNorm(6)(reshape(cast(iota(12), f32), [2, 6]))
  expect close(mean(y * y, over = -1), 1, tolerance = 1e-4)
}

test "GroupNorm has mean 0 and variance 1 in each group" {
  let x = reshape(cast(iota(48), f32), [2, 4, 6])
  let y = GroupNorm(6, groups = 2)(x)
  let parts = reshape(y, [2, 4, 2, 3])
  expect close(mean(parts, over = (1, 3)), 0, tolerance = 1e-4)
  expect close(var(parts, over = (1, 3)), 1, tolerance = 1e-4)
  expect GroupNorm(6, groups = 3)(ones([2, 6])) == 0
}

test "one group of all channels is LayerNorm" {
  let x = cast(reshape(iota(12) * iota(12), [2, 6]), f32)
  expect close(GroupNorm(6, groups = 1)(x), LayerNorm(6)(x))
}

test "norms have their known values" {
  let x = tensor([[1.0, 3.0]])
  expect close(LayerNorm(2)(x), tensor([[-0.999995, 0.999995]]))
  expect close(RMSNorm(2)(x), tensor([[0.4472135, 1.3416406]]))
  expect close(LayerNorm(2, eps = 3.0)(x), tensor([[-0.5, 0.5]]))
}

test "BatchNorm starts as x but for eps" {
  let x = reshape(cast(iota(48), f32), [2, 4, 6])
  expect close(BatchNorm(6, group = 2)(x), x, tolerance = 1e-4)
  expect BatchNorm(6)(ones([3, 4, 5, 6])).shape == [3, 4, 5, 6]
}
