use nn, optim, data
model Counted(n: int) {
  let net = nn.Linear(n, 1)
  buffer calls: i32[] = 0
  buffer level: f32[] = 0
  fn forward(x: f32[B, n]) -> f32[B, 1] {
    next calls = calls + 1
    next level = mean(x)
    net(x)
  }
}
fn flat(batch) { reshape(cast(batch.image, f32), [batch.size, 6]) }
train t {
  let a = Counted(6)
  let b = Counted(6)
  let c = Counted(6)
  data = data.idx("tiny")
  batch = 2
  update first {
    of = [a, b]
    optimizer = optim.SGD(lr = 0.1)
    fn loss(batch) { mean(a(flat(batch)) + b(flat(batch)) + frozen(c)(flat(batch))) }
  }
  update second {
    of = c
    repeat = 3
    optimizer = optim.SGD(lr = 0.1)
    fn loss(batch) { mean(frozen(a)(flat(batch)) + b(flat(batch)) + c(flat(batch))) }
  }
  duration = 1 epochs
}
