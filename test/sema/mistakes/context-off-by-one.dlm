use nn, optim, data

let text = data.text("poems.txt", tokenizer = data.chars(), window = 5)

model Bigram(vocab: int, context: int) {
  param position: f32[context, vocab] = zeros
  fn forward(ids: i32[B, T]) -> f32[B, T, vocab] {
    require T <= context, "a text is at most as long as the context"
    cast(one_hot(ids, vocab), f32) + position
  }
}

train digits_run {
  let net = Bigram(text.vocab, context = 4)
  data = text
  batch = 2
  optimizer = optim.Adam(lr = 1e-3)
  duration = 5 epochs
  fn loss(batch) { mean(net(batch.ids)) }
}
