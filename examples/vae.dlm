// vae.dlm: a variational autoencoder (Kingma and Welling, 2014) of the clothes of Fashion-MNIST: an
// image becomes 20 numbers with noise, and these an image again. After 5 epochs the bound of the
// log-likelihood of a test image (ELBO) is -246.9 nats; that took 1 min 50 s on one thread of a
// machine with other work.
// Expect: test.elbo >= -248
use nn, optim, data

option latent     = 20    /// numbers that an image is coded by
option lr         = 1e-3  /// learning rate
option batch_size = 128   /// samples per step

let fashion = data.idx("/usr/share/datasets/fashion-mnist", validation = 5%)

model VAE(pixels: int, hidden: int, latent: int) {
  let encoder = nn.MLP([pixels, hidden, 2 * latent])
  let decoder = nn.MLP([latent, hidden, pixels])

  fn encode(x: f32[B, pixels]) {
    let (mean, logvar) = split(encoder(x), parts = 2, over = -1)
    (mean = mean, logvar = logvar)
  }
  fn forward(x: f32[B, pixels]) {
    let code = encode(x)
    let z = code.mean + exp(0.5 * code.logvar) * random.normal([B, latent])
    (logits = decoder(z), mean = code.mean, logvar = code.logvar)
  }
}

train vae {
  let net = VAE(28 * 28, 512, latent)
  data  = fashion
  batch = batch_size

  fn terms(batch) {
    let x = reshape(cast(batch.image, f32) / 255, [batch.size, 28 * 28])
    let y = net(x)
    let pixels = binary_cross_entropy_with_logits(y.logits, x, reduce = none)
    let kl = 0.5 * sum(y.mean ** 2 + exp(y.logvar) - 1 - y.logvar, over = -1)
    (reconstruction = mean(sum(pixels, over = -1)), kl = mean(kl))
  }
  fn loss(batch) { terms(batch) }
  fn metrics(batch) {
    let t = terms(batch)
    (elbo = -t.reconstruction - t.kl)
  }

  optimizer = optim.Adam(lr = lr)
  duration  = 5 epochs
  seed      = 1

  evaluate { every = 1 epochs }

  /// Images of nothing but chance.
  command sample(n: int = 16) -> f32[n, 28, 28] {
    require n <= 1024
    reshape(sigmoid(net.decoder(random.normal([n, latent]))), [n, 28, 28])
  }
}
