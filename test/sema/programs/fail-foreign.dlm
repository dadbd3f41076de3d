use nn, data
model Net(self, width: int) {
  let layers = [nn.Linear(6, width) for i in range(2)]
  fn forward(self, x) { x }
}
train t {
  let net = Net(0, 3)
  let other = Linear(6, 3)
  data = data.idx("tiny")
  epochs = 3
  evaluate { each = 3 }
  fn loss(batch) {
    let x = reshape(cast(batch.image, f32), [batch.size, 6])
    let a = x.softmax(1)
    let b = nn.relu(x)
    let c = softmax(x, dim = 1)
    let d = reshape(x, (batch.size, 6))
    let e = swish(x)
    let f = dropout(x)
    let g = if step > 3 { x } else { x }
    let h = head(x)
    let i = reshape(x, [batch.size, 6.0])
    mean(other(x))
  }
  optimizer = optim.Adam(lr = 0.1)
  duration = 3 minutes
}
