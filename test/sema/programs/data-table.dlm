// A table: numbers that may be missing, categories, and the column to predict.
use nn, optim, data

let houses = data.csv("houses.csv", target = "price", validation = 10%, test = 10%, columns = [
  "area" => data.number(missing = allowed),
  "zip" => data.category(min_count = 5, unknown = true),
  "price" => data.number(),
])

fn sizes(columns: data.Columns) -> [int] { [c.size for c in columns.categories] }

train t {
  let net = nn.Linear(houses.columns.numbers + sizes(houses.columns)[0], 1)
  data = houses
  batch = 4
  fn loss(batch) {
    let x = where(batch.present, batch.number, 0)
    mean((sum(x, over = 1) - log(batch.target)) ** 2) + mean(net.weight ** 2) + mean(net.bias ** 2)
  }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
