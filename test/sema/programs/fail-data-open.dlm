use nn, optim, data

let photos = data.images(train = "pictures", max_side = 64)

train t {
  let net = nn.Linear(3, photos.classes)
  data = photos
  batch = 4
  fn loss(batch) { mean(net.weight ** 2) + mean(net.bias ** 2) }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
