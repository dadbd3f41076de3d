// JSON lines that are there: a whole number is i32, a string a category.
use nn, optim, data

let plants = data.jsonl("plants.jsonl", validation = 25%)

test "what the file holds is known" {
  expect plants.count == 6 and plants.validation_count == 2 and plants.classes == 3
}

train t {
  let net = nn.Linear(2, plants.classes)
  data = plants
  batch = 2
  fn loss(batch) {
    cross_entropy(net(batch.petal_size), batch.label)
  }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
