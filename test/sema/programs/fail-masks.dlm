use nn, optim, data
let images = data.idx("tiny")
fn both(x: float[...], y: float[...]) { x + y }
train t {
  let net = nn.Linear(6, 3)
  data = images
  batch = 2
  fn loss(batch) {
    let x = cast(batch.image, f32)
    let a = sum(x, where = x)
    let b = mean(x, where = batch.label > 0)
    let c = count(x)
    let d = max(x > 0, over = -1)
    let e = norm(batch.label)
    let f = max([])
    let g = both(x, cast(x, f64))
    let h = batch.label == cast(batch.label, i64)
    let i = batch.label / batch.label
    let j = random.bernoulli(1.5, [2])
    let k = random.int(3, 3, [2])
    let l = random.categorical(batch.label)
    let m = random.gamma([2])
    let n = mean(x, axis = 1)
    let o = zeros([2], dtype = i33)
    let p = len(x)
    let q = cross_entropy(net(x[:, 0]), batch.label)
    let r = argmax(x)
    if mean(x) > 0 { 1 } else { 2 }
  }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
