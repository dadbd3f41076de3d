// Every function of the module `random`, and element types.
use nn, optim, data
let images = data.idx("tiny")
fn same(x: int_[...], y: int_[...]) { x + y }
train t {
  let net = nn.Linear(3, 3)
  data = images
  batch = 2
  fn loss(batch) {
    let z = random.normal([batch.size, 3], mean = 1, std = 2)
    let e = random.uniform([batch.size, 1], high = 3)
    let n = random.int(0, 10, [batch.size])
    let order = random.permutation(3)
    let wide = cast(z, f64) * 2 + 0.5
    let half = exp(cast(z, f16)) / 3
    let bits = cast(same(n, batch.label), u32)
    let right = random.bernoulli(sigmoid(z))
    mean(net(z * e)[:, 0]) + mean(cast(wide, f32)) + mean(cast(half, f32)) + mean(cast(bits, f32))
      + mean(right) + mean(cast(same(order, iota(3)), f32)) + mean(random.categorical(z) == 0)
  }
  optimizer = optim.SGD(lr = 0.1)
  duration = 30 steps
}
