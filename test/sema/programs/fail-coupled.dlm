use optim, data
let images = data.idx("tiny")
train t {
  data = images
  batch = 4
  micro = 2
  fn loss(batch) {
    let x = mean(cast(batch.image, f32), over = (1, 2))
    exp(mean(x))
  }
  fn metrics(batch) {
    let x = mean(cast(batch.image, f32), over = (1, 2))
    (spread = mean((x - mean(x)) ** 2), best = argmax(x, over = 0))
  }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
