// The same written out, and a statistic over the batch where one over each sample was meant.
use nn, optim, data
let images = data.idx("tiny")
train t {
  let (left, right) = (nn.Linear(6, 3), nn.Linear(6, 3))
  data = images
  batch = 4
  micro = 2
  fn scores(batch) {
    let x = reshape(cast(batch.image, f32), [batch.size, 6])
    left(x) @ right(x).T
  }
  fn loss(batch) { mean(logsumexp(scores(batch), over = -1)) }
  fn metrics(batch) {
    let x = reshape(cast(batch.image, f32), [batch.size, 6])
    (top = mean(scores(batch)), unit = mean(normalize(left(x), over = 0) ** 2))
  }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
