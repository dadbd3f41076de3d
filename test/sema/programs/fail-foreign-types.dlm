// Types that other languages have.
use nn, optim, data

let digits = data.idx("tiny")

model Net(classes: int) {
  let layer = nn.Linear(6, classes)
  let typed: nn.Linear = nn.Linear(6, classes)
  fn forward(x: Tensor) { layer(x) }
}

fn flat(image: torch.Tensor) { image }
fn named(name: str) { 1 }
fn several(xs: list) { 2 }

train first {
  let net = Net(digits.classes)
  data = digits
  batch = 2
  optimizer = optim.Adam(lr = 1e-3)
  duration = 5 epochs
  fn loss(batch) {
    let x = reshape(cast(batch.image, f32), [batch.size, 6])
    cross_entropy(net(x), batch.label) + sum(flat(x)) + named("a") + several([1])
  }
}
