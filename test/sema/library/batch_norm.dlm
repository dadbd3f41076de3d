// batch_norm.dlm: what `buffer`, `next` and `training` look like. (The library version also takes
// `group`.)

model BatchNorm(channels: int, momentum: f32 = 0.1, eps: f32 = 1e-5) {
  param  scale: f32[channels] = ones
  param  shift: f32[channels] = zeros
  buffer running_mean: f32[channels] = zeros
  buffer running_var:  f32[channels] = ones

  fn forward(x: f32[B, H, W, channels]) -> f32[B, H, W, channels] {
    let m = if training { mean(x, over = (B, H, W)) } else { running_mean }
    let v = if training { var(x, over = (B, H, W)) } else { running_var }
    next running_mean = lerp(running_mean, m, momentum)
    next running_var  = lerp(running_var, v * (B * H * W) / (B * H * W - 1), momentum)
    (x - m) * rsqrt(v + eps) * scale + shift
  }
}
