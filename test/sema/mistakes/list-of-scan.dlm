// Over a known range `scan` gives a list of its outputs.
test "steps" {
  let (_last, ys) = scan(zeros([3]), 0..4, fn(s, i) { (s + 1, s * 2) })
  let turned = rearrange(ys, "t d -> d t")
  let (_count, numbers) = scan(0, 0..4, fn(s, i) { (s + 1, s) })
  expect sum(numbers) == 6
  expect turned == 0
}
