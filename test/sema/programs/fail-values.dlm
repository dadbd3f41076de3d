let sizes = ["small" => 8, "large" => 64]
let twice = ["a" => 1, "a" => 2]
let keyed = [true => 1]
let half = ["a" => 1, 2]
fn named(r: (width: int, name: string?)) { r.width }
test "values" {
  let a = sizes["lrage"]
  let b = sizes[3]
  let c = sizes["small", "large"]
  let d = [x for x in zeros([3])]
  let e = [x for (x, y) in sizes if y > 8] + sizes
  let f = named((name = "x"))
  let g = sizes < sizes
  let (h, i) = (1, 2, 3)
  let j = [k for (k, l) in [(1, 2, 3)]]
}
