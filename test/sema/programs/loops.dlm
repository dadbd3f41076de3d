// Loops over lists are unrolled; along an axis, or over an open range, they are one loop.
use nn, optim, data
let images = data.idx("tiny")
let powers = fold(1, 0..5, fn(x, _) { 2 * x })
let (total, sums) = scan(0, [3, 4, 5], fn(s, x) { (s + x, s + x) })
let capped = fold(0, [3, 4, 5], fn(s, x) { s + x }, until = fn(s) { s > 5 })
model Cell(n: int) {
  let fit = nn.Linear(n, n)
  fn forward(rows: f32[batch, T, n]) {
    let start = (h = zeros([batch, n]), count = 0)
    let (last, ys) = scan(start, rows, over = T, body = fn(s, row) {
      let h = tanh(fit(s.h) + row)
      ((h = h, count = s.count + 1), h)
    })
    (last = last.h, ys = ys, count = last.count)
  }
}
train t {
  let cell = Cell(3)
  let layers = [nn.Linear(3, 3) for _ in 0..2]
  data = images
  batch = 2
  fn loss(batch) {
    let rows = cast(batch.image, f32)
    let y = cell(rows)
    let deep = fold(y.last, layers, fn(x, layer) { relu(layer(x)) })
    let half = fold(1.0, 0..20, fn(x, i) { 0.5 * x }, until = fn(x) { x < 1e-3 })
    let many = fold(0.0, 0..batch.size, fn(s, i) { s + 1 })
    half * mean(deep) + mean(y.ys) + 0 * many + 1.0 * (powers + total + len(sums) + capped)
  }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
