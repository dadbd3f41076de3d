// What is done with the images of samples, in `data.map`: they are `[height, width, channels]`,
// each of its own size, and become one size here.

/// The image at the given rows and columns, which lie between pixels (0 is the middle of the
/// first): each is a mean of the four pixels around it, by their nearness. Beyond the border its
/// pixels go on.
fn sampled(x: number[H, W, C], rows: f32[P], columns: f32[Q]) -> f32[P, Q, C] {
  let (row, column) = (clamp(rows, 0, H - 1), clamp(columns, 0, W - 1))
  let (above, left) = (floor(row), floor(column))
  let (upper, lower) = (cast(above, i32), cast(min(above + 1, H - 1), i32))
  let (first, second) = (cast(left, i32), cast(min(left + 1, W - 1), i32))
  let lines = lerp(cast(x[upper], f32), cast(x[lower], f32), (row - above)[:, new, new])
  lerp(
    gather(lines, expand(first, [P, Q]), over = 1),
    gather(lines, expand(second, [P, Q]), over = 1),
    (column - left)[new, :, new],
  )
}

/// `count` places in equal steps that part `length` pixels from `begin` on.
fn places(begin, length, count: int) {
  begin - 0.5 + (cast(iota(count), f32) + 0.5) * (length / count)
}

/// The whole image as `[height, width, channels]`, stretched where its sides are in another ratio.
fn resize(x: number[H, W, C], height: int, width: int) {
  sampled(x, places(0, cast(H, f32), height), places(0, cast(W, f32), width))
}

/// The middle of the image, `size` pixels square, after its short side was made `short` pixels.
fn center_crop(x: number[H, W, C], size: int, short: int) {
  require size <= short, "what is cut out is not larger than the short side"
  let (height, width) = (cast(H, f32), cast(W, f32))
  let side = min(height, width) * (size / short)
  sampled(x, places((height - side) / 2, side, size), places((width - side) / 2, side, size))
}

/// A part of the image by chance, made `size` pixels square: its area is the share `scale` of the
/// image, its width to height is `ratio`, each between two bounds (Szegedy et al., 2015, section
/// 6).
fn random_resized_crop(x: number[H, W, C], size: int, scale = (0.08, 1), ratio = (3 / 4, 4 / 3)) {
  let (least, most) = scale
  let (narrow, broad) = ratio
  let (height, width) = (cast(H, f32), cast(W, f32))
  let area = height * width * random.uniform([], low = least, high = most)
  let aspect = exp(random.uniform([], low = log(narrow), high = log(broad)))
  let (part_h, part_w) = (min(sqrt(area / aspect), height), min(sqrt(area * aspect), width))
  let top = random.uniform([]) * (height - part_h)
  let left = random.uniform([]) * (width - part_w)
  sampled(x, places(top, part_h, size), places(left, part_w, size))
}

/// x, or with probability `p` its mirror image.
fn random_flip(x: any[H, W, C], p = 0.5) { where(random.bernoulli(p, []), flip(x, over = 1), x) }

/// Each channel less its `mean`, divided by its deviation `std`.
fn normalize(x: float[H, W, 3], mean, std) {
  let (r, g, b) = mean
  let (red, green, blue) = std
  (x - tensor([r, g, b], f32)) / tensor([red, green, blue], f32)
}

/// What is usually made of the samples of ImageNet: `data.map(source, image.imagenet(size = 224))`.
/// While training a part by chance, or its mirror image, else the middle.
fn imagenet(size: int) {
  fn(s) {
    let x = if training {
      random_flip(random_resized_crop(s.image, size))
    } else {
      center_crop(s.image, size, short = ceil(size * 8 / 7))
    }
    let (mean, std) = ((0.485, 0.456, 0.406), (0.229, 0.224, 0.225))
    (image = normalize(x / 255, mean, std), label = s.label)
  }
}

test "images become one size" {
  let x = ones([6, 8, 3])
  expect resize(x, 4, 5).shape == [4, 5, 3]
  expect center_crop(x, 4, short = 5).shape == [4, 4, 3]
  expect random_resized_crop(x, 4).shape == [4, 4, 3]
  expect random_flip(x).shape == [6, 8, 3]
  expect normalize(x, (1, 1, 1), (2, 2, 2)).shape == [6, 8, 3]
}

test "places between pixels are means of their neighbours" {
  let x = reshape(cast(iota(8), f32), [2, 4, 1])
  expect sampled(x, tensor([0.5]), tensor([0.0, 1.5, 7.0]))[0, :, 0] == tensor([2.0, 3.5, 5.0])
  expect places(0.0, 4.0, 2) == tensor([0.5, 2.5])
  expect resize(x, 1, 2)[0, :, 0] == tensor([2.5, 4.5])
  expect resize(x, 2, 4) == x
  expect random_flip(x, p = 1) == flip(x, over = 1)
  let white = ones([2, 2, 3])
  expect normalize(white, (1, 0, 0.5), (2, 2, 0.5))[0, 0] == tensor([0.0, 0.5, 1.0])
}
