use nn, optim, data
train t {
  let net = nn.Linear(6, 3)
  data = data.idx("tiny", validation = 2)
  batch = 2
  fn logits(batch) { net(reshape(cast(batch.image, f32), [batch.size, 6])) }
  fn loss(batch) { cross_entropy(logits(batch), batch.label) }
  fn metrics(batch) { (right = missing(3), rows = logits(batch), large = mean(logits(batch))) }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
  evaluate { every = 1 steps; keep_best = maximum(validation.right) }
}
search rows_of of t {
  space { }
  maximize = validation.rows
}
