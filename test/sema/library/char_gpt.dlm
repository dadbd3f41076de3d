// char_gpt.dlm
use nn, optim, schedule, data

option width   = 128    /// model width
option layers  = 4      /// number of transformer blocks
option context = 128    /// tokens per sample
option lr      = 1e-3   /// peak learning rate
option batch_size = 32  /// samples per step, over all workers

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

let text = data.text(
  "shakespeare.txt",
  tokenizer = data.chars(),
  window = context,
  validation = 10%,
)

train char_gpt {
  let net = GPT(text.vocab, width, heads = 4, layers = layers, context = context)
  data  = text
  batch = batch_size
  micro = auto  // derived from the memory budget; or a number

  fn loss(batch)    { cross_entropy(net(batch.ids), batch.next) }
  fn metrics(batch) { (accuracy = mean(argmax(net(batch.ids), over = -1) == batch.next)) }

  optimizer = optim.AdamW(
    lr = schedule.cosine(peak = lr, warmup = 100 steps),
    betas = (0.9, 0.95),
    weight_decay = 0.1,
  )
  duration  = 5000 steps
  clip_norm = 1.0
  seed      = 1

  precision  = mixed(bf16)
  memory     { budget = 16GiB; recompute = auto }
  parallel   { data = auto; shard = optimizer }
  evaluate   { every = 250 steps; batches = 20 }
  checkpoint { every = 30min; keep = 5; light = 5min; to = "runs/char_gpt" }
  guard      { nonfinite = skip(limit = 3); spike = rollback(sigma = 6) }
  report     { tensorboard = "runs"; prometheus = 9400; mlflow = env("MLFLOW_TRACKING_URI") }

  command sample(prompt: string = "\n", limit: int = 200, temperature: f32 = 0.8) -> string {
    require limit <= 10_000
    text.decode(generate(net, text.encode(prompt), limit = limit, pick = fn(logits) {
      random.categorical(logits / temperature)
    }))
  }
}

search lr_sweep of char_gpt {
  space { lr = log(1e-5, 1e-2); batch_size = [16, 32, 64] }
  strategy = [grid(coarse = 3), bayes(trials = 20)]
  minimize = validation.loss
}

export char_gpt_int8 of char_gpt { model = net; onnx = "char_gpt.onnx"; quantize = i8 }

test "attention is causal" {
  let net = GPT(vocab = 11, width = 8, heads = 2, layers = 1, context = 4)
  let a = net(tensor([[1, 2, 3, 4]]))
  let b = net(tensor([[1, 2, 3, 9]]))
  expect a[:, :3] == b[:, :3]
}
