use nn, optim, data

fn square(s) { (image = zeros([8, 8, 3], u8), label = s.label) }

let photos = data.images(train = "photos") |> data.map(square)

model Net(classes: int) {
  let head = nn.Linear(3, classes)
  fn forward(x: f32[B, 3, H, W]) -> f32[B, classes] { x |> mean(over = (H, W)) |> head }
}

train digits_run {
  let net = Net(photos.classes)
  data = photos
  batch = 2
  optimizer = optim.Adam(lr = 1e-3)
  duration = 5 epochs
  fn loss(batch) { cross_entropy(net(cast(batch.image, f32) / 255), batch.label) }
}
