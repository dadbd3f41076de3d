// llama.dlm, corrected: `rope` and `attention` are functions of no module; there is no `cache`, as
// `generate` gives positions alone; what `keep_top_k` does is written out. A text ends at an id,
// and the floor of a schedule is a rate, not a share of the peak.
use nn, optim, schedule, data
model Attention(width: int, heads: int, kv_heads: int) {
  require width % heads == 0
  require heads % kv_heads == 0
  let d = width / heads
  param wq: f32[width, heads, d]    = normal(std = 0.02)
  param wk: f32[width, kv_heads, d] = normal(std = 0.02)
  param wv: f32[width, kv_heads, d] = normal(std = 0.02)
  param wo: f32[heads, d, width]    = normal(std = 0.02)
  fn forward(x: f32[B, T, width], at: i32[B, T], segment: i32[B, T]) {
    let q = rope(einsum(x, wq, "b t w, w h d -> b h t d"), at)
    let k = rope(einsum(x, wk, "b t w, w h d -> b h t d"), at)
    let v = einsum(x, wv, "b t w, w h d -> b h t d")
    // grouped heads by shape
    let o = attention(q, k, v, causal = true, segments = segment)
    einsum(o, wo, "b h t d, h d w -> b t w")
  }
}
model Block(width: int, heads: int, kv_heads: int, hidden: int) {
  let (n1, n2) = (nn.RMSNorm(width), nn.RMSNorm(width))
  let attn = Attention(width, heads, kv_heads)
  param gate: f32[width, hidden] = normal(std = 0.02)
  param up:   f32[width, hidden] = normal(std = 0.02)
  param down: f32[hidden, width] = normal(std = 0.02)
  fn forward(x: f32[B, T, width], at: i32[B, T], segment: i32[B, T]) {
    let h = x + attn(n1(x), at, segment)
    let y = n2(h)
    h + (silu(y @ gate) * (y @ up)) @ down
  }
}
model Llama(vocab: int, width: int, heads: int, kv_heads: int, hidden: int, layers: int) {
  param tok: f32[vocab, width] = normal(std = 0.02)
  let blocks = [Block(width, heads, kv_heads, hidden) for _ in 0..layers]
  let norm   = nn.RMSNorm(width)
  param head: f32[width, vocab] = normal(std = 0.02)
  fn forward(ids: i32[B, T], at: i32[B, T], segment: i32[B, T]) -> f32[B, T, vocab] {
    let x = fold(tok[ids], blocks, fn(x, block) { recompute(block)(x, at, segment) })
    norm(x) @ head
  }
}
/// The logits of the k likeliest classes; the others are beyond reach.
fn keep_top_k(logits: f32[B, V], k: i32) -> f32[B, V] {
  let best = sort(logits, over = -1, descending = true)
  let least = dynamic_slice(best, [0, k - 1], [B, 1])[:, 0, new]
  where(logits >= least, logits, -1e9)
}
// batch: ids, next, position, segment
let corpus = data.tokens("corpus/*.bin", window = 4096, pack = documents)
train llama {
  let net = Llama(corpus.vocab, width = 2048, heads = 32, kv_heads = 8, hidden = 5632, layers = 22)
  data  = corpus
  batch = 512
  fn loss(batch) {
    cross_entropy(
      net(batch.ids, batch.position, batch.segment),
      batch.next,
      where = batch.segment == batch.next_segment,
    )
  }
  optimizer = optim.AdamW(
    lr = schedule.cosine(peak = 4e-4, warmup = 2000 steps, floor = 4e-5),
    betas = (0.9, 0.95),
    weight_decay = 0.1,
  )
  clip_norm = 1.0
  duration  = 300_000 steps
  precision = mixed(bf16)
  parallel {
    data = auto
    tensor = 8
    split = [heads => tensor, kv_heads => tensor, hidden => tensor, vocab => tensor]
    shard = optimizer
  }
  command sample(
    prompt: string,
    max_tokens: int = 256,
    temperature: f32 = 0.8,
    top_k: int = 40,
    stop: int = 2,
  ) -> string {
    require max_tokens <= 4096
    let ids = generate(
      net,
      corpus.encode(prompt),
      limit = max_tokens,
      until = fn(ids) { any(ids == stop, over = -1) },
      pick = fn(logits) {
        random.categorical(keep_top_k(logits / temperature, top_k))
      },
    )
    corpus.decode(ids)
  }
}
