use nn, optim, data
let images = data.idx("tiny", validation = 2)
fn flat(batch) { reshape(cast(batch.image, f32), [batch.size, 6]) }

train two_players {
  let make = nn.Linear(6, 2)
  let judge = nn.Linear(2, 1)
  let shared = nn.Chain([make, nn.RMSNorm(2)])
  data = images
  batch = 2

  update judge_step {
    of = judge
    repeat = 5
    clip_norm = 1
    optimizer = optim.Adam(lr = 1e-4, betas = (0.0, 0.9))
    fn loss(batch) {
      let y = judge(make(flat(batch)))
      (fake = mean(y), penalty = 10 * mean((y - 1) ** 2))
    }
  }
  update make_step {
    of = [shared]
    every = 2
    fn optimizer(p) { if p.rank == 1 { none } else { optim.SGD(lr = 1e-4) } }
    fn loss(batch) { -mean(judge(shared(flat(batch)))) }
  }
  fn metrics(batch) { (size = mean(abs(make(flat(batch))))) }
  duration = 10 steps
  evaluate { every = 2 steps; keep_best = minimum(validation.judge_step.penalty) }
}
