// What a command is given is known when it is called, and not before.
use nn, optim, data
train t {
  let net = nn.Linear(6, 3)
  data = data.idx("tiny")
  batch = 2
  fn loss(batch) {
    cross_entropy(net(reshape(cast(batch.image, f32), [batch.size, 6])), batch.label)
  }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
  command ids(n: int, scale: f32) -> i32[1] {
    require n <= 10
    tensor([n])
  }
  command both(n: int, scale: f32) -> f32[2] { tensor([n, scale]) }
  command rows(scale: f32) -> f32[1, 1] { tensor([[scale]], f32) }
  command table(scale: f32) -> f32[2, 2] { tensor([[1, 0], [0, scale]]) }
  /// As the messages say.
  command right(n: int, scale: f32) {
    require n <= 10
    (
      one = full([1], n, i32),
      two = stack([full([], n, f32), full([], scale, f32)]),
    )
  }
}
