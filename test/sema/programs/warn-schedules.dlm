// A schedule that is longer than the run is found wherever an optimizer is given.
use nn, optim, data, schedule
fn flat(batch) { reshape(cast(batch.image, f32), [batch.size, 6]) }
let images = data.idx("tiny")
train t {
  let net = nn.Linear(6, 3)
  let judge = nn.Linear(6, 3)
  data = images
  batch = 2
  update first {
    of = net
    optimizer = optim.SGD(lr = schedule.linear(1, 0, over = 20 steps))
    fn loss(batch) { cross_entropy(net(flat(batch)), batch.label) }
  }
  update second {
    of = judge
    fn optimizer(p) {
      let rise = 30 steps
      let lr = if p.rank == 1 { schedule.cosine(0.1, warmup = 5 steps) } else {
        schedule.cosine(0.1, warmup = rise)
      }
      optim.SGD(lr = lr)
    }
    fn loss(batch) { cross_entropy(judge(flat(batch)), batch.label) }
  }
  duration = 10 steps
}
