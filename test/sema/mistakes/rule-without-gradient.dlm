// A rule that takes no gradient, called twice in a test.
optimizer Still(lr: f32) for p: f32[...] {
  fn update() { next p = p - lr }
}

test "steps" {
  let rule = Still(0.5)
  let p = ones([2, 3])
  expect rule.update(p, p).p.shape == [2, 3]
  expect rule.update(p, p + 5).p.shape == [2, 3]
}
