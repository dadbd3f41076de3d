// Where lines break, and which breaks of the author stay.
let kept = [
  one, two ]
let joined = f(one,
  two, three
)
let chain = data.images(train = "imagenet/train", validation = "imagenet/val") |> data.map(prepare) |> data.mix
let sum_of = a
  + b * c
let long_sum = reconstruction_of_the_batch * weight_of_the_first - regularization_of_it * weight_of_the_second
let inner = (reconstruction_of_the_batch * weight_of_the_first - regularization_of_it * weight_of_second) * 2
let call = optim.AdamW(lr = schedule.cosine(peak = 1e-3, warmup = 100 steps), betas = (0.9, 0.95), weight_decay = 0.1)
let hug = generate(net, text.encode(prompt), limit = limit, pick = fn(logits) { random.categorical(logits / temperature) })
let numbers = [1000, 2000, 3000, 4000, 5000, 6000, 7000, 8000, 9000, 10000, 11000, 12000, 13000, 14000, 15000, 16000]
let choice = if first_condition == second_condition and third { first_value_of_it } else { second_value_of_it + 1 }
let short = if a { 1 }
  else { 2 }
let shape: f32[reconstruction_of_the_batch, weight_of_the_first, regularization_of_it, weight_of_the_second] = none
fn declared(first_parameter: f32[batch, 28, 28], second_parameter: f32[batch, 10] = none) -> f32[] { first_parameter }
fn encoded(images: f32[B, height, width, channels], labels: i32[B], steps: int) -> f32[B, hidden, code] {
  images }
fn lone(x) { x
}
train r { memory { budget = 16GiB; recompute = auto }
  parallel { data = auto; tensor = 8; split = [heads => tensor, kv_heads => tensor, hidden => tensor] }
  fn empty() {
  }

}
use a_module_with_a_long_name, another_module_with_a_long_name, model as m, a_third_module_with_a_long_name
