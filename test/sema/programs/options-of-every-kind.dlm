// flags: -Dact=relu
use nn, optim, data
option width = 2        /// hidden units
option rate = 0.1       /// learning rate
option twice = 2 * rate
option wide = false     /// four times the hidden units
option act = "gelu"     /// gelu or relu
option length = 1 epochs
option pause = 10 s
let images = data.idx("tiny")
model Net(units) {
  let out = nn.Linear(6, units)
  fn forward(x) { out(reshape(x, [batch, 6])) }
}
train t {
  let net = Net(if wide { 4 * width } else { width })
  data = images
  batch = 2
  fn loss(batch) {
    let y = net(cast(batch.image, f32))
    mean(if act == "relu" { relu(y) } else { gelu(y) })
  }
  optimizer = optim.SGD(lr = twice)
  duration = length
  checkpoint { every = pause }
}
