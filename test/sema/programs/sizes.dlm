// Sizes of the batch as values, products of more than two dimensions, the batch axis anywhere.
use optim, data

let images = data.idx("tiny")

/// Sizes computed from those that the arguments bind, in shapes and as numbers.
fn halves(x: f32[B, H, W], scale: int) -> f32[2 * B, H * W / 2] {
  require B + 1 > B and min(B, 2 * B) == B and (6 * B + 1) % 3 == 1
  require max(B - 1, 0) == B - 1 and -B < 0 and B ** 2 / B == B
  reshape(x, [2 * B, H * W / 2]) * (scale / B)
}

/// Means of groups of two samples: `g` takes the place of the batch axis.
fn grouped(x: f32[B, D]) -> f32[B, D] {
  let groups = reshape(x, [B / 2, 2, D])
  reshape(groups - mean(groups, over = 1, keep = true), [B, D])
}

model Net(width: int) {
  param query: f32[3, width] = xavier
  param mix: f32[2, 3, width] = xavier
  param weight: f32[width] = ones
  fn forward(x: f32[B, H, W]) {
    let rows = x @ query
    let pairs = rows @ reshape(x @ query, [B, width, H])
    let mixed = x[:, :, new, :] @ mix
    let scores = rows @ weight
    let turned = reshape(x, [B, H * W]).T
    (pairs = pairs, mixed = mixed, scores = scores, square = turned @ turned.T)
  }
}

train sizes {
  let net = Net(4)
  data = images
  batch = 2
  fn loss(batch) {
    let x = cast(batch.image, f32)
    let y = net(x)
    let place = cast(iota(batch.size), f32) / batch.size
    let weight = cast(batch.label > 0, f32)
    let kept = sum(weight * sum(y.pairs, over = (1, 2))) / max(sum(weight), 1)
    (kept = kept, gram = mean(y.square) / batch.size ** 2,
     mixed = mean(y.mixed) + mean(place * mean(y.scores, over = 1)),
     halves = mean(halves(x, 3)),
     groups = mean(grouped(reshape(x, [batch.size, 6])) * mean(y.scores, over = 1, keep = true)))
  }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
