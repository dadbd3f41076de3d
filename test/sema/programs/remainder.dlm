use nn, optim, data

option groups = 4

train remainders {
  let net = nn.Linear(6, 3)
  data = data.idx("tiny")
  batch = 2
  fn loss(batch) {
    let ids = (iota(6)[new, :] + batch.label[:, new]) % 3
    let pixels = reshape(batch.image, [batch.size, 6]) % 2
    let grouped = batch.label % groups
    let x = cast(ids, f32) % 2 + cast(pixels, f32) + cast(grouped, f32)[:, new] + step % 2
    cross_entropy(net(x), batch.label)
  }
  optimizer = optim.SGD(lr = 0.1)
  duration = 3 steps
}
