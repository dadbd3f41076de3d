use nn, optim, data

model Net() {
  let blocks = [nn.Linear(6, 6) for _ in 0..2]
  let head = nn.Linear(6, 3)
  fn forward(x: f32[B, 6]) -> f32[B, 3] { x |> blocks |> head }
}

train t {
  let net = Net()
  data = data.idx("tiny")
  batch = 2
  fn loss(batch) {
    cross_entropy(net(reshape(cast(batch.image, f32), [batch.size, 6])), batch.label)
  }
  fn optimizer(p) {
    let layers = [i for i in 0..2 if "net.blocks." + string(i) + "." in p.path]
    let rate = if "net.block." in p.path { 0.1 } else { 0.2 }
    let decay = if p.name in ["bias", "wieght"] { 0.0 } else { 0.1 }
    if p.path == "net.haed.weight" or p.name != "gamma" or p.path == "head.bias" {
      optim.AdamW(lr = rate, weight_decay = decay)
    } else {
      optim.SGD(lr = 0.1 * len(layers))
    }
  }
  duration = 1 epochs
}
