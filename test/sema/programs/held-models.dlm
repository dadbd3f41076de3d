// Models that are not trained: their parameters belong to no update and have no optimizer.
use nn, optim, data
fn flat(batch) { reshape(cast(batch.image, f32), [batch.size, 6]) }
model Classifier() {
  let trunk = frozen(nn.Linear(6, 4))
  let head = nn.Linear(4, 3)
  fn forward(x: f32[B, 6]) { head(trunk(x)) }
}
train t {
  let teacher = frozen(nn.Linear(6, 3))
  let net = Classifier()
  let slow = recompute(net)
  let average = ema(slow, decay = 0.9)
  let parts = [slow.head]
  data = data.idx("tiny")
  batch = 2
  update heads {
    of = [parts]
    optimizer = optim.SGD(lr = 0.1)
    fn loss(batch) {
      let x = flat(batch)
      mean((slow(x) - teacher(x)) ** 2) + mean(abs(recompute(average).head(average.trunk(x))))
    }
  }
  duration = 1 steps
}
export all_of_it of t { model = ema(net, decay = 0.9); onnx = "net.onnx" }
export part of t { model = average.head; onnx = "head.onnx" }
export plain of t { model = slow; onnx = "slow.onnx" }
export kept of t { model = teacher; onnx = "teacher.onnx" }
