// Arrays that are there: fields, counts and classes are read from the file.
use nn, optim, data

let tones = data.npy("tones.npz", validation = 2)

test "what the file holds is known" {
  expect tones.count == 6 and tones.validation_count == 2 and tones.classes == 3
}

train t {
  let net = nn.Linear(4, tones.classes)
  data = tones
  batch = 2
  fn loss(batch) {
    cross_entropy(net(batch.samples), batch.label)
  }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
