// The grades of loops: a step that looks at each sample by itself keeps rows; what brings samples
// together in a step, or goes from sample to sample, is coupled.
use optim, data
let images = data.idx("tiny")
model Gain() {
  param gain: f32[] = ones
  fn forward(x) { gain * x }
}
train t {
  let net = Gain()
  data = images
  batch = 2
  fn loss(batch) {
    let rows = net(cast(batch.image, f32))
    let start = zeros([batch.size, 3])
    let by_itself = fold(start, rows, over = 1, body = fn(s, row) { tanh(s + row) })
    let mixed = if training {
      let centred = rows - mean(rows, over = 0, keep = true)
      let of_captured = fold(start, rows, over = 1, body = fn(s, row) { s + row * centred[:, 0] })
      let of_sum = fold(start, rows, over = 1, body = fn(s, row) { s + row * mean(rows) })
      let in_step = fold(start, rows, over = 1, body = fn(s, row) {
        s + row - mean(row, over = 0, keep = true)
      })
      let along = fold(zeros([2, 3]), rows, over = 0, body = fn(s, x) { 0.5 * s + x })
      let (_, numbered) = scan(0.0, 0..batch.size, fn(s, i) { (s + 1, s) })
      mean(of_captured + of_sum + in_step) + mean(along) + mean(numbered)
    } else { 0 }
    mean(by_itself) + mixed
  }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
