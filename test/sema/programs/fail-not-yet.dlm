use optim, data
train t {
  data = data.idx("tiny")
  batch = 2
  duration = 6 steps
  clip_norm = 1.0
  evaluate { every = 1 epochs; batches = 3 }
  memory { budget = 16GiB }
  command sample(n: int) { n }
  update u { of = 3 }
  fn optimizer(p) { p }
  fn loss(batch) {
    let x = cast(batch.image, f32)
    let a = x[0]
    let b = epoch
    let c = fold(x, 0..3, fn(y, _) { y })
    let d = data.csv("rows.csv")
    mean(x @ x)
  }
}
search s of t { minimize = 3 }
export e of t { model = 3 }
test "nothing" { expect true }
