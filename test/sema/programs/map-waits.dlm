// What a map of samples cannot do yet: it is told no step.
use nn, optim, data, random

let tiny = data.idx("tiny") |> data.map(fn(s) {
  let shift = cast(random.int(0, 3, [2, 3]), f32)
  (x = reshape(cast(s.image, f32) * cast(epoch, f32) + shift, [6]), label = s.label)
})

train t {
  let net = nn.Linear(6, 3)
  data = tiny
  batch = 2
  fn loss(batch) { cross_entropy(net(batch.x), batch.label) }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
