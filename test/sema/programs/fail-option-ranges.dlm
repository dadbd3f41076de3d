// flags: -Ddecay=-1
// What no run could test, and what a default or `-D` does not fulfil.
use nn, optim, data

option lr = 1e-3
option most = 0.1
option wrong = 2.0      /// outside of its own range
option share = 0.1
option decay = 0.01
option drop = 1.0

require lr < most
require wrong <= 1, "wrong is a share"
require share == 0.1 or share > 0.5
require lr * most > 0
require lr in [1e-2, 1e-3]
require lr % 8 == 0

let digits = data.idx("tiny")

train ranged {
  let net = nn.MLP([6, 8, digits.classes])
  data = digits
  batch = 4
  require hidden > 0
  require decay >= 0
  fn loss(batch) {
    let x = reshape(cast(batch.image, f32) / 255, [batch.size, 6])
    share * wrong * cross_entropy(dropout(net(x), drop), batch.label)
  }
  optimizer = optim.AdamW(lr = lr, weight_decay = decay)
  duration = 5 epochs
  evaluate { require lr > 0 }
}
