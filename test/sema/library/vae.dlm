// vae.dlm
use nn, optim, schedule, data

model VAE(latent: int) {
  let enc = nn.MLP([784, 512, 2 * latent])
  let dec = nn.MLP([latent, 512, 784])
  fn encode(x: f32[B, 784]) -> (mu: f32[B, latent], logvar: f32[B, latent]) {
    let (mu, logvar) = split(enc(x), parts = 2, over = -1)
    (mu = mu, logvar = logvar)
  }
  fn forward(x: f32[B, 784]) {
    let q = encode(x)
    let z = q.mu + exp(0.5 * q.logvar) * random.normal([B, latent])
    (logits = dec(z), mu = q.mu, logvar = q.logvar)
  }
}

let digits = data.idx("mnist/")
  |> data.map(fn(s) { (x = reshape(cast(s.image, f32) / 255, [784]), label = s.label) })

train vae {
  let net = VAE(latent = 20)
  data  = digits
  batch = 128
  fn loss(batch) {
    let y = net(batch.x)
    let kl = -0.5 * sum(1 + y.logvar - y.mu ** 2 - exp(y.logvar), over = -1)
    (
      reconstruction = mean(
        sum(binary_cross_entropy_with_logits(y.logits, batch.x, reduce = none), over = -1)
      ),
      kl = schedule.linear(from = 0, to = 1, over = 2000 steps) * mean(kl),
    )
  }
  optimizer = optim.Adam(lr = 1e-3)
  duration  = 20 epochs
  command sample(n: int = 16) -> f32[n, 28, 28] {
    require n <= 1024  // a run-time int used as a size needs a bound
    reshape(sigmoid(net.dec(random.normal([n, 20]))), [n, 28, 28])
  }
}
