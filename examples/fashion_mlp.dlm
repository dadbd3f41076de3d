// fashion_mlp.dlm: a two-layer network that tells apart the ten kinds of clothes of Fashion-MNIST.
// Expect: test.accuracy >= 0.88
use nn, optim, schedule, data

option width      = 512   /// hidden units
option lr         = 1e-3  /// learning rate at its peak
option batch_size = 64    /// samples per step

require lr <= 0.1, "AdamW diverges with larger steps"

let fashion = data.idx("/usr/share/datasets/fashion-mnist", validation = 5%)

model Classifier(inputs: int, width: int, classes: int) {
  let hidden = nn.Linear(inputs, width)
  let output = nn.Linear(width, classes)

  fn forward(image: u8[B, H, W]) -> f32[B, classes] {
    let x = reshape(cast(image, f32) / 255, [B, inputs])
    x |> hidden |> relu |> output
  }
}

train fashion_mlp {
  let net = Classifier(28 * 28, width, fashion.classes)
  data  = fashion
  batch = batch_size

  fn loss(batch)    { cross_entropy(net(batch.image), batch.label) }
  fn metrics(batch) { (accuracy = mean(argmax(net(batch.image), over = -1) == batch.label)) }

  optimizer = optim.AdamW(lr = schedule.cosine(peak = lr))
  duration  = 10 epochs
  seed      = 1

  evaluate { every = 1 epochs }
}
