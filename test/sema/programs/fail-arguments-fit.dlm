// Arguments of library functions that fit with an index or turned, axes out of range, bools in `@`.
use nn
let low = zeros([16])
let high = ones([16])
let way = zeros([5, 1])
let between = lerp(low, high, way[:, 0][:, new])
test "the weight is turned" {
  let judge = nn.Linear(16, 1)
  expect close(zeros([5, 16]), judge.weight)
}
test "an axis too many" {
  expect sum(zeros([2, 3]), over = 2) == 0
  expect sum(zeros([2, 3, 4]), over = 3) == 0
  expect sum(zeros([2]), over = 1) == 0
}
test "classes chosen by a product" {
  let ids = cast(iota(2), i32)
  expect one_hot(ids, 3) @ ones([3, 2]) == 1
}
