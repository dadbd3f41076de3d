use optim, data
let images = data.idx("tiny")
let half = 7 / 2
let nothing = 1 / 0
let huge = 99999999999999999999
let (a, b) = (1, 2, 3)
let sizes = [2, 3]
let third = sizes[2]
let text = "a" + 1
fn typed(x: floot) { x }
fn empty(x) { let y = x }
train t {
  data = images
  batch = 2
  fn loss(batch) {
    let image = cast(batch.image, f32)
    let c = batch.label + image
    let d = batch.label * 0.5
    let e = batch.image / 255
    let f = zeros([half, 2])
    let g = zeros([0, 2])
    let h = sum(image, over = W)
    let i = sum(image, over = 3)
    let j = if mean(image) > 0 { 1 } else { 2 }
    let k = typed(image)
    let l = empty(image)
    let m = exp(batch.label)
    let n = zeros([step, 2])
    let o = where(image, 1, 2)
    let p = not image
    mean(image)
  }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
