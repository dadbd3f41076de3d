use nn, optim, data

let digits = data.idx("tiny")

fn flat(image) { reshape(cast(image, f32) / 255, [1, 6]) }

train t {
  let net = nn.Linear(6, digits.classes)
  data = digits
  batch = 2
  fn loss(batch) {
    cross_entropy(net(reshape(cast(batch.image, f32), [batch.size, 6])), batch.label)
  }
  optimizer = optim.Adam(lr = 1e-3)
  duration = 5 epochs
  command by_number(index: int) -> i32[...] {
    require index < 6
    argmax(net(flat(digits[index].image)), over = -1)
  }
  command by_field() -> i32[...] { argmax(net(flat(digits.image)), over = -1) }
  command by_file(file: string) -> i32[...] { argmax(net(flat(data.images(file))), over = -1) }
}
