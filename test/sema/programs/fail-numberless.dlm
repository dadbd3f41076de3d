// A table without columns of numbers, whose count is a size in several places.
use nn, optim, data
let leaves = data.csv("flats.csv", label = "kind", columns = ["district" => data.category()])
model Standard(columns: data.Columns) {
  buffer centre: f32[columns.numbers] = data.fit(columns, fn(c) {
    mean(c.number, where = c.present)
  })
  buffer spread: f32[columns.numbers] = data.fit(columns, fn(c) {
    std(c.number, where = c.present)
  })
  fn forward(x: f32[B, N]) -> f32[B, N] { (x - centre) / spread }
}
train t {
  let standard = Standard(leaves.columns)
  let net = nn.Linear(leaves.columns.numbers, leaves.classes)
  data = leaves
  batch = 2
  fn loss(batch) { cross_entropy(net(standard(batch.number)), batch.label) }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
