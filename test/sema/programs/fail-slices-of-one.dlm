use nn, optim, data

model Masked() {
  let embed = nn.Linear(6, 4)
  param token: f32[4] = zeros
  fn forward(x: f32[B, T, 6], mask: bool[B, T]) -> f32[B, T, 4] { where(mask, token, embed(x)) }
}

train t {
  let net = Masked()
  let head = nn.Linear(6, 3)
  data = data.idx("tiny")
  batch = 2
  fn loss(batch) {
    let x = reshape(cast(batch.image, f32), [batch.size, 6])
    let y = net(x[:, new], x[:, 0:1] > 0)
    let above = x >= x[:, -1:]
    let below = x[:, :1] + x
    let both = where(x > 0 and x < 1, 1, x[:, :, new])
    cross_entropy(head(x), batch.label) + mean(y)
  }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
