use nn, optim, data
let images = data.idx("tiny")
model Net(context: int) {
  param rows: f32[7, 4] = normal(std = 0.02)
  fn forward(ids: i32[B], x: f32[B, H, W]) -> f32[B] {
    let a = x[0, 1, 2, 3]
    let b = x[:, 2]
    let c = x[:, -3, 1]
    let d = x[..., 1:4]
    let e = x[..., 2:1]
    let f = x[..., 0, ...]
    let g = x[:, ids]
    let h = x[x > 0]
    let i = rows[x]
    let j = rows[0.5]
    sum(x, dim = 1, keepdim = true)
  }
}
train t {
  let net = Net(context = 5)
  let ragged = tensor([[1, 2], [3]])
  let mixed = tensor([[1, 2], 3])
  let nested = tensor([1, [2]])
  let empty = tensor([])
  let large = tensor([300], u8)
  let half = full([2], 0.5, i32)
  let kind = zeros([2], float32)
  data = images
  batch = 2
  fn loss(batch) { mean(net(batch.label, cast(batch.image, f32))) }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
