use nn, optim, data

let flats = data.csv("flats.csv", label = "kind", validation = 2, columns = [
  "area" => data.number(),
  "district" => data.category(unknown = true),
  "rooms" => data.category(),
])

train flats_run {
  let table = nn.Embedding(3, flats.classes)
  data = flats
  batch = 2
  duration = 5 epochs
  optimizer = optim.Adam(lr = 1e-3)
  fn loss(batch) { cross_entropy(table(batch.category[:, 1]), batch.label) }
}
