// char_gpt.dlm: a small GPT that reads the King James Bible character by character. The text is of
// the Debian package bible-kjv, without the numbers of the verses:
//
//   bible -f 'Gen1:1-Rev22:21' | sed 's/^[^ ]* //' > kjv.txt
//
// Of the last tenth of the text it is 1.67 nats per character off after 500 steps, and 1.43 after
// 1,000, for any number of threads. The 1,000 steps and two evaluations take two cores with AVX-512
// 3 min 38 s (0.19 s a step, 125 GFLOP/s).
//
// `./char_gpt sample --prompt "And the LORD said" --limit 300` after these 1,000 steps goes on with
//
// > unto Bethad, Whose slay I is not before the lover your fathers, and his wife thousands, which
// > hath gold, long Cist; for the LORD was spirin: and they say, a scurch durneth and beliken, and
// > city unto prover me,
//
// Expect: validation.loss <= 1.80 at step 500, validation.loss <= 1.57
// Quick: -D context=32
use nn, optim, schedule, data

option width      = 128   /// model width
option layers     = 4     /// number of transformer blocks
option context    = 128   /// characters per sample
option lr         = 2e-3  /// learning rate at its peak
option batch_size = 32    /// samples per step

let text = data.text("kjv.txt", tokenizer = data.chars(), window = context, validation = 10%)

model GPT(vocab: int, width: int, heads: int, layers: int, context: int) {
  param tok: f32[vocab, width]   = normal(std = 0.02)
  param pos: f32[context, width] = normal(std = 0.02)
  let blocks = [nn.Block(width, heads, causal = true) for _ in 0..layers]
  let norm   = nn.LayerNorm(width)

  fn forward(ids: i32[B, T]) -> f32[B, T, vocab] {
    require T <= context
    let x = tok[ids] + pos[:T]
    (x |> blocks |> norm) @ tok.T
  }
}

train char_gpt {
  let net = GPT(text.vocab, width, heads = 4, layers = layers, context = context)
  data  = text
  batch = batch_size

  fn loss(batch)    { cross_entropy(net(batch.ids), batch.next) }
  fn metrics(batch) { (accuracy = mean(argmax(net(batch.ids), over = -1) == batch.next)) }

  optimizer = optim.AdamW(
    lr           = schedule.cosine(peak = lr, warmup = 100 steps, floor = 0.1 * lr),
    betas        = (0.9, 0.95),
    weight_decay = 0.1,
  )
  duration  = 1000 steps
  clip_norm = 1.0
  seed      = 1

  evaluate   { every = 500 steps }
  checkpoint { every = 100 steps; keep = 2 }

  /// Goes on with a text.
  command sample(prompt: string = "\n", limit: int = 200, temperature: f32 = 0.8) -> string {
    require limit <= 10_000
    let ids = generate(net, text.encode(prompt), limit = limit, pick = fn(logits) {
      random.categorical(logits / temperature)
    })
    text.decode(ids)
  }
}
