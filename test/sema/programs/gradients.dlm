// The gradient of a critic at points, inside of a loss.
use nn, optim, data
let images = data.idx("tiny")
train t {
  let critic = nn.MLP([6, 4, 1])
  data = images
  batch = 2
  fn loss(batch) {
    let x = reshape(cast(batch.image, f32), [batch.size, 6])
    let slope = grad(fn(y) { sum(critic(y)) })(x)
    let curve = grad(grad(fn(y) { y ** 3 }))(mean(x))
    (penalty = mean((sum(slope ** 2, over = -1) - 1) ** 2), curve = curve)
  }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
