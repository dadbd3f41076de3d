use data
let images = data.idx("tiny")
optimizer Odd(lr: f32) for p: f32[...] {
  state m: f32[...]
  state v: f32[...] = zeros
  fn update(g: f32[...]) -> f32[...] {
    next w = g
    next v = g
    next v = g
    p - lr * sum(g)
  }
}
train t {
  data = images
  batch = 2
  fn loss(batch) { mean(cast(batch.image, f32)) }
  optimizer = Odd(lr = 0.1)
  duration = 1 epochs
}
