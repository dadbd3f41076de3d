// lstm_names.dlm: an LSTM that learns letter by letter how names are spelled, from the words that
// the King James Bible (package bible-kjv) writes large within a sentence:
//
//   bible -f 'Gen1:1-Rev22:21' | grep -oE '[a-z,;] [A-Z][a-z]+' | cut -c3- | LC_ALL=C sort -u |
//     shuf --random-source=/usr/share/common-licenses/GPL-3 > names.txt
//
// Of a letter of names that it has not seen it is 2.25 nats off, after 300 steps: 3 min 41 s on one
// thread of a machine with much other work.
// Expect: validation.loss <= 2.3
use nn, optim, schedule, data

option width      = 64    /// numbers that are carried from letter to letter
option lr         = 5e-3  /// learning rate at its peak
option batch_size = 32    /// samples per step

let names = data.text("names.txt", tokenizer = data.chars(), window = 32, validation = 10%)

train lstm_names {
  let letters = nn.Embedding(names.vocab, width, std = 0.1)
  let memory  = nn.LSTM(width, width)
  let output  = nn.Linear(width, names.vocab)
  data  = names
  batch = batch_size

  fn logits(ids) { ids |> letters |> memory |> output }
  fn loss(batch) { cross_entropy(logits(batch.ids), batch.next) }

  optimizer = optim.AdamW(lr = schedule.cosine(peak = lr))
  duration  = 300 steps
  clip_norm = 1.0
  seed      = 1

  evaluate { every = 100 steps }
}
