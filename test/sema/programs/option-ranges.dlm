// flags: -Dhidden=16
// Conditions on options that stay open are tested when the program runs, others here.
use nn, optim, data, schedule

option lr = 1e-3
option batch_size = 4
option share = 0.1
option decay = 0.01
option hidden = 8

require lr <= 1, "a learning rate is small"
require hidden % 8 == 0 and 2 * share < 1 and 1 - share >= 0.6, "share is a part"
require 1 <= batch_size

let digits = data.idx("tiny")

train ranged {
  let net = nn.MLP([6, hidden, digits.classes])
  data = digits
  batch = batch_size
  require batch_size <= digits.count
  fn loss(batch) {
    require share >= 0
    let x = reshape(cast(batch.image, f32) / 255, [batch.size, 6])
    (1 - share) * cross_entropy(net(x), batch.label) + share * mean(net(x) ** 2)
  }
  optimizer = optim.AdamW(lr = schedule.cosine(lr, floor = 0.1 * lr), weight_decay = decay)
  duration = 5 epochs
}
