// gpt2.dlm: GPT-2 in its smallest size (Radford et al., 2019): 124,439,808 parameters. To train it
// to the end takes many processors; here it is compiled, in 5.4 s on a machine with other work, and
// makes steps. It reads the King James Bible word by word, so most of its vocabulary has nothing to
// do; a `tokenizer.json` of GPT-2 goes in by `tokenizer = data.bpe("tokenizer.json")`.
//
//   bible -f 'Gen1:1-Rev22:21' | sed 's/^[^ ]* //' > kjv.txt
//
// Expect: parameters == 124_439_808, compile <= 10 s
// Quick: -D width=48 -D layers=2 -D context=16 -D 'warmup=1 steps' --lr 3e-3
// Full: -D context=64 -D 'warmup=5 steps' --steps 20
use nn, optim, schedule, data

option width      = 768   /// model width
option layers     = 12    /// number of blocks
option context    = 128   /// tokens per sample, up to 1024
option batch_size = 1     /// texts per step
option lr         = 6e-4  /// learning rate at its peak
option warmup     = 700 steps  /// until the rate is at its peak

let text = data.text("kjv.txt", tokenizer = data.words(), window = context, validation = 16)

/// GPT-2's gelu, of the time when `erf` was slow.
fn act(x) { gelu(x, approximate = tanh) }

model GPT2(vocab: int, context: int, width: int, heads: int, layers: int) {
  param tok: f32[vocab, width]   = normal(std = 0.02)
  param pos: f32[context, width] = normal(std = 0.01)
  let blocks = [nn.Block(width, heads, causal = true, act = act, bias = true) for _ in 0..layers]
  let norm   = nn.LayerNorm(width)

  fn forward(ids: i32[B, T]) -> f32[B, T, vocab] {
    require T <= context
    let x = tok[ids] + pos[:T]
    (x |> blocks |> norm) @ tok.T
  }
}

train gpt2 {
  let net = GPT2(50_257, 1024, width, heads = 12, layers = layers)
  data  = text
  batch = batch_size

  fn loss(batch) { cross_entropy(net(batch.ids), batch.next) }

  fn optimizer(p) {
    optim.AdamW(
      lr           = schedule.cosine(peak = lr, warmup = warmup, floor = 0.1 * lr),
      betas        = (0.9, 0.95),
      weight_decay = if p.rank > 1 { 0.1 } else { 0 },
    )
  }
  duration  = 10_000 steps
  clip_norm = 1.0
  seed      = 1
}
