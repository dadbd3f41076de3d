// fashion_cnn.dlm: a convolutional network that tells apart the ten kinds of clothes of
// Fashion-MNIST. It reaches 92.0 % on the test set, after 5 epochs: 3 min 9 s of processor time, in
// all threads together.
// Expect: test.accuracy >= 0.91
use nn, optim, schedule, data

option lr         = 2e-3  /// learning rate at its peak
option batch_size = 64    /// samples per step

require lr <= 0.1, "AdamW diverges with larger steps"

let fashion = data.idx("/usr/share/datasets/fashion-mnist", validation = 5%)

model Network(classes: int) {
  let near   = nn.Conv2d(1, 32, kernel = 3, padding = 1)
  let far    = nn.Conv2d(32, 64, kernel = 3, padding = 1)
  let hidden = nn.Linear(7 * 7 * 64, 128)
  let output = nn.Linear(128, classes)

  fn forward(image: u8[B, 28, 28]) -> f32[B, classes] {
    let x = cast(image, f32)[..., new] / 255
    let y = x |> near |> relu |> max_pool(2) |> far |> relu |> max_pool(2)
    reshape(y, [B, 7 * 7 * 64]) |> hidden |> relu |> output
  }
}

train fashion_cnn {
  let net = Network(fashion.classes)
  data  = fashion
  batch = batch_size

  fn loss(batch)    { cross_entropy(net(batch.image), batch.label) }
  fn metrics(batch) { (accuracy = accuracy(net(batch.image), batch.label)) }

  optimizer = optim.AdamW(lr = schedule.cosine(peak = lr))
  duration  = 5 epochs
  seed      = 1

  evaluate { every = 1 epochs }
}
