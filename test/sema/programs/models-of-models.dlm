// flags: --train=t
// What can be made of a model: each is a value like any other.
use nn, optim, data
let images = data.idx("tiny")
model Net(n: int) {
  let fit = nn.Linear(n, n)
  buffer seen: i64 = 0
  fn forward(x: f32[batch, n]) {
    next seen = seen + 1
    if training { fit(x) } else { 2 * fit(x) }
  }
}
train before {
  let n = 6
  let net = Net(n)
}
train t {
  let start = trained(before)
  let teacher = frozen(start.net)
  let names = ["fit.weight" => transpose("w"), "fit.bias" => "b"]
  let net = weights(Net(6), "old.safetensors", names = names)
  let old = copy(net)
  let average = ema(net, decay = 0.99)
  data = images
  batch = 2
  fn loss(batch) {
    let x = reshape(cast(batch.image, f32), [batch.size, 6])
    let y = precise(net)(x) + frozen(net)(x) + teacher.fit(x)
    let z = recompute(fn(x) { tanh(x) })(y)
    mean(z - old(x)) + 0 * sum(frozen(net).fit.weight)
  }
  fn metrics(batch) {
    let x = reshape(cast(batch.image, f32), [batch.size, 6])
    (a = mean(average(x)), b = mean(ema(net, decay = 99%)(x)))
  }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
