use nn, optim, data

let tagged = data.npy("sentences.npz")

train tagger {
  let table = nn.Embedding(tagged.vocab, 8)
  let net = nn.Linear(8, tagged.classes)
  data = tagged
  batch = 32
  optimizer = optim.Adam(lr = 1e-3)
  duration = 5 epochs
  fn loss(batch) { cross_entropy(net(table(batch.ids)), batch.tags) }
  command tag(words: [string]) -> i32[...] {
    argmax(net(table(tagged.encode(words[0])))[new], over = -1)[0]
  }
}
