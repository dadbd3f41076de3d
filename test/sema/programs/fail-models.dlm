use nn, optim, data
option depth = 2
let images = data.idx("tiny")
let early = nn.Linear(2, 3)
model Strict(width: int, depth: int) {
  require width % depth == 0, "the width is a multiple of the depth"
  let part = width / depth
  param unreached: f32[part] = zeros
}
model Deep(depth: int) {
  require depth > 3
}
model Net(width: int, depth: int) {
  param w: f32[width]
  param ids: i32[width] = zeros
  buffer seen: f32[width] = zeros
  let parts = [nn.Linear(width, width), self_made]
  fn forward(x) {
    let late = nn.Linear(width, width)
    x |> nn.Linear(width, width)
  }
}
model Inner(n: int) {
  let more = Inner(n)
  fn twice(x) { x }
}
train t {
  let strict = Strict(7, depth)
  let deep = Deep(depth)
  let net = Net(7, depth)
  let inner = Inner(3)
  data = images
  batch = 2
  fn loss(batch) {
    let x = cast(batch.image, f32)
    let y = x |> nn.Linear(3, 4)
    mean(x)
  }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
