use nn, optim, data
let ten = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]
let million = [i for a in ten for i in 0..100000]
let more = million + [1]
let made = [i for a in ten for i in million]
let a1 = [1, 1]
let a2 = [a1, a1]
let a3 = [a2, a2]
let a4 = [a3, (x = a3, y = 1)]
let deep = a4 + 1
fn same(x: f32[...L], y: f32[...L]) { x }
train t {
  let net = nn.Linear(6, 3)
  data = data.idx("tiny")
  batch = 2
  fn loss(batch) {
    let x = full([1, 1, 1, 1, 2], 0.5)
    let y = full([1, 1, 1, 1, 3], 0.5)
    mean(same(x, y))
  }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
