use nn, optim, data
train t {
  let net = nn.MLP([6, 8, 3])
  data = data.idx("tiny", validation = 2)
  batch = 2
  fn loss(batch) {
    cross_entropy(net(reshape(cast(batch.image, f32), [batch.size, 6])), batch.label)
  }
  optimizer = optim.SGD(lr = 0.1)
  duration = 2 epochs
  budget = 16GiB
  evaluate = 3 steps
  clip_norm { most = 1 }
  evaluate { seed = 3; keep_best = loss; fn every() { 3 }; every { steps = 3 } }
  evaluate { every = 1 epochs }
  guard { nonfinite = stop() }
  parallel { split = [2 => tensor] }
  memory { recompute = none; recompute = full }
}
