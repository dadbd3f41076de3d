// Parts of networks for images [batch, height, width, channels], made of convolutions and norms.

use nn.convolutions, nn.norms

/// Two convolutions by 3 x 3 places and the way around them (He et al., 2016, figure 2): from [B,
/// H, W, inputs] to [B, H / stride, W / stride, outputs], rounded up. Where the shape changes, the
/// way around is a convolution by one place (their option B). Each is followed by `BatchNorm`, over
/// `group` samples at a time, and `act` stands between them and at the end.
model ResidualBlock(
  inputs: int,
  outputs: int,
  stride: int = 1,
  group: int? = none,
  act: model = relu,
) {
  let conv1 = convolutions.Conv2d(
    inputs,
    outputs,
    kernel = 3,
    stride = stride,
    padding = 1,
    bias = false,
  )
  let norm1 = norms.BatchNorm(outputs, group = group)
  let conv2 = convolutions.Conv2d(outputs, outputs, kernel = 3, padding = 1, bias = false)
  let norm2 = norms.BatchNorm(outputs, group = group)
  let around = if stride == 1 and inputs == outputs {
    [identity]
  } else {
    [
      convolutions.Conv2d(inputs, outputs, kernel = 1, stride = stride, bias = false),
      norms.BatchNorm(outputs, group = group),
    ]
  }
  fn forward(x: f32[B, H, W, inputs]) {
    let y = x |> conv1 |> norm1 |> act |> conv2 |> norm2
    act(y + (x |> around))
  }
}

/// Two convolutions by 3 x 3 places that keep the sides, each normalised in groups of channels.
model Twice(inputs: int, width: int, groups: int, act: model) {
  let conv1 = convolutions.Conv2d(inputs, width, kernel = 3, padding = 1, bias = false)
  let norm1 = norms.GroupNorm(width, groups)
  let conv2 = convolutions.Conv2d(width, width, kernel = 3, padding = 1, bias = false)
  let norm2 = norms.GroupNorm(width, groups)
  fn forward(x: f32[B, H, W, inputs]) -> f32[B, H, W, width] {
    x |> conv1 |> norm1 |> act |> conv2 |> norm2 |> act
  }
}

/// Twice as large sides and half the channels, and beside them what the way down had of this size.
model Up(width: int, groups: int, act: model) {
  let grow = convolutions.ConvTranspose2d(2 * width, width, kernel = 2, stride = 2)
  let merge = Twice(2 * width, width, groups, act)
  fn forward(x, seen) { merge(concat([seen, grow(x)], over = -1)) }
}

/// From an image to one of the same sides, [B, H, W, inputs] to [B, H, W, outputs], by way of
/// smaller and smaller ones (Ronneberger et al., 2015, figure 1, but that convolutions keep the
/// sides, and are normalised). Each of `levels` halves the sides by a pool and doubles the
/// channels, of which there are `width` at first; H and W are multiples of `2 ** levels`. `groups`
/// is that of `GroupNorm`, and divides `width`.
model UNet2d(
  inputs: int,
  outputs: int,
  width: int = 32,
  levels: int = 3,
  groups: int = 8,
  act: model = relu,
) {
  require levels >= 1, "a U-Net has at least one level"
  let widths = [width * 2 ** i for i in 0..levels + 1]
  let downs = [
    Twice(if i == 0 { inputs } else { widths[i - 1] }, widths[i], groups, act) for i in 0..levels
  ]
  let bottom = Twice(widths[levels - 1], widths[levels], groups, act)
  let ups = [Up(widths[i], groups, act) for i in reverse(0..levels)]
  let head = convolutions.Conv2d(width, outputs, kernel = 1)
  fn forward(x: f32[B, H, W, inputs]) -> f32[B, H, W, outputs] {
    require H % 2 ** levels == 0 and W % 2 ** levels == 0,
      "each level halves the sides of the image: they are multiples of 2 ** levels"
    let (small, seen) = scan(x, downs, fn(y, down) {
      let z = down(y)
      (max_pool(z, 2), z)
    })
    let y = fold(bottom(small), zip(ups, reverse(seen)), fn(y, step) {
      let (up, beside) = step
      up(y, beside)
    })
    head(y)
  }
}

test "a ResidualBlock without its convolutions is what goes around" {
  let x = reshape(cast(iota(64), f32) / 64, [1, 4, 4, 4])
  let block = ResidualBlock(4, 4, act = identity)
  let y = x |> block.conv1 |> block.norm1 |> block.conv2 |> block.norm2
  expect close(block(x) - y, x)
  expect ResidualBlock(4, 4)(x) >= 0
}

test "a ResidualBlock that changes the shape has a convolution around it" {
  let block = ResidualBlock(3, 8, stride = 2, group = 2)
  expect block.around[0].weight.shape == [1, 1, 3, 8]
  expect block(ones([2, 7, 6, 3])).shape == [2, 4, 3, 8]
}

test "a UNet2d keeps the sides" {
  let net = UNet2d(3, 2, width = 4, levels = 2, groups = 2)
  expect len(net.downs) == 2 and len(net.ups) == 2
  expect net.bottom.conv2.weight.shape == [3, 3, 16, 16]
  expect net(ones([1, 8, 4, 3])).shape == [1, 8, 4, 2]
}
