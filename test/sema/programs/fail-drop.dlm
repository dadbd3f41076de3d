// Columns that cannot be left out, and a class that only the end of a sorted file has.
use data

let typo = data.csv("leaves.csv", label = "kind", drop = ["idd"])
let one = data.csv("leaves.csv", label = "kind", drop = "id")
let goal = data.csv("leaves.csv", label = "kind", drop = ["id", "kind"])
let both = data.csv("leaves.csv", label = "kind", drop = ["id"], columns = [
  "age" => data.number(missing = allowed),
])
let number = data.csv("leaves.csv", label = "kind", drop = [1])
let gaps = data.csv("leaves.csv", label = "kind", drop = ["length"])
let last = data.csv("leaves.csv", label = "kind", drop = ["length", "age"], validation = 16)
let word = data.csv("leaves.csv", label = "kind", split = random)
let shuffle = data.csv("leaves.csv", label = "kind", shuffle = true)
