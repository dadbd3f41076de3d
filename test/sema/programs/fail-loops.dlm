use nn
let a = fold(0, 5, fn(s, x) { s })
let b = fold(0, [1, 2], fn(s) { s })
let c = scan(0, [1, 2], fn(s, x) { s + x })
let d = fold(0, [1, 2], fn(s, x) { s }, over = 0)
let e = [i for i in 0..batch]
model Stored(n: int) {
  buffer last: f32[n] = zeros
  fn forward(x: f32[T, n]) {
    fold(zeros([n]), x, over = T, body = fn(s, row) {
      next last = row
      s + row
    })
  }
}
test "loops" {
  let x = ones([4, 3])
  let aa = fold(zeros([3]), x, fn(s, row) { s + row })
  let bb = fold(zeros([3]), x, over = T, body = fn(s, row) { s + row })
  let cc = fold(zeros([3]), x, over = (0, 1), body = fn(s, row) { s + row })
  let dd = fold(zeros([4]), x, over = 1, body = fn(s, column) { s[new, :] + column })
  let ee = fold((h = zeros([3])), x, over = 0, body = fn(s, row) { (g = row) })
  let ff = fold(zeros([3]), x, over = 0, body = fn(s, row) { cast(row, i32) })
  let gg = fold(zeros([3]), x, over = 0, body = fn(s, row) { s + row }, until = fn(s) { s > 3 })
  let hh = fold("", x, over = 0, body = fn(s, row) { s })
  let ii = fold(zeros([3]), [1, 3], fn(s, k) { s + k }, until = fn(s) { max(s) > 3 })
  let jj = Stored(3)(x)
}
