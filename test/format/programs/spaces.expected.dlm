use nn, optim.rules as r
option a = 1_000  /// a thousand
option b: f32 = -1e-3  ///no space
// own line

//another
fn f(x: f32[...L, D], y = (1, 2)) -> f32[D] { let z = x * -y; z[:, 1:] }
model M(n: int) {
  param w: f32[n] = normal(std = 2 ** -n)

  fn forward(x) {
    x @ w.T |> relu  // trailing
  }
}
let list = [1, -2, 3]
let map = ["a" => 1, "b" => (2 % 3)]
let text = "a  b	c"
let all = [i for i in 0..10 if not (i in [1, 2])]
let t: fn(f32, int) -> T? = none
train r { data = x; micro = 10%; duration = 250 steps; share = n % 3 }
let crlf = 1  // one
let tab = 2
