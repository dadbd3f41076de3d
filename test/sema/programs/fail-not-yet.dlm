use optim, data
train t {
  data = data.idx("tiny")
  batch = 2
  duration = 6 steps
  optimizer = optim.SGD(lr = 0.1)
  fn loss(batch) {
    let x = cast(batch.image, f32)
    let a = x[0]
    let b = epoch * seed
    let d = data.csv("rows.csv")
    mean(x @ x)
  }
}
