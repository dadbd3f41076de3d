// flags: --every-train
// Arguments and values as other libraries take them.
use nn, optim, data

let digits = data.idx("tiny")

model Net(classes: int) {
  let first = nn.Linear(6, 16.0)
  let second = nn.Linear(6, 16)
  let third = nn.Linear(16, classes)
  fn forward(x) {
    let h = second(x)
    let a = einsum("bi,bi->b", x, x)
    let b = third(mean(h))
    let c = h - mean(h, over = -1)
    let d = maximum(h, 0)
    x
  }
}

train first {
  data = "tiny"
  batch = 2
  validation = 20%
  optimizer = optim.Adam(lr = 1e-3)
  duration = 5 epochs
  fn loss(batch) { 1 }
}

train second {
  let net = Net(digits.classes)
  data = digits
  batch = 2
  optimizer = optim.Adam(lr = 1e-3)
  duration = 5 epochs
  fn loss(batch) {
    let x = reshape(cast(batch.image, f32), [-1, 6])
    let y = batch[0]
    let k = net(reshape(cast(batch.image, f32), [batch.size, 6]))
    let l = nll_loss(log_softmax(x, over = -1), batch.label)
    let a = optimizer.zero_grad()
    let b = backward(l)
    l
  }
}
