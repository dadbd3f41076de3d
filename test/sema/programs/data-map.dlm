// A map makes the fields of a sample; it sees whether it is for training.
use nn, optim, data

let digits = data.idx("mnist") |> data.map(fn(s) {
  let x = reshape(cast(s.image, f32) / 255, [784])
  (x = if training { x * 1.1 } else { x }, label = s.label)
})

train t {
  let net = nn.Linear(784, digits.classes)
  data = digits
  batch = 4
  fn loss(batch) { cross_entropy(net(batch.x), batch.label) }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
