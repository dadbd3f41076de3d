use nn, optim, schedule, data
option peak = 1e-2
option warmup = 10 steps
let images = data.idx("tiny")
model Net(width: int) {
  let inner = nn.Chain([nn.Linear(6, width), relu, nn.Chain([nn.LayerNorm(width), gelu])])
  let outer = nn.MLP([width, width, 3], act = silu)
  fn forward(x: f32[B, 6]) { x |> inner |> outer }
}
train t {
  let net = Net(4)
  data = images
  batch = 2
  micro = 1
  fn logits(batch) { net(reshape(cast(batch.image, f32), [batch.size, 6])) }
  fn loss(batch) {
    let y = logits(batch)
    let rate = schedule.linear(from = 0, to = 0.1, over = 20 steps)
    (ce = cross_entropy(y, batch.label), size = rate * mean(y ** 2))
  }
  fn metrics(batch) {
    let y = logits(batch)
    (perplexity = exp(cross_entropy(y, batch.label)),
     hits = sum(argmax(y, over = -1) == batch.label))
  }
  optimizer = optim.AdamW(lr = schedule.cosine(peak = peak, warmup = warmup), weight_decay = 0.0)
  duration = 100 steps
}
