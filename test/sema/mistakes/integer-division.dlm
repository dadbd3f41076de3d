use nn, optim, data

let digits = data.idx("tiny")

fn flat(image) { reshape(cast(image, f32) / 255, [batch, 6]) }

model Heads(width: int, heads: int) {
  let size = width / heads
  param query: f32[width, heads, size] = normal(std = 0.02)
  fn forward(x: f32[B, width]) { x * mean(query) }
}

train digits_run {
  let net = Heads(100, 3)
  let head = nn.Linear(6, 3)
  data = digits
  batch = 2
  optimizer = optim.Adam(lr = 1e-3)
  duration = 5 epochs
  fn loss(batch) { cross_entropy(head(flat(batch.image)), batch.label) + mean(net.query) }
}
