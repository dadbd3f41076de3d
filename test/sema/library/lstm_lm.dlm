// lstm_lm.dlm
use nn, optim, data

model LSTM(cin: int, width: int) {
  param w: f32[cin + width, 4 * width] = uniform(bound = width ** -0.5)
  param b: f32[4 * width] = zeros
  // a buffer over the batch axis is per-stream: carried to the next window
  buffer h0: f32[batch, width] = zeros
  buffer c0: f32[batch, width] = zeros

  fn forward(x: f32[batch, T, cin]) -> f32[batch, T, width] {
    let (last, ys) = scan((h = h0, c = c0), x, over = T, body = fn(s, xt) {
      let (i, f, g, o) = split(concat([xt, s.h], over = -1) @ w + b, parts = 4, over = -1)
      let c = sigmoid(f) * s.c + sigmoid(i) * tanh(g)
      let h = sigmoid(o) * tanh(c)
      ((h = h, c = c), h)
    })
    next h0 = last.h  // buffers are constants to differentiation: truncation is implied
    next c0 = last.c
    ys
  }
}

option width = 512
let text = data.text(
  "ptb.train.txt",
  validation = "ptb.valid.txt",
  tokenizer = data.words(),
  window = 35,
  order = streams,
)

train lstm_lm {
  let emb = nn.Embedding(text.vocab, width)
  let rnn = [LSTM(width, width) for _ in 0..2]
  data  = text
  batch = 20
  fn logits(ids) { (emb(ids) |> rnn |> dropout(0.5)) @ emb.weight.T }
  fn loss(batch) { cross_entropy(logits(batch.ids), batch.next) }
  fn metrics(batch) {
    (perplexity = exp(mean(cross_entropy(logits(batch.ids), batch.next, reduce = none))))
  }
  optimizer = optim.SGD(lr = 1.0)
  clip_norm = 0.25
  duration  = 40 epochs
}
