use nn, optim, data

let text = data.text("text.txt", tokenizer = data.chars(), window = 8)

train few_rows {
  let table = nn.Embedding(10, 8)
  let head = nn.Linear(8, text.vocab)
  data = text
  batch = 32
  optimizer = optim.Adam(lr = 1e-3)
  duration = 5 epochs
  fn loss(batch) { cross_entropy(head(table(batch.ids)), batch.next) }
}
