// A table that is there: columns, counts, classes and values are read from the file.
use nn, optim, data

let flats = data.csv("flats.csv", label = "kind", validation = 2, columns = [
  "area" => data.number(),
  "floor" => data.number(missing = allowed),
  "district" => data.category(unknown = true),
  "rooms" => data.category(),
])

test "the table is known" {
  let columns = flats.columns
  expect flats.count == 6 and flats.validation_count == 2 and flats.classes == 2
  expect columns.numbers == 2 and columns.index("floor") == 1
  // north, south, west, unknown
  expect [c.size for c in columns.categories] == [4, 6]
}

train t {
  let net = nn.Linear(flats.columns.numbers, flats.classes)
  data = flats
  batch = 2
  fn loss(batch) {
    cross_entropy(net(where(batch.present, batch.number, 0)), batch.label)
  }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
