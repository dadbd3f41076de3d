// flags: -Dwidht=3 -Drate=fast
use optim, data
option width = 8
option rate = 0.1
option seed = 3
option plan = "a"
option order_seed = 2
train t {
  let size = [width]
  data = data.idx("tiny")
  batch = 2
  fn loss(batch) { mean(cast(batch.image, f32)) }
  optimizer = optim.SGD(lr = rate)
  duration = 1 epochs
}
