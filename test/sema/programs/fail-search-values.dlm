// Values that `-D` would be refused for.
use nn, optim, data
option width = 4
option rows = 4
option group = 2
option act = "relu"
option lr = 0.1
model Net(width: int, group: int) {
  require act in ["relu", "gelu"], "act is relu or gelu"
  let fit = nn.MLP([6, width, 3], act = if act == "relu" { relu } else { gelu })
  fn forward(x: f32[B, 6]) -> f32[B] {
    let y = reshape(fit(x), [B / group, group, 3])
    reshape(mean(y, over = -1), [B])
  }
}
train t {
  let net = Net(width, group)
  data = data.idx("tiny")
  batch = rows
  fn loss(batch) { mean(net(reshape(cast(batch.image, f32), [batch.size, 6])) ** 2) }
  optimizer = optim.SGD(lr = lr)
  duration = 2 steps
}
search s of t {
  space {
    width = [-4, 8]
    rows = [2, 3]
    group = [
      1,
      3,
    ]
    act = ["gelu", "tanh"]
    lr = [0.1, 0.2]
  }
  minimize = validation.loss
}
