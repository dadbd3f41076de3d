// flags: -Dwidth=4 -Drate=0.5
use nn, optim, data
option width = 8    /// hidden units
option rate = 0.1
option size = 2
let images = data.idx("tiny", validation = 2 samples)
model Net(width: int) {
  let hidden = nn.Linear(6, width)
  let output = nn.Linear(width, 3)
  fn forward(x: u8[B, H, W]) -> f32[B, 3] {
    reshape(cast(x, f32) / 255, [B, H * W]) |> hidden |> relu |> output
  }
}
train t {
  let net = Net(width)
  data = images
  batch = size
  fn loss(batch) {
    (ce = cross_entropy(net(batch.image), batch.label), decay = 0.1 * sum(net.hidden.weight ** 2))
  }
  fn metrics(batch) {
    (accuracy = mean(argmax(net(batch.image), over = -1) == batch.label))
  }
  optimizer = optim.SGD(lr = rate, momentum = 0.9)
  duration = 3 epochs
  evaluate { every = 1 epochs }
  checkpoint { every = 10min; keep = 2 }
}
