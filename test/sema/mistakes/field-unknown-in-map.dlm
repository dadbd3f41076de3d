use nn, optim, data, schedule

let tagged = data.npy("sentences.npz") |> data.map(fn(s) { (x = s.nothing, label = s.tags) })

train t {
  let net = nn.Linear(4, 3)
  data = tagged
  batch = 32
  fn loss(batch) { cross_entropy(net(batch.x), batch.label) }
  optimizer = optim.Adam(lr = schedule.cosine(1e-3, warmup = 5 epochs))
  duration = 20 epochs
}
