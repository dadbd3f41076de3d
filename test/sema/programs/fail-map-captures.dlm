// A map sees its sample alone.
use nn, optim, data
let images = data.idx("tiny")
train t {
  let net = nn.Linear(3, 3)
  let seen = images |> data.map(fn(s) { (x = net(cast(s.image, f32)), label = s.label) })
  let wide = images |> data.map(fn(s) { (x = zeros([batch, 3]), label = s.label) })
  data = images
  batch = 2
  fn loss(batch) {
    let rows = cast(batch.image, f32)
    let mixed = images |> data.map(fn(s) { (x = mean(rows), label = s.label) })
    mean(net(rows)) * mixed.classes
  }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
