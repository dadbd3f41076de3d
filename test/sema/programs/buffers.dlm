// Buffers: statistics of a batch, a counter, and a state carried from batch to batch.
use nn, optim, data
let poems = data.text("poems.txt", tokenizer = data.chars(), window = 6, order = streams)
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
  data = poems
  batch = 2
  fn loss(batch) {
    let x = cast(batch.ids, f32)
    mean(x |> net |> stream)
  }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
