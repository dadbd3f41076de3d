use nn, optim, data, layrs
option width = 8
let images = data.idx("tiny")
let first = second + 1
let second = first * 2
let width = 3
model Net(inputs: int) {
  let hidden = nn.Liner(inputs, width)
  fn forward(x) { x |> hidden }
}
train t {
  let net = Net(6)
  data = images
  batch = 2
  fn loss(batch) {
    let x = cast(batch.imag, f32)
    let y = witdh * x
    let z = new
    mean(y + z)
  }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
