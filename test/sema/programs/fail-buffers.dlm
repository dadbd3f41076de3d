use nn, optim, data
let images = data.idx("tiny")
model Wrong(n: int) {
  param w: f32[n] = zeros
  param table: f32[batch, n] = zeros
  buffer empty: f32[n]
  buffer ids: i32[n] = normal
  buffer half: i32[n] = 0.5
  buffer mean_of: f32[n] = zeros
  buffer count: i64[] = 0
  fn forward(x: f32[batch, n]) {
    next w = zeros([n])
    next mean_off = zeros([n])
    next mean_of = zeros([n + 1])
    next mean_of = zeros([n], i32)
    next mean_of = mean(x, over = 0)
    next mean_of = mean(x, over = 0)
    next count = 0.5
    next count = count + 1
    next empty = 3
    x + w
  }
}
fn outside(x) {
  next s = x
  x
}
train t {
  let net = Wrong(6)
  data = images
  batch = 2
  fn loss(batch) {
    let x = reshape(cast(batch.image, f32), [batch.size, 6])
    mean(x |> net |> net |> outside)
  }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
