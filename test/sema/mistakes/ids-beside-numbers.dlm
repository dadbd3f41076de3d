use nn, optim, data

let flats = data.csv("flats.csv", label = "kind", validation = 2, columns = [
  "area" => data.number(),
  "rooms" => data.category(),
])

train flats_run {
  let net = nn.Linear(2, flats.classes)
  data = flats
  batch = 2
  duration = 5 epochs
  optimizer = optim.Adam(lr = 1e-3)
  fn loss(batch) {
    cross_entropy(net(concat([batch.category, batch.number], over = 1)), batch.label)
  }
}
