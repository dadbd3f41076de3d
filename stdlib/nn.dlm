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

test "Linear is a product and a bias" {
  let layer = Linear(3, 2)
  expect layer.weight.shape == [3, 2]
  expect layer(zeros([4, 3])) == 0
  let x = reshape(cast(iota(12), f32), [4, 3])
  expect close(layer(x), x @ layer.weight)
  expect abs(layer.weight) <= 3 ** -0.5
}

test "an MLP goes from its first size to its last" {
  let net = MLP([5, 7, 3])
  expect len(net.layers) == 2
  expect net(ones([4, 5])).shape == [4, 3]
  let (first, second) = (net.layers[0], net.layers[1])
  expect net(ones([4, 5])) == second(relu(first(ones([4, 5]))))
}

test "LayerNorm has mean 0 and variance 1" {
  let y = LayerNorm(6)(reshape(cast(iota(12), f32), [2, 6]))
  expect close(mean(y, over = -1), 0, tolerance = 1e-4)
  expect close(var(y, over = -1), 1, tolerance = 1e-4)
}

test "RMSNorm has a mean square of 1" {
  let y = RMSNorm(6)(reshape(cast(iota(12), f32), [2, 6]))
  expect close(mean(y * y, over = -1), 1, tolerance = 1e-4)
}

test "a Chain is its parts in turn" {
  let chain = Chain([Linear(3, 3), relu, identity])
  let x = reshape(cast(iota(6), f32), [2, 3])
  expect chain(x) == relu(chain.parts[0](x))
}
