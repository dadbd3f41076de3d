use nn, optim, data

let flats = data.csv("flats.csv", label = "kind", validation = 2, columns = [
  "district" => data.category(unknown = true),
  "rooms" => data.category(),
])

train flats_run {
  let table = nn.Embedding(4, flats.classes)
  data = flats
  batch = 2
  duration = 5 epochs
  optimizer = optim.Adam(lr = 1e-3)
  fn loss(batch) { cross_entropy(sum(table(batch.category), over = 1), batch.label) }
}
