// What does not fit between a table and what is said of it.
use data

let lost = data.csv("loft.csv", target = "price")
let gaps = data.csv("flats.csv", target = "price")
let named = data.csv("flats.csv", target = "price", columns = [
  "district" => data.number(),
  "price" => data.number(),
])
let unseen = data.csv("flats.csv", target = "price", validation = 2, columns = [
  "district" => data.category(),
  "price" => data.number(),
])
let no_column = data.csv("flats.csv", target = "prize")
let two = data.csv("flats.csv", target = "price", label = "kind")
let ragged = data.csv("ragged.csv", target = "a")
let folder = data.csv(".", target = "a")
