// States of an optimizer that no `next` changes.
use nn, optim, data

optimizer Forgotten(lr: f32, momentum = 0.9) for p: f32[...] {
  state velocity: f32[...] = zeros
  state start: f32[...] = p // meant to stay
  state sometimes: f32[...] = zeros
  fn update(g: f32[...]) -> f32[...] {
    let v = momentum * velocity + g
    if momentum > 1 {
      next sometimes = v
      p - lr * v
    } else {
      p - lr * v + 1e-4 * (start - p) + 0 * sometimes
    }
  }
}

train t {
  let net = nn.MLP([6, 4, 3])
  data = data.idx("tiny")
  batch = 2
  fn loss(batch) {
    cross_entropy(net(reshape(cast(batch.image, f32), [batch.size, 6])), batch.label)
  }
  optimizer = Forgotten(lr = 0.1)
  duration = 1 epochs
}
