// Buffers: statistics of a batch, a counter, and a state carried from batch to batch.
use nn, optim, data
let images = data.idx("tiny")
model Centred(n: int) {
  param scale: f32[n] = ones
  buffer center: f32[n] = 0.5
  buffer count: i64 = 0
  buffer used: bool[n] = false
  fn forward(x: f32[batch, n]) -> f32[batch, n] {
    next center = 0.9 * center + 0.1 * mean(x, over = 0)
    next count = count + 1
    next used = x[:, :] |> fn(y) { max(y, over = 0) > 0 }
    (x - center) * scale
  }
}
model Stream(n: int) {
  let fit = nn.Linear(n, n)
  buffer last: f32[batch, n] = zeros
  fn forward(x: f32[batch, n]) {
    let y = fit(x) + last
    next last = y
    y
  }
}
train t {
  let net = Centred(6)
  let stream = Stream(6)
  data = images
  batch = 2
  fn loss(batch) {
    let x = reshape(cast(batch.image, f32), [batch.size, 6])
    mean(x |> net |> stream)
  }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
