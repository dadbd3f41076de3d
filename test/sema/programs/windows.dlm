// Windows that move over images and sequences: convolutions, pools, and what they are made of.
use nn, optim, data
let images = data.idx("tiny")
model Net() {
  let first = nn.Conv2d(1, 4, kernel = 2, padding = 1)
  let up = nn.ConvTranspose2d(4, 2, kernel = 3, stride = 2, padding = 1, bias = false)
  let along = nn.Conv1d(3, 6, kernel = 2, groups = 3)
  param window: f32[1, 2, 4, 3] = normal(std = 0.1)
  fn forward(image: u8[B, H, W]) -> f32[B] {
    let x = cast(image, f32)[..., new]
    let y = relu(first(x))
    let a = max_pool(y, 2)
    let b = max_pool(y, size = 3, stride = (1, 2), padding = 1)
    let c = avg_pool(y, (2, 1), stride = 1)
    let d = avg_pool(y, 2, padding = (0, 1))
    let e = conv2d(y, window, stride = [2, 1], padding = (0, 1))
    let f = along(cast(image, f32))
    let g = windows(x, 2)
    let h = conv_transpose1d(cast(image, f32), ones([2, 3, 1]), output_padding = 0)
    mean(a, over = (1, 2, 3)) + mean(b, over = (1, 2, 3)) + mean(c, over = (1, 2, 3))
      + mean(d, over = (1, 2, 3)) + mean(e, over = (1, 2, 3)) + mean(f, over = (1, 2))
      + mean(g, over = (1, 2, 3, 4, 5)) + mean(h, over = (1, 2)) + mean(up(y), over = (1, 2, 3))
  }
}
train t {
  let net = Net()
  data = images
  batch = 2
  fn loss(batch) { mse(net(batch.image), cast(batch.label, f32)) }
  optimizer = optim.SGD(lr = 0.1)
  duration = 10 steps
}
