use optim, data
let images = data.idx("tiny")
train t {
  data = images
  batch = 4
  micro = 2
  fn loss(batch) {
    let x = cast(batch.image, f32)
    (rows = x, id = batch.label, text = "high")
  }
  fn metrics(batch) { mean(cast(batch.image, f32)) }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
