// Names that stand twice in a list, in code that nothing calls, and in code that is evaluated.
fn twoParameters(a, a) { a }
fn aField(r: (b: int, b: f32)) { r }
fn inside(x) {
  let f = fn(c, c) { c }
  let (d, d) = f(x, x)
  let e = 1
  let e = 2
  [k + x for k in [d, e] for k in [1, 2]]
}
fn calls(x) { mean(x, over = 0, over = 1) + inside(x = 1, x = 2) }
fn keepsNothing(_, x) {
  let (_, _) = x
  (g = 1, h = (i = 1, g = 2), g = 3)
}

model M(width: int, width: int) {
  param w: f32[width] = zeros
  let w = 1
  fn forward(x) { x }
  fn forward(y, y) { y }
}

optimizer O(rate = 1.0, rate = 2.0) for p: f32[...] {
  state m: f32[...] = zeros
  fn update(gradient) { p }
}

let (first, first) = (1, 2)
let record = (l = 1, m = 2, l = 3)
let called = twoParameters(a = 1, a = 2)
let counted = [n for (n, n) in [(1, 2)]]
let twice = 1
let twice = 2
