// flags: --train=learn
// Models of another run, layers and arguments under the names of other libraries.
use nn, optim, data, schedule

let digits = data.idx("tiny")

train teach {
  let net = nn.Linear(6, 3)
  data = digits
  batch = 2
  fn loss(batch) {
    cross_entropy(net(reshape(cast(batch.image, f32) / 255, [batch.size, 6])), batch.label)
  }
  optimizer = optim.Adam(lr = 1e-3)
  duration = 5 epochs
}

train learn {
  let stack = nn.Sequential(nn.Linear(6, 3), nn.GELU())
  let direct = frozen(teach.net)
  let whole = frozen(trained(teach))
  let wrong = frozen(trained(teach).model)
  let quoted = frozen(trained("teach").net)
  let layer = nn.Linear(in_features = 6, out_features = 3)
  let drawn = normal([2, 3])
  let open = random.normal(2, 3)
  data = digits
  batch = 2
  fn loss(batch) {
    let x = reshape(cast(batch.image, f32) / 255, [batch.size, 6])
    let y = x[:, None] + x[..., np.newaxis]
    let a = huber(x, x, beta = 2.0)
    let b = clamp(low = 0, x, 1)
    mean(layer(x)) + mean(x.ndim)
  }
  fn optimizer(p) {
    let size = p.ndim
    optim.Adam(lr = 1e-3, weight_decay = 0.1)
  }
  duration = 5 epochs
}
