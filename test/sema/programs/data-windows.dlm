// Texts that are there: their vocabularies and windows are counted when a program is compiled.
use nn, optim, data

let verses = data.text("verses.text", tokenizer = data.chars(), window = 10, validation = 2)
let words = data.text(
  "verses.text",
  tokenizer = data.words(),
  window = 6,
  validation = "letters.text",
  order = streams,
)
let pairs = data.text("letters.text", tokenizer = data.bpe("letters.json"), window = 4)

test "the texts are known" {
  // 123 characters make 12 windows, each with a token behind it
  expect verses.vocab == 26 and verses.count == 10 and verses.validation_count == 2
  expect words.vocab == 32 and words.count == 9 and words.validation_count == 1
  // ab c ab c ab <end> \n ab c \n
  expect pairs.vocab == 6 and pairs.count == 2
}

train t {
  let net = nn.Linear(verses.vocab, verses.vocab)
  data = verses
  batch = 2
  fn loss(batch) {
    let x = cast(one_hot(batch.ids, verses.vocab), f32)
    let y = cast(one_hot(batch.next, verses.vocab), f32)
    mse(net(mean(x, over = 1)), mean(y, over = 1))
  }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
