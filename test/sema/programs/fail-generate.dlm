// A text that is gone on with is bounded, and so is what `until` sees of it.
use nn, optim, data

let text = data.text("poems.txt", tokenizer = data.chars(), window = 5, validation = 10%)

model Net(vocab: int) {
  param table: f32[vocab, vocab] = normal(std = 0.02)
  fn forward(ids: i32[B, T]) -> f32[B, T, vocab] {
    require T <= 4
    table[ids]
  }
}

train t {
  let net = Net(text.vocab)
  data = text
  batch = 4
  fn loss(batch) { cross_entropy(net(batch.ids[:, :4]), batch.next[:, :4]) }
  command forever(prompt: string, limit: int) -> string {
    text.decode(generate(net, text.encode(prompt), limit = limit))
  }
  command longer(prompt: string) -> string {
    text.decode(generate(net, text.encode(prompt), limit = 3))
  }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
