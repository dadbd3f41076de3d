use nn, optim, data
option keep = 4
option big = true
train t {
  let net = nn.MLP([6, 8, 3])
  data = data.idx("tiny", validation = 2)
  batch = 2
  micro = auto
  fn loss(batch) {
    cross_entropy(net(reshape(cast(batch.image, f32), [batch.size, 6])), batch.label)
  }
  fn metrics(batch) { (bright = mean(cast(batch.image, f32))) }
  optimizer = optim.SGD(lr = 0.1)
  duration = 2 epochs
  clip_norm = 0.5
  precision = if big { mixed(bf16) } else { f32 }
  memory { budget = 16GiB; recompute = full }
  parallel { data = auto; tensor = 2; shard = optimizer; split = [inputs => tensor] }
  evaluate {
    every = 1 epochs; batches = 2; keep_best = minimum(validation.bright); patience = 1 epochs
  }
  checkpoint { every = 30min; keep = keep; light = 5min; to = "runs/here" }
  guard { nonfinite = stop; spike = rollback }
  report { every = 2 steps; tensorboard = "runs"; prometheus = 9400; mlflow = env("MLFLOW_URI") }
}
