// Texts come in as tokens, at most as many as a window has, or as a condition says.
use optim, data

let text = data.text("text.txt", tokenizer = data.chars(), window = 8)

model Scale() {
  param weight: f32[text.vocab] = ones
  fn forward(ids: i32[B, T]) -> f32[B, T, text.vocab] {
    require T <= 8
    cast(one_hot(ids, text.vocab), f32) * weight
  }
}

train t {
  let net = Scale()
  data = text
  batch = 2
  fn loss(batch) { mean(net(batch.ids) ** 2) }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
  command most(prompt: string = "ab\n", other: string) -> (text: string, count: f32[], both: i32) {
    let ids = text.encode(prompt)
    require 2 <= ids.shape[0] and ids.shape[0] < 6, "two to five tokens"
    let next = argmax(net(text.encode(prompt)[new, :])[0], over = -1)
    (
      text = text.decode(next),
      count = sum(cast(ids, f32)) / ids.shape[0],
      both = max(text.encode(other)),
    )
  }
}
