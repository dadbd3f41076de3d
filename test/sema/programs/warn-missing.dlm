// flags: --every-train
// Cells may be missing, and what is computed of the numbers does not ask which are present.
use nn, optim, data

let flats = data.csv("flats.csv", target = "price", columns = [
  "area" => data.number(),
  "floor" => data.number(missing = allowed),
])
/// Asks for one of three.
model Standard(columns: data.Columns) {
  buffer centre: f32[columns.numbers] = data.fit(columns, fn(c) { mean(c.number) })
  buffer spread: f32[columns.numbers] = data.fit(columns, fn(c) {
    std(c.number, where = c.present)
  })
  buffer most: f32[columns.numbers] = data.fit(flats, fn(all) { mean(all.number, over = 0) })
  fn forward(x: f32[B, N]) -> f32[B, N] { (x - centre) / spread / most }
}
train numbers_alone {
  let standard = Standard(flats.columns)
  let net = nn.Linear(flats.columns.numbers, 1)
  data = flats
  batch = 2
  fn loss(batch) { mean((net(standard(batch.number))[:, 0] - batch.target) ** 2) }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
train one_column {
  let net = nn.Linear(1, 1)
  data = flats
  batch = 2
  fn loss(batch) { mean((net(batch.number[:, :1])[:, 0] - batch.target) ** 2) }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
