// Where the place of a column is needed, and its name is given.
use nn, optim, data
let flats = data.csv("flats.csv", target = "price", missing = allowed)
train t {
  let net = nn.Linear(1, 1)
  data = flats
  batch = 2
  fn loss(batch) {
    let named = batch.number[:, "area"]
    let member = batch.number[:, flats.columns.area]
    let looked = batch.number[:, flats.columns["area"]]
    let other = batch.number[:, "aera"]
    mean(batch.floor + batch.present)
  }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
