use nn, optim, data
train t {
  let net = nn.Linear(6, 3)
  data = data.idx("tiny")
  batch = 2
  fn logits(batch) { net(reshape(cast(batch.image, f32), [batch.size, 6])) }
  fn loss(batch) { cross_entropy(logits(batch), batch.label) }
  fn metrics(batch) {
    let x = logits(batch)
    (whole = logsumexp(x), once = 8 + log(sum(exp(x - 8))), rows = mean(logsumexp(x, over = -1)))
  }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
