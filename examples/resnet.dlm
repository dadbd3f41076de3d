// resnet.dlm: a residual network of 20 layers, as those of He et al. (2015) for small images, that
// tells apart the ten kinds of clothes of Fashion-MNIST. Batch normalisation looks at 32 samples at
// a time, whatever the batch, so a step may compute them in parts. It reaches 92.7 % of the test
// images after 3 epochs, at about 410 images a second with two threads.
// Expect: test.accuracy >= 0.91
// Quick: --batch_size 32
use nn, optim, schedule, data

option lr         = 0.1  /// learning rate at its peak
option batch_size = 128  /// samples per step

let fashion = data.idx("/usr/share/datasets/fashion-mnist", validation = 5%)

/// A convolution of 3 by 3 places that is normalised.
model Norm(cin: int, cout: int, stride = 1) {
  let conv = nn.Conv2d(cin, cout, kernel = 3, stride = stride, padding = 1, bias = false)
  let norm = nn.BatchNorm(cout, group = 32)
  fn forward(x: f32[B, H, W, cin]) { x |> conv |> norm }
}

/// Two of them, and what came in. With stride 2 the image becomes half as large, and channels of
/// zeros are added to what came in.
model Residual(cin: int, cout: int, stride: int) {
  let first  = Norm(cin, cout, stride)
  let second = Norm(cout, cout)
  fn shortcut(x) {
    if stride == 1 { x } else { pad(avg_pool(x, 2), (0, cout - cin), over = -1) }
  }
  fn forward(x: f32[B, H, W, cin]) { relu((x |> first |> relu |> second) + shortcut(x)) }
}

model ResNet20(classes: int) {
  let stem   = Norm(1, 16)
  let blocks = [
    Residual(16, 16, 1),
    Residual(16, 16, 1),
    Residual(16, 16, 1),
    Residual(16, 32, 2),
    Residual(32, 32, 1),
    Residual(32, 32, 1),
    Residual(32, 64, 2),
    Residual(64, 64, 1),
    Residual(64, 64, 1),
  ]
  let output = nn.Linear(64, classes)

  fn forward(image: u8[B, 28, 28]) -> f32[B, classes] {
    let x = cast(image, f32)[..., new] / 255
    x |> stem |> relu |> blocks |> mean(over = (1, 2)) |> output
  }
}

train resnet {
  let net = ResNet20(fashion.classes)
  data  = fashion
  batch = batch_size
  micro = 32

  fn loss(batch)    { cross_entropy(net(batch.image), batch.label) }
  fn metrics(batch) { (accuracy = accuracy(net(batch.image), batch.label)) }

  optimizer = optim.SGD(
    lr           = schedule.cosine(peak = lr, warmup = 100 steps),
    momentum     = 0.9,
    weight_decay = 5e-4,
    nesterov     = true,
  )
  duration  = 3 epochs
  seed      = 1

  evaluate { every = 1 epochs }
}
