// A table: numbers that may be missing, categories, and the column to predict. A column of whole
// numbers may be read as a category; columns are found by their names.
use nn, optim, data

let houses = data.csv("houses.csv", target = "price", validation = 10%, test = 10%, columns = [
  "area" => data.number(missing = allowed),
  "zip" => data.category(min_count = 5, unknown = true),
  "price" => data.number(),
])
let sales = data.csv("sales.csv", target = "paid", columns = [
  "city" => data.category(),
  "age" => data.number(),
  "user" => data.category(),
  "paid" => data.number(),
])

fn sizes(columns: data.Columns) -> [int] { [c.size for c in columns.categories] }

/// A table's columns of numbers, each looked at by itself.
model Centre(columns: data.Columns) {
  buffer middle: f32[columns.numbers] = data.fit(columns, fn(c) {
    mean(c.number, where = c.present)
  })
  fn forward(x: f32[B, N]) -> f32[B, N] { x - middle }
}

train t {
  let columns = sales.columns
  let net = nn.Linear(houses.columns.numbers + sizes(houses.columns)[0], 1)
  let centre = Centre(columns)
  let user = nn.Linear(sizes(columns)[columns.index("user")], 1 + columns.index("age"))
  data = houses
  batch = 4
  fn loss(batch) {
    let x = where(batch.present, batch.number, 0)
    mean((sum(x, over = 1) - log(batch.target)) ** 2) + mean(net.weight ** 2) + mean(net.bias ** 2)
      + mean(centre(batch.number)) + mean(user.weight) + mean(user.bias)
  }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
