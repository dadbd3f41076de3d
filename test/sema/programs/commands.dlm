use nn, optim, data
train t {
  let net = nn.Linear(6, 3)
  data = data.idx("tiny")
  batch = 2
  fn loss(batch) {
    cross_entropy(net(reshape(cast(batch.image, f32), [batch.size, 6])), batch.label)
  }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs

  /// What the model makes of nothing.
  command grey(scale: f32 = 0.5, invert: bool = false, name: string = "grey") {
    let x = full([1, 6], 1.0) * scale
    (classes = argmax(net(where(invert, 1 - x, x)), over = -1), name = name)
  }
  command rows(count: int = 4, level: f32) -> f32[count, 3] {
    require count <= 2 ** 6, "at most 64 rows"
    require 2 <= count
    net(zeros([count, 6]) + level)
  }
}
