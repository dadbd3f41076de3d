// Layers. Weights are [in, out], so that a layer is `x @ weight`.

use nn.attention as attending, nn.convolutions, nn.images, nn.norms, nn.recurrent as recurrent

/// x @ weight + bias: from [..., inputs] to [..., outputs].
model Linear(inputs: int, outputs: int) {
  param weight: f32[inputs, outputs] = uniform(bound = inputs ** -0.5)
  param bias: f32[outputs] = zeros
  fn forward(x: f32[..., inputs]) -> f32[..., outputs] { x @ weight + bias }
}

/// A stack of linear layers of the given sizes, with `act` between them: from [..., first size] to
/// [..., last size] (Rumelhart et al., 1986).
model MLP(sizes: [int], act: model = relu) {
  require len(sizes) >= 2, "an MLP has at least an input and an output size"
  let layers = [Linear(sizes[i], sizes[i + 1]) for i in 0..len(sizes) - 1]
  fn forward(x: f32[..., D]) {
    let hidden = [fn(y) { act(layer(y)) } for layer in layers[:-1]]
    x |> hidden + [layers[-1]]
  }
}

/// A row of `weight` for each id below `count`: from integers of any shape to [..., width].
model Embedding(count: int, width: int, std: f32 = 0.02) {
  param weight: f32[count, width] = normal(std = std)
  fn forward(ids: int_[...L]) -> f32[...L, width] { weight[ids] }
}

/// The function `dropout` as a layer.
model Dropout(rate) {
  fn forward(x: f32[...]) -> f32[...] { dropout(x, rate) }
}

/// Applies models or functions one after another: what the first takes, and what the last gives.
model Chain(parts: [model]) {
  fn forward(x) { x |> parts }
}

/// A block of a transformer that normalises before each part (Xiong et al., 2020, figure 1b): x and
/// what attention makes of it, then that and what an MLP makes of it: from [B, T, width] to the
/// same. `hidden` is 4 * width if left out; `drop` is a rate of dropout behind both parts. What
/// else it takes is of `Attention`. GPT-2 (Radford et al., 2019, section 2.3) has `bias = true` and
/// the `act` that is `fn(x) { gelu(x, approximate = tanh) }`.
model Block(
  width: int,
  heads: int,
  causal: bool = false,
  hidden: int? = none,
  act = gelu,
  drop = none,
  kv_heads: int? = none,
  rotary: bool = false,
  bias: bool = false,
) {
  let norm1 = LayerNorm(width)
  let attn = Attention(
    width,
    heads,
    causal = causal,
    kv_heads = kv_heads,
    rotary = rotary,
    bias = bias,
  )
  let norm2 = LayerNorm(width)
  let mlp = MLP([width, if hidden == none { 4 * width } else { hidden }, width], act = act)
  fn dropped(y) { if drop == none { y } else { dropout(y, drop) } }
  fn forward(x: f32[B, T, width], mask = none, segments = none, at = none) -> f32[B, T, width] {
    let h = x + dropped(attn(norm1(x), mask, segments, at))
    h + dropped(mlp(norm2(h)))
  }
}

/// `layers` blocks one after another and a `LayerNorm` behind them: from [B, T, width] to the same.
/// Everything but `layers` is as of `Block`.
model Transformer(
  width: int,
  heads: int,
  layers: int,
  causal: bool = false,
  hidden: int? = none,
  act = gelu,
  drop = none,
  kv_heads: int? = none,
  rotary: bool = false,
  bias: bool = false,
) {
  let blocks = [
    Block(
      width,
      heads,
      causal = causal,
      hidden = hidden,
      act = act,
      drop = drop,
      kv_heads = kv_heads,
      rotary = rotary,
      bias = bias,
    ) for _ in 0..layers
  ]
  let norm = LayerNorm(width)
  fn forward(x: f32[B, T, width], mask = none, segments = none, at = none) -> f32[B, T, width] {
    norm(fold(x, blocks, fn(y, block) { block(y, mask, segments, at) }))
  }
}

let Attention = attending.Attention

let ResidualBlock = images.ResidualBlock
let UNet2d = images.UNet2d

let Conv1d = convolutions.Conv1d
let Conv2d = convolutions.Conv2d
let ConvTranspose2d = convolutions.ConvTranspose2d

let LayerNorm = norms.LayerNorm
let RMSNorm = norms.RMSNorm
let GroupNorm = norms.GroupNorm
let BatchNorm = norms.BatchNorm

let LSTM = recurrent.LSTM
let GRU = recurrent.GRU

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

test "a Chain is its parts in turn" {
  let chain = Chain([Linear(3, 3), relu, identity])
  let x = reshape(cast(iota(6), f32), [2, 3])
  expect chain(x) == relu(chain.parts[0](x))
}

test "an Embedding is a row for each id" {
  let table = Embedding(7, 3)
  expect table.weight.shape == [7, 3]
  expect table(zeros([2, 5], i32)).shape == [2, 5, 3]
  expect table(iota(7)) == table.weight
  expect table(tensor([[6, 0]]))[0, 1] == table.weight[0]
}

test "Dropout does nothing but while training" {
  let x = cast(iota(6), f32)
  expect Dropout(0.5)(x) == x
}

test "a Block keeps the shape" {
  let x = ones([2, 3, 8])
  expect Block(8, heads = 2, causal = true)(x).shape == [2, 3, 8]
  let block = Block(8, heads = 4, hidden = 5, drop = 0.1, kv_heads = 1, rotary = true)
  expect block.mlp.layers[0].weight.shape == [8, 5]
  expect block(x).shape == [2, 3, 8]
}

test "a causal Block does not see what follows" {
  let block = Block(8, heads = 2, causal = true, rotary = true)
  let x = reshape(cast(iota(24), f32) / 24, [1, 3, 8])
  let other = concat([x[:, :2], -x[:, 2:]], over = 1)
  expect block(x)[:, :2] == block(other)[:, :2]
}

test "a Transformer is its blocks and a norm" {
  let x = reshape(cast(iota(24), f32) / 24, [1, 3, 8])
  let net = Transformer(8, heads = 2, layers = 2, causal = true, bias = true)
  expect len(net.blocks) == 2
  expect net(x) == net.norm(net.blocks[1](net.blocks[0](x)))
  expect net.blocks[0].attn.shift.key.shape == [2, 4]
}
