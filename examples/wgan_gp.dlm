// wgan_gp.dlm: a generator of clothes, trained against a critic that tells made images from real
// ones (a Wasserstein GAN with gradient penalty, Gulrajani and others, 2017). A step makes two
// updates: the critic's, five times on fresh batches, and the generator's.
//
// How far apart the critic finds them (`wasserstein`, which it makes as small as it can) falls from
// 9.3 after 250 steps to 6.0 after 600, of images that nobody has learned from; that took 2 min
// 20 s on one thread of a machine with much other work.
// Expect: test.critic_step.wasserstein >= -7
use nn, optim, data

option latent     = 64    /// numbers that an image is made from
option width      = 128   /// hidden units
option lr         = 2e-4  /// learning rate of both
option batch_size = 64    /// samples of a batch
option penalty    = 10.0  /// how much a slope other than 1 weighs

let fashion = data.idx("/usr/share/datasets/fashion-mnist", validation = 2%) |> data.map(fn(s) {
  (x = reshape(cast(s.image, f32) / 127.5 - 1, [784]))
})

model Generator(latent: int, width: int) {
  let net = nn.MLP([latent, width, 2 * width, 784])
  fn forward(z: f32[B, latent]) -> f32[B, 784] { tanh(net(z)) }
}

model Critic(width: int) {
  let net = nn.MLP([784, 2 * width, width, 1], act = fn(x) { leaky_relu(x, 0.2) })
  fn forward(x: f32[B, 784]) -> f32[B] { net(x)[:, 0] }
}

train wgan_gp {
  let gen    = Generator(latent, width)
  let critic = Critic(width)
  data  = fashion
  batch = batch_size
  fn fake(n) { gen(random.normal([n, latent])) }

  update critic_step {
    of        = critic
    repeat    = 5
    optimizer = optim.Adam(lr = lr, betas = (0.0, 0.9))
    fn loss(batch) {
      let made  = fake(batch.size)
      let mixed = lerp(batch.x, made, random.uniform([batch.size, 1]))
      let slope = grad(fn(x) { sum(critic(x)) })(mixed)
      (
        wasserstein = mean(critic(made)) - mean(critic(batch.x)),
        penalty     = penalty * mean((norm(slope, over = -1) - 1) ** 2),
      )
    }
  }
  update generator_step {
    of        = gen
    optimizer = optim.Adam(lr = lr, betas = (0.0, 0.9))
    fn loss(batch) { (adversarial = -mean(critic(fake(batch.size)))) }
  }
  duration = 600 steps
  seed     = 1

  evaluate { every = 100 steps }
}
