use nn, optim, data
option words = "optimizer"
train t {
  let net = nn.MLP([6, 8, 3])
  data = data.idx("tiny", validation = 2)
  batch = 2
  micro = automatic
  fn loss(batch) {
    cross_entropy(net(reshape(cast(batch.image, f32), [batch.size, 6])), batch.label)
  }
  optimizer = optim.SGD(lr = 0.1)
  duration = 2 epochs
  clip_norm = 0
  precision = mixed
  memory { budget = 16; recompute = "full" }
  parallel {
    data = 0; tensor = 2; shard = words
    split = [output => tensor, outputs => tensors, width => data]
  }
  evaluate { every = 1 epochs; batches = 2.5; keep_best = minimum(validation.los); patience = 3GiB }
  checkpoint { light = 5 }
  guard { nonfinite = skp(limit = 3); spike = rollback(sigma = 0, after = 2) }
  report { tensorboard = ""; prometheus = 70_000; mlflow = env(3); every = none() }
}
