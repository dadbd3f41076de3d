// flags: -Dkeep=1.5
use nn, optim, data
option keep = 0.9
let images = data.idx("tiny")
train t {
  let net = nn.Linear(6, 3)
  data = images
  batch = 2
  fn loss(batch) {
    let y = net(reshape(cast(batch.image, f32), [batch.size, 6]))
    let drawn = random.categorical(y)
    let kept = random.bernoulli(keep, [batch.size])
    cross_entropy(y, drawn, where = kept)
  }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
