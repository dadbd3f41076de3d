// houses.dlm
use nn, optim, data
let houses = data.csv("houses.csv", target = "price", validation = 10%, test = 10%, columns = [
  "area" => data.number(missing = allowed),
  "rooms" => data.number(missing = allowed),
  "zip" => data.category(min_count = 5, unknown = true),
  "price" => data.number(),
])
model Net(columns: data.Columns, dim: int = 16) {
  buffer center: f32[columns.numbers] = data.fit(columns, fn(c) {
    mean(c.number, where = c.present)
  })
  buffer spread: f32[columns.numbers] = data.fit(columns, fn(c) {
    std(c.number, where = c.present)
  })
  let tables = [nn.Embedding(c.size, dim) for c in columns.categories]
  let mlp    = nn.MLP([2 * columns.numbers + dim * len(columns.categories), 128, 64, 1])
  fn forward(number: f32[B, N], present: bool[B, N], category: i32[B, C]) -> f32[B] {
    let x = where(present, (number - center) / spread, 0)
    let e = concat([tables[i](category[:, i]) for i in 0..C], over = -1)
    mlp(concat([x, cast(present, f32), e], over = -1))[:, 0]
  }
}
train houses_net {
  let net = Net(houses.columns)
  data  = houses
  batch = 256
  fn loss(batch) {
    mean((net(batch.number, batch.present, batch.category) - log(batch.target)) ** 2)
  }
  fn metrics(batch) {
    (rmse = sqrt(mean((exp(net(batch.number, batch.present, batch.category)) - batch.target) ** 2)))
  }
  optimizer = optim.AdamW(lr = 1e-3)
  duration  = 50 epochs
  evaluate { every = 1 epochs; keep_best = minimum(validation.rmse); patience = 5 epochs }
}
