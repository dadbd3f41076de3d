use nn, optim, data
fn flat(batch) { reshape(cast(batch.image, f32), [batch.size, 6]) }
train t {
  let held = frozen(nn.Linear(6, 3))
  let inner = nn.Linear(6, 6)
  let shared = nn.Chain([frozen(inner), nn.Linear(6, 3)])
  let teacher = nn.Linear(6, 3)
  data = data.idx("tiny")
  batch = 2
  fn loss(batch) {
    let x = flat(batch)
    mean((shared(x) + held(x) - frozen(teacher)(x)) ** 2)
  }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 steps
}
