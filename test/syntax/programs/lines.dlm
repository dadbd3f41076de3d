// Where lines end: operators, brackets, `else` and `;`.
let a = 1
  + 2
  * 3
let b = a |> f
  |> g(1)
  |> h
let c = f(
  1,
  -2
  - 3
)
let d = if a > 1 { 1 }
  else if a > 2 { 2 }
  else { 3 }
let e =
  4
let f = [
  1
  , 2
]
let g = x
  .y
  .z
fn two(a) { let b = a; b }
fn block(a)
{
  let b = fn(x) {
    let y = x
    y
  }
  b(a)
}
