// lora.dlm: adapters of low rank (Hu et al., 2021). A small GPT that has read the Old Testament
// character by character is made to read licences of software: it stays as it is, and next to the
// matrices by which its attention asks and answers stand products of two thin ones, which are all
// that is trained: 9,216 numbers, 2.6 % of what is computed with.
//
//   bible -f 'Gen1:1-Mal4:6' | sed 's/^[^ ]* //' > scripture.txt
//   dlmc pack scripture.txt --tokenizer chars -o scripture.tokens
//   cat /usr/share/common-licenses/*-[0-9]* | tr -cd "A-WYZa-z \n!'(),.:;?-" |
//     tr -s ' ' > licences.txt
//   dlmc pack licences.txt --tokenizer scripture.tokens -o licences.tokens
//
// Two runs, of which the second reads the last checkpoint of the first when it is compiled:
//
// > dlmc lora.dlm --train base -o base && ./base train
// > dlmc lora.dlm --train lora -o lora && ./lora train
//
// Of a character of licences that nobody has read the base is 3.03 nats off (1.81 of scripture),
// and 2.32 with the adapters. A step of either run takes two threads about 0.2 s, measured in quiet
// minutes of a busy machine: 70 s for the 400 of the base, 60 s for the 300 of the adapters.
// Expect: validation.loss <= 2.4
// Runs: base, lora
// Quick: -D context=32
use nn, optim, schedule, data

option width   = 96    /// model width
option layers  = 3     /// number of transformer blocks
option heads   = 4     /// of the attention of a block
option context = 96    /// characters per sample
option rank    = 8     /// of what is added to a matrix
option lr      = 1e-2  /// learning rate of the adapters at its peak

let scripture = data.tokens("scripture.tokens", window = context, validation = 2%)
let licences  = data.tokens("licences.tokens", window = context, validation = 10%)

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

/// Adds a product of low rank to the matrices of an attention's heads; it begins as nothing.
model Adapter(width: int, heads: int, rank: int) {
  param down: f32[width, rank]              = normal(std = width ** -0.5)
  param up: f32[rank, heads, width / heads] = zeros
  fn forward(weight: f32[width, heads, D]) { weight + einsum(down, up, "w r, r h d -> w h d") }
}

/// A GPT whose queries and values are adapted.
model Adapted(base: model, width: int, heads: int, layers: int, rank: int) {
  let queries = [Adapter(width, heads, rank) for _ in 0..layers]
  let values  = [Adapter(width, heads, rank) for _ in 0..layers]

  fn attend(x, attn, i) {
    let q = einsum(x, queries[i](attn.query), "b t w, w h d -> b h t d")
    let k = einsum(x, attn.key, "b t w, w h d -> b h t d")
    let v = einsum(x, values[i](attn.value), "b t w, w h d -> b h t d")
    einsum(attention(q, k, v, causal = true), attn.out, "b h t d, h d w -> b t w")
  }

  fn forward(ids: i32[B, T]) {
    let x = fold(base.tok[ids] + base.pos[:T], 0..layers, fn(x, i) {
      let block = base.blocks[i]
      let y = x + attend(block.norm1(x), block.attn, i)
      y + block.mlp(block.norm2(y))
    })
    base.norm(x) @ base.tok.T
  }
}

train base {
  let net = GPT(scripture.vocab, width, heads, layers, context)
  data  = scripture
  batch = 32
  fn loss(batch) { cross_entropy(net(batch.ids), batch.next) }
  optimizer = optim.AdamW(
    lr           = schedule.cosine(peak = 2e-3, warmup = 100 steps, floor = 2e-4),
    betas        = (0.9, 0.95),
    weight_decay = 0.1,
  )
  duration  = 400 steps
  clip_norm = 1.0
}

train lora {
  let given = frozen(trained(base).net)
  let net   = Adapted(given, width, heads, layers, rank)
  data  = licences
  batch = 32
  fn loss(batch)    { cross_entropy(net(batch.ids), batch.next) }
  fn metrics(batch) { (before = cross_entropy(given(batch.ids), batch.next)) }
  optimizer = optim.Adam(lr = schedule.cosine(peak = lr, warmup = 20 steps, floor = 0.1 * lr))
  duration  = 300 steps
  clip_norm = 1.0

  /// Goes on with a text.
  command sample(prompt: string = "\n", limit: int = 200, temperature: f32 = 0.8) -> string {
    require limit <= 10_000
    let ids = generate(net, licences.encode(prompt), limit = limit, pick = fn(logits) {
      random.categorical(logits / temperature)
    })
    licences.decode(ids)
  }
}
