// A step that takes the batch itself is seen too: over the evaluation set it is not whole.
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
  fn loss(batch) { mean(net(cast(batch.image, f32))) }
  fn metrics(batch) {
    let mean_of_all = mean(cast(batch.image, f32), over = (0, 1))
    let fine = fold(mean_of_all, zeros([2, 3]), over = 0, body = fn(s, x) { exp(s) })
    let wrong = fold(zeros([3]), zeros([2, 3]), over = 0, body = fn(s, x) {
      s + exp(mean(cast(batch.image, f32), over = (0, 1)))
    })
    (fine = mean(fine), wrong = mean(wrong))
  }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
