use nn, optim, data

let digits = data.idx("tiny")

fn flat(x) { reshape(x, [x.shape[0], 6]) }

train t {
  let net = nn.Linear(6, digits.classes)
  data = digits
  batch = 4
  fn loss(batch) { cross_entropy(net(flat(batch.image)), batch.label) }
  fn metrics(batch) { (bright = mean(flat(batch.image))) }
  optimizer = optim.Adam(lr = 1e-3)
  duration = 5 epochs
}
