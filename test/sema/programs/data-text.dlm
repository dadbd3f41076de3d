// Text cut into windows; each sample is a window of token ids and the ids that come next.
use nn, optim, data

let text = data.text("poems.txt", tokenizer = data.chars(), window = 5, validation = 10%)

train t {
  let net = nn.Linear(text.vocab, text.vocab)
  data = text
  batch = 4
  fn loss(batch) {
    let x = cast(one_hot(batch.ids, text.vocab), f32)
    let y = cast(one_hot(batch.next, text.vocab), f32)
    mse(sum(x, over = 1), sum(y, over = 1)) + mean(net(sum(x, over = 1)) ** 2)
  }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
