use nn, optim, data, schedule
let images = data.idx("tiny")

/// Keeps a state for each row and each column, and looks at whole rows.
optimizer Rows(lr, start = 0.5) for p: f32[..., R, C] {
  state row: f32[..., R] = start
  state seen: f32[...] = zeros
  state begin: f32[..., R, C] = p
  fn update(g: f32[..., R, C]) -> f32[..., R, C] {
    let r = lerp(row, mean(g * g, over = C), 0.1)
    next row = r
    next seen = 1
    p - lr * g / (sqrt(mean(r)) + 1e-6) + 0 * begin
  }
}

train groups {
  let net = nn.MLP([6, 8, 3])
  let scale = nn.RMSNorm(6)
  data = images
  batch = 2
  fn loss(batch) {
    let x = reshape(cast(batch.image, f32), [batch.size, 6])
    cross_entropy(net(scale(x)), batch.label)
  }
  fn optimizer(p) {
    if p.path == "scale.scale" {
      none
    } else if p.rank == 2 and p.shape[0] == 6 {
      Rows(lr = schedule.cosine(1e-3))
    } else {
      optim.SGD(lr = if p.name == "bias" { 0.1 } else { 0.2 })
    }
  }
  duration = 1 epochs
}
