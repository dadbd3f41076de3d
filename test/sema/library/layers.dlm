// The layers of the library, one behind the other.
use nn, optim, data
option rate = 0.1
let text = data.text("text.txt", tokenizer = data.chars(), window = 6, order = streams)
train t {
  let table = nn.Embedding(text.vocab, 8, std = 0.1)
  let blocks = [
    nn.Block(8, heads = 2, causal = true, drop = rate),
    nn.Block(8, heads = 4, hidden = 12, act = silu, kv_heads = 2, rotary = true),
    nn.Transformer(8, heads = 2, layers = 2, causal = true, drop = rate, bias = true),
  ]
  let read = nn.LSTM(8, 8, carry = true)
  let again = nn.GRU(8, 8)
  let norms = [
    nn.BatchNorm(8, group = 2),
    nn.GroupNorm(8, groups = 4),
    nn.LayerNorm(8),
    nn.RMSNorm(8),
  ]
  let rest = nn.Chain([nn.Dropout(0.5), nn.MLP([8, 16, text.vocab]), identity])
  data = text
  batch = 4
  fn loss(batch) {
    cross_entropy(table(batch.ids) |> blocks |> read |> again |> norms |> rest, batch.next)
  }
  fn optimizer(p) {
    if p.name == "recurrent" {
      optim.Muon(lr = 0.02)
    } else if p.rank >= 2 {
      optim.Adafactor(lr = 1e-3)
    } else {
      optim.Lion(lr = 1e-4)
    }
  }
  duration = 10 steps
}
