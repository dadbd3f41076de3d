use nn, optim, data
let images = data.idx("tiny")
model Net(width: int) {
  param w1: f32[6, width] = normal(std = 0.02)
  param w2: f32[10, 3] = normal(std = 0.02)
  param start: f32[2, 2] = zeros([2, 3])
  fn forward(x: f32[B, 6]) -> f32[B, 4] {
    let h = relu(x @ w1)
    h @ w2
  }
  fn short(x: f32[B, 6]) -> f32[B, 4] { x[:, new] }
  fn other(x: f32[B, N], y: f32[B, N]) { x + y }
}
train t {
  let net = Net(width = 8)
  data = images
  batch = 2
  fn loss(batch) {
    let image = cast(batch.image, f32)
    let flat = reshape(image, [batch.size, 6])
    let a = reshape(image, [batch.size, 7])
    let b = flat + mean(image, over = -1)
    let c = sum(flat, over = -1, keep = true) + sum(flat, over = -1)
    let d = net.other(flat, image[:, :, new])
    let e = net.other(flat, mean(image, over = -1))
    let f = net.short(flat)
    let g = flat @ batch.label
    mean(net(flat))
  }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
