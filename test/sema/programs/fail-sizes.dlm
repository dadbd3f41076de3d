use nn, optim, data
let tiny = data.idx("tiny")
let wide = 10 ** 400
let narrow = 2.5 ** 1e9
let least = min(3)
model Huge(n: int) {
  param w: f32[n, n] = zeros
  fn forward(x) { sum(w) * x }
}
model Listed() {
  let layer = nn.Linear(6, least)
  fn forward(x: f32[B, 2, 3]) { layer(reshape(x, [B, 6])) }
}
train t {
  let huge = Huge(2 ** 40)
  let listed = Listed()
  data = tiny
  batch = 2 ** 31 + 1
  fn loss(batch) { mean(huge(cast(batch.image, f32))) }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
