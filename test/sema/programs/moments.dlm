// Over the samples of an evaluation, `var` and `std` are put together part by part.
use nn, optim, data
let images = data.idx("tiny")
train t {
  let net = nn.Linear(6, 3)
  data = images
  batch = 4
  fn loss(batch) {
    let y = net(reshape(cast(batch.image, f32), [batch.size, 6]))
    mean(y ** 2) + mean(std(y, over = 0))
  }
  fn metrics(batch) {
    let y = net(reshape(cast(batch.image, f32), [batch.size, 6]))
    (
      spread = mean(std(y, over = 0)),
      unbiased = mean(var(y, over = 0, ddof = 1)),
      chosen = var(y, where = y > 0),
      within = mean(var(y, over = -1)),
      top = max(y),
      length = norm(y),
      any = cast(any(y > 0), f32),
    )
  }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
