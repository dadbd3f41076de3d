// fashion_noise.dlm: Fashion-MNIST with images that are made ready while they are loaded: brought
// to mean 0 and deviation 1, and in training with pixels left out and noise, anew in each epoch.
// Expect: test.accuracy >= 0.87
use nn, optim, schedule, data

option width      = 512   /// hidden units
option lr         = 1e-3  /// learning rate at its peak
option batch_size = 64    /// samples per step
option noise      = 0.2   /// deviation of what is added to a pixel
option kept       = 90%   /// share of the pixels that stay

let fashion = data.idx("/usr/share/datasets/fashion-mnist", validation = 5%) |> data.map(fn(s) {
  let x = (reshape(cast(s.image, f32), [28 * 28]) - 72.9) / 90
  let seen = where(random.bernoulli(kept, [28 * 28]), x, 0)
  (x = if training { seen + noise * random.normal([28 * 28]) } else { x }, label = s.label)
})

model Classifier(inputs: int, width: int, classes: int) {
  let hidden = nn.Linear(inputs, width)
  let output = nn.Linear(width, classes)

  fn forward(x: f32[B, inputs]) -> f32[B, classes] { x |> hidden |> relu |> output }
}

train fashion_noise {
  let net = Classifier(28 * 28, width, fashion.classes)
  data  = fashion
  batch = batch_size

  fn loss(batch)    { cross_entropy(net(batch.x), batch.label) }
  fn metrics(batch) { (accuracy = mean(argmax(net(batch.x), over = -1) == batch.label)) }

  optimizer = optim.AdamW(lr = schedule.cosine(peak = lr))
  duration  = 5 epochs
  seed      = 1

  evaluate { every = 1 epochs }
}
