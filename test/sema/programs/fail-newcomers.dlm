use nn, optim, data
fn double(x: f32[batch, 2 * n], n: int) { x }
fn shift(x, by = 2 * size, size = 1) { x + by }
train t {
  let net = nn.Linear(6, 3)
  data = data.idx("tiny")
  batch = 2
  fn loss(batch) {
    let criterion = nn.CrossEntropyLoss()
    let x = reshape(cast(batch.image, f32), [batch.size, 6])
    let a = F.relu(x)
    let b = torch.exp(x)
    let c = batch["image"]
    let d = double(x, 3)
    let e = shift(x)
    let f = nn.ReLU()
    mean(net(x))
  }
  optimizer = "adam"
  duration = 1 epochs
}
