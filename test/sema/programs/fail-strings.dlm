use nn, optim, data

option depth = 2
let a = "layer." + depth
let b = 3 + ".weight"
let c = "a" + none
let d = string("a")
let e = str(3)

train t {
  let net = nn.Linear(6, 3)
  data = data.idx("tiny")
  batch = 2
  fn loss(batch) {
    let f = string(batch.size)
    cross_entropy(net(reshape(cast(batch.image, f32), [batch.size, 6])), batch.label)
  }
  fn optimizer(p) {
    let rate = p.rank + p.name
    optim.SGD(lr = rate)
  }
  duration = 1 epochs
}
