// flags: --train=probe
use nn, optim, data

model Both() {
  let encoder = nn.Linear(6, 4)
  let norm = nn.BatchNorm(4)
  let decoder = nn.Linear(4, 6)
  fn forward(x: f32[B, 6]) -> f32[B, 6] { x |> encoder |> norm |> decoder }
}

model Probe(encoder: model) {
  let head = nn.Linear(4, 3)
  fn forward(x: f32[B, 6]) -> f32[B, 3] { encoder(x) |> head }
}

fn rows(batch) { reshape(cast(batch.image, f32), [batch.size, 6]) }

train before {
  let net = Both()
  data = data.idx("tiny")
  batch = 2
  fn loss(batch) { mse(net(rows(batch)), rows(batch)) }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}

train probe {
  let all = trained(before)
  let held = frozen(all.net.encoder)
  let whole = frozen(trained(before).net).encoder
  let given = Probe(frozen(trained(before).net.encoder))
  let net = Probe(trained(before).net.encoder)
  data = data.idx("tiny")
  batch = 2
  fn loss(batch) {
    let x = rows(batch)
    let close = mse(held(x), whole(x))
    cross_entropy(net(x), batch.label) + cross_entropy(given(x), batch.label) + close
  }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
