// The parts of a tuple have no numbers.
fn halves(x: f32[n]) { (x * 0.5, x * 0.25, 2) }
test "a part" {
  let t = halves(ones([4]))
  let r = (left = 1, right = 2)
  expect t[0] == 0.5
  expect halves(ones([4]))[2] == 2
  expect r[0] == 1
}
