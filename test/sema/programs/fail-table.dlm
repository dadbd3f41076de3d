use data
let shop = data.csv("shop.csv", target = "paid", validation = 5%)
let sales = data.csv("sales.csv", target = "paid", columns = [
  "age" => data.category(),
  "paid" => data.number(),
])
let visits = data.csv("sales.csv", target = "paid", columns = [
  "paid" => data.number(),
  "city" => data.number(),
])
let orders = data.csv("sales.csv", target = "paid", columns = [
  "paid" => data.number(),
  "usr" => data.number(),
])
let bills = data.csv("sales.csv", target = "paid", columns = [
  "city" => data.category(missing = allowed),
  "paid" => data.number(),
])
let twice = data.csv("twice.csv", target = "a")
let houses = data.csv("houses.csv", target = "price")
let place = houses.columns.index("prize")
train t { data = houses }
