// One `keep = true` is missing, and its axis is missed three times.
fn normalized(x: f32[N, D]) {
  let middle = mean(x, over = D)
  let spread = sqrt(mean(x * x, over = D) + 1e-5)
  let centred = x - middle
  let shifted = x + middle
  let scaled = 2 * middle * x
  (centred, shifted, scaled, x / spread)
}
test "normalized" { let _all = normalized(ones([3, 4])) }
