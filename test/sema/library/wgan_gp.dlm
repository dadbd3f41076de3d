// wgan_gp.dlm
use nn, optim, data

model Generator(latent: int) {
  let net = nn.MLP([latent, 256, 512, 784])
  fn forward(z: f32[B, latent]) -> f32[B, 784] { tanh(net(z)) }
}
model Critic() {
  let net = nn.MLP([784, 512, 256, 1], act = fn(x) { leaky_relu(x, 0.2) })
  fn forward(x: f32[B, 784]) -> f32[B] { net(x)[:, 0] }
}

let digits = data.idx("mnist/")
  |> data.map(fn(s) { (x = reshape(cast(s.image, f32) / 127.5 - 1, [784])) })

train wgan_gp {
  let gen    = Generator(latent = 64)
  let critic = Critic()
  data  = digits
  batch = 64
  fn fake(b) { gen(random.normal([b, 64])) }

  update critic_step {
    of        = critic
    repeat    = 5  // fresh data every repetition
    optimizer = optim.Adam(lr = 1e-4, betas = (0.0, 0.9))
    fn loss(batch) {
      let f = fake(batch.size)
      let e = random.uniform([batch.size, 1])
      let g = grad(fn(x) { sum(critic(x)) })(lerp(batch.x, f, e))
      (
        wasserstein = mean(critic(f)) - mean(critic(batch.x)),
        penalty = 10 * mean((norm(g, over = -1) - 1) ** 2),
      )
    }
  }
  update generator_step {
    of        = gen
    optimizer = optim.Adam(lr = 1e-4, betas = (0.0, 0.9))
    fn loss(batch) { (adversarial = -mean(critic(fake(batch.size)))) }
  }
  duration = 100_000 steps
}
