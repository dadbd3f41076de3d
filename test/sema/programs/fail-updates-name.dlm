use optim, data
let images = data.idx("tiny")
model Number() {
  param value: f32[1] = zeros
  fn forward() { value[0] }
}

/// An optimizer may ask how many updates it has made, also in functions that it calls.
fn corrected(x, beta) { x / (1 - beta ** (updates + 1)) }
optimizer Averaged(lr, beta = 0.9) for p: f32[...] {
  state m: f32[...] = zeros
  fn update(g: f32[...]) -> f32[...] {
    let now = lerp(g, m, beta)
    next m = now
    p - lr * corrected(now, beta) / (updatse + 1)
  }
}
train t {
  let net = Number()
  data = images
  batch = 2
  optimizer = Averaged(lr = 0.1 / (step + 1))
  duration = 10 steps
  fn loss(batch) { net() * mean(ones([batch.size])) * updates }
}
