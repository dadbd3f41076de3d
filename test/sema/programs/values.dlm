// Maps, optional values, functions and constructors as values, equality.
use nn
let sizes = ["small" => 8, "large" => 64]
let named = [1 => "one", 2 => "two"]
fn describe(r: (width: int, name: string?)) { if r.name != none { r.name } else { "none" } }
fn apply(f: fn(any) -> any, x) { f(x) }
fn made(n: int, block: fn(int, int) -> model = nn.Linear) { block == nn.Linear and n > 0 }
model Stack(n: int, count: int, block = nn.Linear) {
  let blocks = [block(n, n) for _ in 0..count]
  fn forward(x: f32[..., n], skip: bool? = none) {
    let y = x |> blocks
    if skip == none { y } else { if skip { x + y } else { y } }
  }
}
test "maps" {
  expect sizes["large"] == 64 and named[2] == "two"
  expect "small" in sizes and not ("middle" in sizes) and len(sizes) == 2
  expect [(k, 2 * v) for (k, v) in sizes] == [("small", 16), ("large", 128)]
  expect sizes == ["small" => 8, "large" => 64] and sizes != ["small" => 8]
}
test "parts of strings" {
  expect "norm" in "net.norm.weight" and not ("bias" in "net.norm.weight")
  expect "" in "net"
}
test "optional values" {
  expect describe((width = 3)) == "none" and describe((width = 3, name = "x")) == "x"
  let net = Stack(2, 3)
  expect net(ones([2, 2]), skip = true) == net(ones([2, 2])) + 1
}
test "functions are values" {
  expect apply(relu, -1) == 0 and apply(fn(x) { x + 1 }, 1) == 2
  expect relu == relu and gelu != silu and made(3)
  let net = Stack(2, 1, block = fn(a, b) { identity })
  let shared = net
  expect shared == net and net != Stack(2, 1)
  let (use, test) = (1, 2)
  let train = use + test
  expect train == 3
}
