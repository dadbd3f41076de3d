use nn, optim, data

let digits = data.idx("tiny")

train t {
  let net = nn.Linear(6, digits.classes)
  data = digits
  batch = 2
  fn loss(batch) {
    cross_entropy(net(reshape(cast(batch.image, f32), [batch.size, 6])), batch.label)
  }
  optimizer = optim.Adam(lr = 1e-3)
  duration = 5 epochs
  command row(index: int) -> f32[...] { net.weight[index] }
  command rows(index: int) -> f32[...] { net.weight[0:index] }
  command score(index: int) -> f32[...] {
    require index < 6
    net.weight[index]
  }
}
