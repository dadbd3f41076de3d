// A softmax over the other samples of the batch, as people first write it.
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
  fn loss(batch) { cross_entropy(scores(batch), iota(batch.size)) }
  fn metrics(batch) {
    let own = iota(batch.size)
    (top = top_k_accuracy(scores(batch), own, k = 2), first = accuracy(scores(batch), own))
  }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
