use nn, optim, data
option hidden = 5
let images = data.idx("tiny")
train t {
  let first = nn.Linear(6, hidden)
  let second = nn.Linear(4, images.classes)
  let short = nn.MLP([6])
  data = images
  batch = 2
  fn loss(batch) {
    let flat = reshape(cast(batch.image, f32), [batch.size, 6])
    cross_entropy(flat |> first |> second, batch.label)
  }
  fn metrics(batch) {
    let flat = reshape(cast(batch.image, f32), [batch.size, 6])
    let wrong = mse(flat, batch.label)
    (loss_of_labels = cross_entropy(flat, batch.image))
  }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
