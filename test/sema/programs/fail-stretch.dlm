use optim, data
let images = data.idx("tiny")
model Net() {
  param bias: f32[5] = zeros
  param square: f32[3, 3] = zeros
  fn forward(x) { x }
}
train t {
  let net = Net()
  data = images
  batch = 2
  fn loss(batch) {
    let x = cast(batch.image, f32)
    let row = mean(x, over = (1, 2))
    let column = mean(x, over = 1)
    let kept = mean(x, over = (1, 2), keep = true)
    let fine = x + kept + column[:, new, :] + row[:, new, new]
    let a = row + row[:, new]
    let b = kept * net.bias
    let c = x - row
    let d = x * (column + 1)
    let e = row[:, new] == net.bias
    let f = net.square + row
    let g = net.square + net.bias
    let h = x @ net.bias
    let i = x @ net.square[new] @ net.square[:, new]
    let j = 3 @ x
    let k = row @ x
    mean(row)
  }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
