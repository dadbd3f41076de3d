// flags: -Dwidth=0 -Dheads=0
// An option that makes sizes wrong is reported itself, once, and not each of the sizes.
use nn, optim, data

option width = 8
option heads = 2
option depth = 0
option groups = 4

model Net() {
  let inner = nn.Linear(width, 2 * width)
  param scale: f32[width] = ones
  param table: f32[4 * width, depth] = zeros
  param far: f32[groups - 4] = zeros // the difference is wrong, not the option
  fn forward(x: f32[B, N]) -> f32[B, N] {
    let a = reshape(x, [batch, heads, width / heads])
    let b = zeros([batch.size * width, depth])
    let c = zeros([width, width / heads])
    x
  }
}

train t {
  let net = nn.Chain([nn.Linear(6, width), nn.RMSNorm(width), nn.Linear(width, 3)])
  let other = Net()
  let deep = nn.Linear(6, depth)
  data = data.idx("tiny")
  batch = 2
  fn loss(batch) {
    let x = reshape(cast(batch.image, f32), [batch.size, 6])
    mean(other(x)) + mean(deep(x)) + cross_entropy(net(x), batch.label)
  }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
