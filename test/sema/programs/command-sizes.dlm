use nn, optim, data
option most = 64
train ranked {
  let net = nn.Linear(6, 3)
  data = data.idx("tiny")
  batch = 2
  fn loss(batch) {
    cross_entropy(net(reshape(cast(batch.image, f32), [batch.size, 6])), batch.label)
  }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
  command best(
    n: int = 3,
    top: int = 2,
    guidance: f32 = 1.0,
    shift: int = -1,
  ) -> (ids: i32[n, top], b: i32[n, 1], c: f32[n]) {
    require n <= most and n >= 2
    require top <= 3
    require guidance >= 0 and guidance < 10.5
    let ids = top_k(net(zeros([n, 6])), top).ids
    (ids = ids, b = full([n, 1], top - 1, i32), c = guidance * full([n], top) + shift)
  }
}
