// Networks for images: a U-Net, blocks with a way around, windows that are not square.
use nn, optim, data
let digits = data.idx("/data/digits")
model Net(classes: int) {
  let unet = nn.UNet2d(1, 4, width = 4, levels = 1, groups = 2)
  let lines = nn.Chain([nn.Conv2d(4, 4, kernel = (3, 1), padding = (1, 0)), relu])
  let blocks = [
    nn.ResidualBlock(4, 4, group = 2),
    nn.ResidualBlock(4, 8, stride = 2, group = 2, act = gelu),
  ]
  let head = nn.Linear(8, classes)
  fn forward(image: f32[B, H, W, 1]) -> f32[B, classes] {
    head(mean(image |> unet |> lines |> blocks, over = (1, 2)))
  }
}
train t {
  let net = Net(digits.classes)
  data = digits
  batch = 4
  fn loss(batch) { cross_entropy(net(cast(batch.image, f32)[..., new] / 255), batch.label) }
  optimizer = optim.Adam(lr = 1e-3)
  duration = 10 steps
}
