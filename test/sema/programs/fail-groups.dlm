use optim, data
let images = data.idx("tiny")
train t {
  data = images
  batch = 6
  micro = 3
  fn loss(batch) {
    let x = reshape(cast(batch.image, f32), [batch.size, 6])
    let groups = reshape(x, [batch.size / 2, 2, 6])
    let centred = x - mean(x, over = 0)
    mean(groups) + mean(centred)
  }
  fn metrics(batch) {
    let x = reshape(cast(batch.image, f32), [batch.size, 6])
    let row = mean(x, over = 1)
    (far = mean(abs(row[:, new] - row[new, :])))
  }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
