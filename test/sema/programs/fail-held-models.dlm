// flags: --train=t
use nn, optim, data
fn flat(batch) { reshape(cast(batch.image, f32), [batch.size, 6]) }
train before {
  let net = nn.Linear(6, 3)
}
train t {
  let start = trained(before)
  let net = nn.Linear(6, 3)
  let old = copy(net)
  let held = nn.Chain([frozen(nn.Linear(6, 3))])
  data = data.idx("tiny")
  batch = 2
  update a {
    of = frozen(net)
    optimizer = optim.SGD(lr = 0.1)
    fn loss(batch) { mean(net(flat(batch))) }
  }
  update b {
    of = [net, old]
    optimizer = optim.SGD(lr = 0.1)
    fn loss(batch) { mean(net(flat(batch))) }
  }
  update c {
    of = [ema(net, decay = 0.9)]
    optimizer = optim.SGD(lr = 0.1)
    fn loss(batch) { mean(net(flat(batch))) }
  }
  update d {
    of = start
    optimizer = optim.SGD(lr = 0.1)
    fn loss(batch) { mean(net(flat(batch))) }
  }
  update e {
    of = held
    optimizer = optim.SGD(lr = 0.1)
    fn loss(batch) { mean(net(flat(batch))) }
  }
  duration = 1 steps
}
export whole of t { model = start; onnx = "net.onnx" }
