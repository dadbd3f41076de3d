// The operations that no other program of this folder has, so that there is one for each.
use nn, optim, data

let text = data.text("poems.txt", tokenizer = data.chars(), window = 5, validation = 10%)

model Net(vocab: int) {
  param table: f32[vocab, vocab] = normal(std = 0.02)
  fn forward(ids: i32[B, T]) { cast(one_hot(ids, vocab), f32) @ table }
}

train t {
  let net = Net(text.vocab)
  data = text
  batch = 4
  fn loss(batch) {
    let x = sin(net(batch.ids))
    let y = where(not (x > 0) or x < -1, ceil(x), round(x)) + sign(x)
    cross_entropy(x, batch.next) + 0 * mean(y) + 0 * mean(cast(batch.ids, f32) % 2)
  }
  command go_on(prompt: string = "a", limit: int = 4, count: int = 2) -> string {
    require limit <= 16
    require count <= 8
    let more = mean(zeros([count]) + 1) * count
    text.decode(generate(net, text.encode(prompt), limit = limit, pick = fn(logits) {
      cast(argmax(logits + more, over = -1), i32)
    }))
  }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
