use nn, optim, data

let text = data.text("poems.txt", tokenizer = data.chars(), window = 5, validation = 10%)

train t {
  let net = nn.Linear(text.vocab, text.vocab)
  data = text
  batch = 4
  fn loss(batch) {
    let x = cast(one_hot(batch.ids, text.vocab), f32)
    mean(net(sum(x, over = 1)) ** 2)
  }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1_001 tokens
  evaluate { every = 500 tokens }
}
