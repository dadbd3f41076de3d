// Cells that are no numbers in columns of numbers, and columns that are not named as they are.
use data

let cell = data.csv("incomes.csv", target = "age", columns = [
  "income" => data.number(missing = allowed),
])
let goal = data.csv("incomes.csv", target = "price")
let validated = data.csv("earned.csv", target = "age", validation = "incomes.csv", columns = [
  "income" => data.number(missing = allowed),
])
let names = data.csv("incomes.csv", target = "age", columns = ["income", "city"])
let capital = data.csv("flats.csv", target = "Price", columns = ["area" => data.number()])
let other = data.csv("flats.csv", target = "worth", columns = ["area" => data.number()])
let less = data.csv("flats.csv", target = "price", usecols = ["kind"])
