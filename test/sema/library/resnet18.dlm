// resnet18.dlm, corrected: an image resized by its short side would have a size that only the run
// knows, so `image.center_crop` does both.
use nn, optim, schedule, data, image

model Basic(cin: int, cout: int, stride: int) {
  let conv1 = nn.Conv2d(cin, cout, kernel = 3, stride = stride, padding = 1, bias = false)
  let bn1   = nn.BatchNorm(cout, group = 32)
  let conv2 = nn.Conv2d(cout, cout, kernel = 3, padding = 1, bias = false)
  let bn2   = nn.BatchNorm(cout, group = 32)
  let skip  = if stride == 1 and cin == cout {
    identity
  } else {
    nn.Chain([
      nn.Conv2d(cin, cout, kernel = 1, stride = stride, bias = false),
      nn.BatchNorm(cout, group = 32),
    ])
  }
  fn forward(x: f32[B, H, W, cin]) { relu((x |> conv1 |> bn1 |> relu |> conv2 |> bn2) + skip(x)) }
}

model ResNet18(classes: int) {
  let stem   = nn.Conv2d(3, 64, kernel = 7, stride = 2, padding = 3, bias = false)
  let norm   = nn.BatchNorm(64, group = 32)
  let blocks = [
    Basic(
      cin = if i == 0 and s > 0 { 32 * 2 ** s } else { 64 * 2 ** s },
      cout = 64 * 2 ** s,
      stride = if i == 0 and s > 0 { 2 } else { 1 },
    )
    for s in 0..4
    for i in 0..2
  ]
  let head   = nn.Linear(512, classes)
  fn forward(x: f32[B, H, W, 3]) -> f32[B, classes] {
    x
      |> stem
      |> norm
      |> relu
      |> max_pool(size = 3, stride = 2, padding = 1)
      |> blocks
      |> mean(over = (1, 2))
      |> head  // positions: the names H, W did not survive the strides
  }
}

fn prepare(s) {
  let x = if training {
    s.image |> image.random_resized_crop(size = 224, scale = (0.08, 1.0)) |> image.random_flip
  } else {
    s.image |> image.center_crop(size = 224, short = 256)
  }
  (
    image = image.normalize(
      cast(x, f32) / 255,
      mean = (0.485, 0.456, 0.406),
      std = (0.229, 0.224, 0.225),
    ),
    label = s.label,
  )
}

let photos = data.images(train = "imagenet/train", validation = "imagenet/val", max_side = 4096)
  |> data.map(prepare)

train resnet18 {
  let net = ResNet18(photos.classes)
  data  = photos
  batch = 256
  fn loss(batch) { cross_entropy(net(batch.image), batch.label) }
  fn metrics(batch) {
    (
      accuracy = mean(argmax(net(batch.image), over = -1) == batch.label),
      top5 = top_k_accuracy(net(batch.image), batch.label, k = 5),
    )
  }
  fn optimizer(p) {
    optim.SGD(
      lr = schedule.cosine(peak = 0.1, warmup = 5 epochs),
      momentum = 0.9,
      weight_decay = if p.rank > 1 { 1e-4 } else { 0 },
    )
  }
  duration = 90 epochs
  seed     = 1
}
