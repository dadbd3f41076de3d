test "gradients" {
  let x = ones([3])
  let _a = grad(3)
  let _b = grad(fn(y) { y })(x)
  let _c = grad(fn(y) { sum(cast(argmax(y, over = 0), f32)) })(x)
  let _d = grad(fn(y) { sum(stop_gradient(y)) })(x)
  let _e = grad(fn(y) { 1.0 * sum(y) })(iota(3))
  let _f = grad(fn(y) { sum(cast(y > 0, f32)) })(x)
  let _g = grad(fn(y, z) { sum(y) })(x)
}
