// What `x[...]` takes from a tensor, and what joins and takes apart.
use nn, optim, data
option first = 1
let images = data.idx("tiny")
let table = tensor([[1.5, 2], [3, 4], [5, 1 / 2]])
let flags = tensor([true, false])
model Net(context: int) {
  param rows: f32[7, 4] = normal(std = 0.02)
  param places: f32[context, 4] = normal(std = 0.02)
  fn forward(ids: i32[B], x: f32[B, H, W]) -> f32[B] {
    let picked = rows[ids] + places[W]
    let part = x[:, 0, 1:] * x[:, -1, :-1]
    let all = x[..., new, 0]
    let (a, b) = split(rows[ids, :2], parts = 2, over = -1)
    let (c, d) = split(x, parts = [1, 2], over = W)
    let joined = concat([picked, part, a * b], over = 1)
    let both = stack([x, x], over = -1)
    let start = rows[:W] + places[-3:]
    let moved = roll(x, 1, over = W) + flip(x, over = (H, W)) + roll(x, -1, over = 2)
    let wide = pad(moved, (1, 0), over = W, value = 0.5)
    let spread = expand_like(sum(picked, over = -1), x) + expand(places[0, 0], [B, H, W])
    sum(joined, over = -1) + mean(both, over = (1, 2, 3)) + sum(all, over = (1, 2))
      + mean(c * d[:, :, :1], over = (1, 2)) + sum(wide, over = (1, 2)) + sum(spread, over = (1, 2))
      + sum(start) + sum(table) + cast(sum(flags), f32) + size(x, over = H)
  }
}
train t {
  let net = Net(context = 5)
  data = images
  batch = 2
  fn loss(batch) {
    let x = cast(batch.image, f32)
    let y = net(batch.label, x)
    let (best, at) = top_k(x, 2, over = 1)
    let ordered = sort(x, over = -1, descending = true)
    let one = gather(x, argmin(x, over = -1), over = -1)
    let run = cumsum(x, over = 1)
    let window = dynamic_slice(x, [0, first, 1], [batch.size, 1, 2])
    mean(y) + mean(best * cast(at, f32)) + mean(ordered * run) + mean(one) + mean(window)
  }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
