use nn, optim, data

let houses = data.csv("houses.csv", target = "price", validation = 10%, columns = [
  "area" => data.number(),
  "rooms" => data.number(),
  "zip" => data.category(),
  "price" => data.number(),
])

train prices {
  let net = nn.Linear(2, 1)
  data = houses
  batch = 4
  fn loss(batch) {
    let small = batch.rooms < 3
    let place = batch.zip
    mse(net(batch.number)[:, 0], batch.price)
  }
  optimizer = optim.Adam(lr = 1e-3)
  duration = 5 epochs
}
