// What is wrong with the use of a layer is said in terms of the program.
use nn, optim, data, image
let images = data.idx("tiny")
train t {
  let odd = nn.Attention(6, heads = 4)
  let turned = nn.Attention(6, heads = 2, rotary = true)
  let parts = nn.GroupNorm(6, groups = 4)
  let shared = nn.Attention(8, heads = 4, kv_heads = 3)
  let whole = nn.BatchNorm(3)
  let table = nn.Embedding(4, 3)
  let grown = nn.LSTM(4, 5)
  let conv = nn.Conv2d(3, 3, kernel = 3)
  data = images
  batch = 4
  micro = 2
  fn loss(batch) {
    let x = cast(batch.image, f32)
    let a = turned(concat([x, x], over = -1))
    let b = table(x)
    let c = table(batch.label)
    let d = grown(x)
    let e = nn.rope(x)
    let g = nn.avg_pool(x, size = 2)
    let h = attention(x, x[:, :, :2], x)
    let i = rope(x)
    let j = dropout(x, 2)
    let k = image.normalize(x, (0.5, 0.5), (1, 1, 1))
    mean(whole(x)) + mean(c)
  }
  optimizer = optim.SGD(lr = 0.1)
  duration = 10 steps
}
