// Layers that are called otherwise elsewhere, or are not there.
use nn, optim, data

let digits = data.idx("tiny")

train t {
  let a = nn.GRUCell(3, 4)
  let b = nn.ResidualBlock(3)
  let c = nn.Mixer(3)
  data = digits
  batch = 4
  fn loss(batch) { cross_entropy(c(batch.image) + a(b(batch.image)), batch.label) }
  optimizer = optim.Adam(lr = 1e-2)
  duration = 1 epochs
}
