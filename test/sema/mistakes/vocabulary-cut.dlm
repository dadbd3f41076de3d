use nn, optim, data

let text = data.text("text.txt", tokenizer = data.chars(), window = 8)

/// The ids behind a name of their own.
let pairs = text |> data.map(fn(s) { (seen = s.ids, wanted = s.ids[1:]) })

train few_logits {
  let table = nn.Embedding(pairs.vocab, 8)
  let head = nn.Linear(8, 10)
  data = pairs
  batch = 32
  optimizer = optim.Adam(lr = 1e-3)
  duration = 5 epochs
  fn loss(batch) { cross_entropy(head(table(batch.seen[:, :-1])), batch.wanted) }
}
