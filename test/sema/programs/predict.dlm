use nn, optim, data
train t {
  let net = nn.Linear(6, 3)
  data = data.idx("tiny")
  batch = 2
  fn logits(batch) { net(reshape(cast(batch.image, f32), [batch.size, 6])) }
  fn loss(batch) { cross_entropy(logits(batch), batch.label) }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs

  /// The class, and how sure the model is.
  fn predict(batch) {
    let p = softmax(logits(batch), over = -1)
    let share = max(p, over = -1)
    (label = argmax(p, over = -1), share = share, all = p, sure = max(p, over = -1) > 0.9)
  }
}
