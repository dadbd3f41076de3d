use data
let images = data.idx("tiny")
optimizer Idle() for p: f32[...] {
  state m: f32[...] = zeros
}
train t {
  data = images
  batch = 2
  fn loss(batch, more) { mean(cast(batch.image, f32)) }
  optimizer = Idle()
  duration = 1 epochs
}
