// Every construct of the language once, in its plainest form.
use nn, optim.rules as rules, data

option width = 128        /// units of the hidden layer
/// How the rate falls
/// over the run.
option decay: f32 = 1e-3

let (small, large) = (1, 2_000)
let table = ["a" => 1, "b" => 2,]
let pairs = [(i, j) for i in 0..4 for j in 0..i if i != j]

fn scale(x: f32[...L, D], by: float = 0.5) -> f32[...L, D] { x * by }

fn kinds(a: T?, b: (x: f32[B], y: [int]), c: fn(f32[B], int) -> f32[B], d: fn() -> int) { none }

model Layer(n: int, act = relu) {
  require n > 0, "a layer has units"
  param  w: f32[n, 4 * n] = normal(std = 0.02)
  buffer seen: i64[] = zeros
  let inner = nn.Linear(n, n)
  /// Applies the layer.
  fn forward(x: f32[batch, n]) -> f32[batch, 4 * n] {
    next seen = seen + 1
    require n % 2 == 0
    let y: f32[batch, n] = inner(x)
    act(y) @ w
  }
}

optimizer Momentum(lr: f32) for p: f32[..., R, C] {
  state m: f32[..., R, C]
  fn update(g) {
    let next_m = 0.9 * m + g
    next m = next_m
    p - lr * next_m
  }
}

train run {
  let net = Layer(width)
  data = data.idx("here") |> data.map(fn(s) { (image = s.image, label = s.label) })
  batch = 64; micro = auto
  fn loss(batch) { cross_entropy(net(batch.image), batch.label) }
  update first {
    of = net
    optimizer = Momentum(lr = 0.1)
  }
  memory { budget = 16GiB; recompute = auto }
  checkpoint { every = 30min }
  duration = 250 steps
  share = 12.5%
  /// Writes a sample.
  command sample(n: int = 16, temperature: f32) -> f32[n, 28, 28] {
    require n <= 1024
    reshape(net(random.normal([n, width])), [n, 28, 28])
  }
}

search rates of run {
  space { lr = log(1e-5, 1e-2) }
  minimize = validation.loss
}

export small_run of run { model = net }

test "scales" {
  let x = tensor([[1, 2], [3, 4]])
  expect scale(x)[0, :] == tensor([0.5, 1]), "halves"
  expect x[..., new, 1:][:-1] in [none, true, false]
}
