use optim, data
let images = data.idx("tiny")
fn scale(x, by, plus = 0) { x * by + plus }
fn again(x) { again(x) }
train t {
  data = images
  batch = 2
  fn loss(batch) {
    let x = cast(batch.image, f32)
    let a = scale(x, factor = 2)
    let b = scale(x)
    let c = scale(x, 1, 2, 3)
    let d = scale(x, 1, x = 2)
    let e = scale(x, by = 2, 3)
    let f = scale(by = 2)(x)
    let g = 3(x)
    let h = again(x)
    let i = softmax(x, ovr = -1)
    mean(x)
  }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
