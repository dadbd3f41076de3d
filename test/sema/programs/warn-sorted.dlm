// flags: --every-train
// A table and lines that are sorted by classes, with names that look alike and a cell that is no
// number; and what settles that.
use nn, optim, data

let few = data.csv("leaves.csv", label = "kind", validation = 12, drop = ["id"], missing = allowed)
let lines = data.jsonl("leaves.jsonl", validation = 12)
let mixed = data.jsonl("leaves.jsonl", validation = 6, test = 10%, split = shuffled)
let settled = data.csv("leaves.csv", drop = ["id", "length", "kind"], missing = allowed)
let named = data.csv("leaves.csv", label = "kind", split = shuffled, missing = allowed, columns = [
  "length" => data.category(),
  "age" => data.number(),
])

train t {
  let columns = few.columns
  let net = nn.Linear(columns.numbers + len(columns.categories), few.classes)
  data = few
  batch = 2
  fn loss(batch) {
    let age = where(batch.present, batch.number, 0)
    cross_entropy(net(concat([age, cast(batch.category, f32)], over = 1)), batch.label)
  }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
train of_lines {
  let net = nn.Linear(1, lines.classes)
  data = lines
  batch = 2
  fn loss(batch) { cross_entropy(net(batch.length[:, new]), batch.label) }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
train of_mixed {
  let net = nn.Linear(1, mixed.classes)
  data = mixed
  batch = 2
  fn loss(batch) { cross_entropy(net(batch.length[:, new]), batch.label) }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
