// What a call lacks is what no argument can stand for.
fn mixed(rate: f32, label: string, x: f32[N]) {
  require label != ""
  rate * x
}
fn looked(table: f32[V, D], ids: i32[N]) { table[ids] }
test "calls" {
  let ids = iota(4)
  let weights = ones([3])
  let x = ones([5])
  let _a = looked(ids)
  let _b = mixed(0.5, weights)
  let _c = mixed(0.5, "a")
  let _d = mixed(x, label = "b")
  let _e = weights |> mixed("c")
  let _f = looked(iota(2))
  expect true
}
