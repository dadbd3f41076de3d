use nn, optim, data
let houses = data.csv("houses.csv", target = "price")
model Scale() {
  buffer each: f32[] = data.fit(houses, fn(all) { log(all.target) })
  buffer seven: f32[] = data.fit(houses, fn(all) { iota(7) })
  buffer there: f32[500, 2] = data.fit(houses, fn(all) { all.present })
  buffer column: f32[2] = data.fit(houses.columns, fn(c) { log(c.number) })
  buffer right: f32[2] = data.fit(houses, fn(all) {
    mean(all.number, over = 0, where = all.present)
  })
  param start: f32[2] = data.fit(houses, fn(all) { std(all.number, over = 0) })
  fn forward(x: f32[B, 2]) -> f32[B, 2] { (x - right) / start * each * seven }
}
train t {
  let scale = Scale()
  data = houses
  batch = 4
  fn loss(batch) { mean(scale(batch.number)) }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
