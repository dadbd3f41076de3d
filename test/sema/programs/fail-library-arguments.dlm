// Shapes that do not fit inside of a library function: what was given to it is shown.
use nn, optim, data

let digits = data.idx("tiny")

fn fixed(x: f32[batch, 6]) -> f32[batch, 6] { x }

train shapes {
  let net = nn.Linear(6, 1)
  let scores = nn.Linear(6, 12)
  data = digits
  batch = 2
  fn loss(batch) {
    let x = reshape(cast(batch.image, f32) / 255, [batch.size, 6])
    let y = cast(batch.label, f32)
    let pairs = reshape(scores(x), [batch.size, 4, 3])
    let width = 6
    let a = huber(net(x), y)
    let b = mse(2 * net(x), y)
    let c = mse(x, y)
    let d = cross_entropy(pairs, iota(4))
    let e = mse(net(x)[:, 0], y, where = y)
    let f = mean(x, where = x + 1)
    let g = normalize(x, over = width)
    let h = reshape(x, [batch / 2, 12])
    let i = batch.image[1]
    let j = sum(x, over = batch)
    let k = x @ scores.weight.T
    let l = pairs @ pairs.T
    let m = pairs @ pairs
    let n = split(x, 2, over = 0)
    let o = batch + 1
    let p = iota(batch)
    mean(net(x))
  }
  command draw(n: int = 1) -> f32[n, 6] {
    require n <= 8
    let (a, b) = split(zeros([n, 6]), 2, over = 0)
    zeros([n, 6])
  }
  optimizer = optim.Adam(lr = 1e-3)
  duration = 5 epochs
}

test "one sample" {
  expect fixed(zeros([1, 6])) == 0
}
