use nn, optim, data

let text = data.text("text.txt", tokenizer = data.chars(), window = 8)

train t {
  let table = nn.Embedding(text.vocab, text.vocab)
  data = text
  batch = 32
  fn loss(batch) { cross_entropy(table(batch.ids), batch.next) }
  optimizer = optim.Adam(lr = 1e-3)
  duration = 5 epochs
  command best(prompt: string) -> i32[8] { argmax(table(text.encode(prompt)), over = -1) }
}
