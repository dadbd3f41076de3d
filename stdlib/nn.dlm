// Layers. Weights are [in, out], so that a layer is `x @ weight`.

/// x @ weight + bias.
model Linear(inputs: int, outputs: int) {
  param weight: f32[inputs, outputs] = uniform(bound = inputs ** -0.5)
  param bias: f32[outputs] = zeros
  fn forward(x: f32[..., inputs]) -> f32[..., outputs] { x @ weight + bias }
}

/// A stack of linear layers of the given sizes, with `act` between them.
model MLP(sizes: [int], act = relu) {
  require len(sizes) >= 2, "an MLP has at least an input and an output size"
  let layers = [Linear(sizes[i], sizes[i + 1]) for i in 0..len(sizes) - 1]
  fn forward(x: f32[..., D]) {
    let hidden = [fn(y) { act(layer(y)) } for layer in layers[:-1]]
    x |> hidden + [layers[-1]]
  }
}

/// Normalises over the last axis, then scales and shifts.
model LayerNorm(width: int, eps: f32 = 1e-5) {
  param scale: f32[width] = ones
  param shift: f32[width] = zeros
  fn forward(x: f32[..., width]) -> f32[..., width] {
    let centred = x - mean(x, over = -1, keep = true)
    let spread = rsqrt(mean(centred * centred, over = -1, keep = true) + eps)
    centred * spread * scale + shift
  }
}

/// Scales by the root of the mean square over the last axis.
model RMSNorm(width: int, eps: f32 = 1e-6) {
  param scale: f32[width] = ones
  fn forward(x: f32[..., width]) -> f32[..., width] {
    x * rsqrt(mean(x * x, over = -1, keep = true) + eps) * scale
  }
}

/// Applies models or functions one after another.
model Chain(parts: [model]) {
  fn forward(x) { x |> parts }
}

/// x itself.
fn identity(x) { x }
