// Settings as other frameworks call them: what they stand for is not missing as well.
use nn, optim, data
train t {
  let net = nn.Linear(6, 3)
  dataset = data.idx("tiny")
  batch_size = 2
  epochs = 5
  learning_rate = 0.1
  fn loss(batch) {
    let x = net(reshape(cast(batch.image, f32), [batch.size, 6]))
    mean(x)
  }
}
