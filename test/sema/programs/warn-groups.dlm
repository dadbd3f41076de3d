// Parts of the data that are no whole number of groups.
use nn, optim, data
let sales = data.csv("sales.csv", target = "paid", validation = 10%, test = 3)
train t {
  let net = nn.Linear(1, 3)
  data = sales
  batch = 16
  fn loss(batch) {
    let code = net(reshape(batch.number, [batch.size, 2])[:, :1])
    let groups = rearrange(code, "(g n) c -> g n c", n = 8)
    mean((groups - mean(groups, over = 1, keep = true)) ** 2)
  }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
