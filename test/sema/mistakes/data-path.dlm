// A path is a string: nothing is looked for that is none.
use optim, data, nn

option place = 3
let rows = data.csv(3, label = "label")
let lines = data.jsonl(place)

train t {
  let net = nn.Linear(1, 2)
  data = rows
  batch = 4
  fn loss(batch) { cross_entropy(net(batch.number), batch.label) }
  optimizer = optim.Adam(lr = 1e-3)
  duration = 10 steps
}
