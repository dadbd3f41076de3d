// What is named and never used, and probabilities where logits are wanted.
use nn, optim, data
fn scale(x, by, bias) {
  let twice = 2 * x
  let _spare = by
  x * by
}
// x gives the sizes that are used, and z none
fn places(x: f32[G, N], z: f32[G, N]) -> i32[G, N] { expand(iota(N), [G, N]) }
model Net(inputs: int, width: int, depth: int) {
  let layer = nn.Linear(inputs, width)
  fn forward(x) {
    let (a, b) = (layer(x), x)
    // b is not used: a comment does not count
    a
  }
}
train t {
  let net = Net(6, 3, 2)
  let images = data.idx("tiny")
  data = images
  batch = 2
  fn loss(batch) {
    let y = net(reshape(cast(batch.image, f32), [batch.size, 6]))
    let p = softmax(y, over = -1)
    let q = sigmoid(y)
    (first = cross_entropy(p, cast(batch.label, i32)),
     second = binary_cross_entropy_with_logits(q, scale(q, 0.5, 1)),
     third = binary_cross_entropy_with_logits(y, q))
  }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
