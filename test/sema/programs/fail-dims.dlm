use optim, data
let images = data.idx("tiny")
fn same(x: f32[B, N], y: f32[B, 2 * N]) -> f32[B, N] { x }
fn unbound(x: f32[B, width]) -> f32[B, widht] { x }
fn inside(x: f32[B, N]) { zeros([M]) }
fn kept(x: f32[...], y: f32[..., K]) -> f32[..., K] { y }
fn twice(x: f32[..., N, ...]) { x }
fn named(x: f32[N, N]) { sum(x, over = N) }
fn lost(x: f32[...]) -> f32[...L] { x }
train t {
  data = images
  batch = 3
  fn loss(batch) {
    let x = cast(batch.image, f32)
    let flat = reshape(x, [batch.size, 6])
    let a = same(flat, flat)
    let b = unbound(flat)
    let c = inside(flat)
    let d = kept(flat, x)
    let e = twice(flat)
    let f = named(zeros([2, 2]))
    let g = lost(flat)
    let p = batch.size > 2
    let q = batch.size % 2
    let h = max(batch.size, 3)
    let i = zeros([batch.size - 2])
    let j = reshape(x, [batch.size / 2 + 1 / 2, 12])
    let k = reshape(x, [batch.size, 5])
    let l = reshape(x, [batch.size / 2, 2, 6])
    let m = batch.size ** 9 * 9_000_000_000_000_000_000 * 2
    let n = batch.size / 0
    mean(flat)
  }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
