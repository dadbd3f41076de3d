// What a library function needs is said at the argument.
use nn, optim, data, schedule

option warmup = 500
option ramp = 2 * 50

let digits = data.idx("tiny")
let long = 300

fn eased(peak, rest = 10 steps, pause: time = 1min) { schedule.cosine(peak, warmup = rest) }

fn mixed(pair) {
  let (a, b, c) = pair
  a + b + c
}

optimizer Bold(lr, speed = 2.0) for p: f32[...] {
  fn update(g: f32[...]) -> f32[...] { p - lr * speed * g }
}

train units {
  let net = nn.Linear(6, 3)
  data = digits
  batch = 2
  fn loss(batch) {
    let x = reshape(cast(batch.image, f32) / 255, [batch.size, 6])
    let a = schedule.cosine(1e-3, warmup = 500)
    let b = schedule.cosine(1e-3, warmup = warmup)
    let c = schedule.cosine(1e-3, warmup = ramp)
    let d = schedule.cosine(1e-3, warmup = 2 epochs)
    let e = schedule.linear(1.0, 0.0, over = long)
    let f = schedule.inverse_sqrt(1e-3, warmup = 1min)
    let g = schedule.step_decay(1e-3, every = "often")
    let h = eased(1e-3, rest = 10)
    let i = eased(1e-3, pause = 10)
    let j = mixed(3)
    let k = huber(x, 2 * x, delta = 1 steps)
    let l = schedule.cosine(1e-3, floor = 1 steps)
    let m = optim.AdamW(lr = 1e-3, betas = 0.9)
    let n = optim.SGD(lr = 5 steps)
    let o = Bold(lr = 1, speed = 2 steps)
    let p = optim.SGD(lr = 1, nesterov = 1)
    cross_entropy(net(x), batch.label) + a + b + c
  }
  optimizer = optim.AdamW(lr = 1e-3, betas = 0.9)
  duration = 5 epochs
}
