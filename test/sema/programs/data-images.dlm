// Photos that are there, all of one size.
use nn, optim, data

let pets = data.images("pets", validation = 2, broken = data.skip(limit = 1))

test "what the folder holds is known" {
  expect pets.count == 6 and pets.validation_count == 2 and pets.classes == 2
}

train t {
  let net = nn.Linear(36, pets.classes)
  data = pets
  batch = 2
  fn loss(batch) {
    cross_entropy(net(reshape(cast(batch.image, f32), [batch.size, 36]) / 255), batch.label)
  }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
