// The model's size follows from data that is not there: that is all there is to say.
use optim, data

let stories = data.tokens("stories.tokens", window = 8)

model Table(vocab: int, hidden: int) {
  param table: f32[vocab, hidden] = zeros
  param out: f32[hidden, vocab] = zeros
  fn forward(ids: i32[B, T]) { table[ids] @ out }
}

train t {
  let net = Table(stories.vocab, 8)
  data = stories
  batch = 4
  fn loss(batch) { cross_entropy(net(batch.ids), batch.next) }
  optimizer = optim.Adam(lr = 1e-3)
  duration = 10 steps
  parallel { tensor = 2; split = [hidden => tensor, vocab => tensor] }
}
