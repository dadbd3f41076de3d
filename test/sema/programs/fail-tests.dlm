use nn
fn checked(x) {
  expect x == 1
  x
}
test "wrong" {
  let (a, b) = (2, 3)
  expect a == b
  expect a + b == 6, "their sum"
  expect a
  expect zeros([2])
  expect checked(1) == 1
  let net = nn.Linear(2, 3)
  expect net(zeros([2, 4])) == 0
}
test "wrong" { expect true }
