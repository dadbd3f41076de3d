// Layers whose windows move over places: of a sequence [batch, length, channels] or an image
// [batch, height, width, channels]. Weights are [window.., inputs, outputs]. Everything but the
// sizes is as of the functions `conv1d`, `conv2d` and `conv_transpose2d`. Of images, `kernel`,
// `stride`, `padding`, `dilation` and `output_padding` are a number, or `(3, 1)`: one for each
// axis.

// Larger than any window: that `windows` finds a number or two for each size is of use here, too.
let plane = zeros([1, 4096, 4096, 1])

model Shift(width: int) {
  param bias: f32[width] = zeros
  fn forward(x: f32[..., width]) -> f32[..., width] { x + bias }
}

/// A product of each window of `kernel` places with weights, and a bias: from [B, L, inputs] to [B,
/// places, outputs].
model Conv1d(
  inputs: int,
  outputs: int,
  kernel: int,
  stride: int = 1,
  padding: int = 0,
  dilation: int = 1,
  groups: int = 1,
  bias: bool = true,
) {
  require inputs % groups == 0 and outputs % groups == 0, "groups are of one size"
  let bound = (kernel * inputs / groups) ** -0.5
  param weight: f32[kernel, inputs / groups, outputs] = uniform(bound = bound)
  let shift = if bias { Shift(outputs) } else { identity }
  fn forward(x: f32[B, L, inputs]) {
    let y = conv1d(
      x,
      weight,
      stride = stride,
      padding = padding,
      dilation = dilation,
      groups = groups,
    )
    shift(y)
  }
}

/// The same over images, with windows of `kernel` by `kernel` places (LeCun et al., 1989), or of
/// other sides, such as `kernel = (3, 1)`: from [B, H, W, inputs] to [B, places, places, outputs].
model Conv2d(
  inputs: int,
  outputs: int,
  kernel,
  stride = 1,
  padding = 0,
  dilation = 1,
  groups: int = 1,
  bias: bool = true,
) {
  require inputs % groups == 0 and outputs % groups == 0, "groups are of one size"
  let (height, width) = windows(plane, kernel, stride, padding, dilation).shape[3:5]
  let bound = (height * width * inputs / groups) ** -0.5
  param weight: f32[height, width, inputs / groups, outputs] = uniform(bound = bound)
  let shift = if bias { Shift(outputs) } else { identity }
  fn forward(x: f32[B, H, W, inputs]) {
    let y = conv2d(
      x,
      weight,
      stride = stride,
      padding = padding,
      dilation = dilation,
      groups = groups,
    )
    shift(y)
  }
}

/// From each place a window of the result, summed where they overlap: what a convolution does to
/// gradients (Zeiler et al., 2010). With `stride = 2` images become twice as large.
model ConvTranspose2d(
  inputs: int,
  outputs: int,
  kernel,
  stride = 1,
  padding = 0,
  output_padding = 0,
  dilation = 1,
  groups: int = 1,
  bias: bool = true,
) {
  require inputs % groups == 0 and outputs % groups == 0, "groups are of one size"
  let (height, width) = windows(plane, kernel, stride, padding, dilation).shape[3:5]
  let bound = (height * width * outputs / groups) ** -0.5
  param weight: f32[height, width, inputs / groups, outputs] = uniform(bound = bound)
  let shift = if bias { Shift(outputs) } else { identity }
  fn forward(x: f32[B, H, W, inputs]) {
    let y = conv_transpose2d(
      x,
      weight,
      stride = stride,
      padding = padding,
      dilation = dilation,
      groups = groups,
      output_padding = output_padding,
    )
    shift(y)
  }
}

test "a convolution adds up what its windows see" {
  let x = reshape(cast(iota(32), f32), [1, 4, 4, 2])
  let all = conv2d(x, ones([2, 2, 2, 3]))
  expect all.shape == [1, 3, 3, 3]
  expect all[0, 0, 0] == 0 + 1 + 2 + 3 + 8 + 9 + 10 + 11
  expect conv2d(ones([1, 4, 4, 2]), ones([3, 3, 2, 1]), padding = 1)[0, 0, :, 0]
    == tensor([8.0, 12.0, 12.0, 8.0])
  expect conv1d(reshape(cast(iota(6), f32), [1, 6, 1]), ones([2, 1, 1]), stride = 2)[0, :, 0]
    == tensor([1.0, 5.0, 9.0])
  expect conv1d(reshape(cast(iota(6), f32), [1, 6, 1]), ones([2, 1, 1]), dilation = 3)[0, :, 0]
    == tensor([3.0, 5.0, 7.0])
}

test "a convolution by one place is a product" {
  let x = reshape(cast(iota(24), f32) / 24, [2, 2, 2, 3])
  let layer = Conv2d(3, 5, kernel = 1)
  expect layer.weight.shape == [1, 1, 3, 5]
  expect close(layer(x), x @ reshape(layer.weight, [3, 5]))
}

test "groups are convolutions side by side" {
  let x = reshape(cast(iota(48), f32) / 48, [1, 4, 4, 3])
  let layer = Conv2d(3, 3, kernel = 3, groups = 3, padding = 1)
  expect layer.weight.shape == [3, 3, 1, 3]
  let y = layer(x)
  let alone = conv2d(x[:, :, :, :1], layer.weight[:, :, :, :1], padding = 1)
  expect close(y[:, :, :, 0], alone[:, :, :, 0])
}

test "groups of several channels have outputs of their own" {
  let x = reshape(cast(iota(64), f32) / 64, [1, 4, 4, 4])
  let w = Conv2d(4, 6, kernel = 3, groups = 2).weight
  expect w.shape == [3, 3, 2, 6]
  let halves = [conv2d(x[..., 2 * i:2 * i + 2], w[..., 3 * i:3 * i + 3]) for i in 0..2]
  expect close(conv2d(x, w, groups = 2), concat(halves, over = -1))
  let parts = [conv_transpose2d(x[..., 2 * i:2 * i + 2], w[..., 3 * i:3 * i + 3]) for i in 0..2]
  expect close(conv_transpose2d(x, w, groups = 2), concat(parts, over = -1))
}

test "a layer has the shape of its windows" {
  let x = ones([2, 7, 7, 3])
  expect Conv2d(3, 8, kernel = 3, stride = 2, padding = 1)(x).shape == [2, 4, 4, 8]
  expect Conv2d(3, 8, kernel = 3, dilation = 2, bias = false)(x).shape == [2, 3, 3, 8]
  expect Conv1d(3, 8, kernel = 3)(ones([2, 7, 3])).shape == [2, 5, 8]
  let up = ConvTranspose2d(3, 4, kernel = 3, stride = 2, padding = 1, output_padding = 1)
  expect up(x).shape == [2, 14, 14, 4]
}

test "windows need not be square" {
  let x = reshape(cast(iota(30), f32) / 30, [1, 5, 6, 1])
  let flat = Conv2d(1, 2, kernel = (3, 1), stride = (2, 1), padding = (1, 0))
  expect flat.weight.shape == [3, 1, 1, 2]
  expect flat(x).shape == [1, 3, 6, 2]
  // Along a column it is a convolution of a sequence.
  let column = conv1d(x[:, :, 4], flat.weight[:, 0], stride = 2, padding = 1)
  expect close(flat(x)[:, :, 4], column)
  let up = ConvTranspose2d(1, 2, kernel = (1, 2), stride = (1, 2))
  expect up.weight.shape == [1, 2, 1, 2]
  expect up(x).shape == [1, 5, 12, 2]
}

test "a transposed convolution puts windows side by side" {
  let x = tensor([[[[1.0], [2.0]]]])
  let window = reshape(tensor([1.0, 2.0, 3.0, 4.0]), [2, 2, 1, 1])
  expect conv_transpose2d(x, window, stride = 2)[0, :, :, 0]
    == tensor([[1.0, 2.0, 2.0, 4.0], [3.0, 4.0, 6.0, 8.0]])
  expect conv_transpose1d(tensor([[[1.0], [2.0]]]), ones([3, 1, 1]))[0, :, 0]
    == tensor([1.0, 3.0, 3.0, 2.0])
}

test "pools are the maximum and the mean of windows" {
  let x = reshape(cast(iota(16), f32), [1, 4, 4, 1])
  expect max_pool(x, 2)[0, :, :, 0] == tensor([[5.0, 7.0], [13.0, 15.0]])
  expect avg_pool(x, 2)[0, :, :, 0] == tensor([[2.5, 4.5], [10.5, 12.5]])
  expect max_pool(-x, 3, stride = 2, padding = 1)[0, :, :, 0]
    == tensor([[0.0, -1.0], [-4.0, -5.0]])
  expect avg_pool(x, 3, stride = 2, padding = 1)[0, :, :, 0]
    == tensor([[2.5, 4.0], [8.5, 10.0]])
  expect max_pool(reshape(x, [1, 16, 1]), 4)[0, :, 0] == tensor([3.0, 7.0, 11.0, 15.0])
}
