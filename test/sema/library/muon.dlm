// muon.dlm, corrected: what `rms` means is written out, and paths begin with `net`.
use nn, optim, data, llama
optimizer Muon(lr: f32, momentum: f32 = 0.95, rounds: int = 5) for p: f32[M, N] {
  state m: f32[M, N] = zeros
  fn update(g: f32[M, N]) -> f32[M, N] {
    let m1 = momentum * m + g
    next m = m1
    let u  = g + momentum * m1
    let x0 = if M > N { u.T } else { u }
    let x  = fold(x0 / (norm(x0) + 1e-7), 0..rounds, fn(x, _) {
      let a = x @ x.T
      3.4445 * x + (-4.7750 * a + 2.0315 * (a @ a)) @ x
    })
    let o = if M > N { x.T } else { x }
    p - lr * max(1, M / N) ** 0.5 * o
  }
}
optimizer Adafactor(lr: f32, decay: f32 = 0.8) for p: f32[..., R, C] {
  state row: f32[..., R] = zeros
  state col: f32[..., C] = zeros
  fn update(g: f32[..., R, C]) -> f32[..., R, C] {
    let b  = 1 - (step + 1) ** -decay
    let g2 = g ** 2 + 1e-30
    let r  = lerp(mean(g2, over = C), row, b)
    let c  = lerp(mean(g2, over = R), col, b)
    next row = r
    next col = c
    let u = g * rsqrt(r / mean(r, over = R, keep = true))[..., new] * rsqrt(c)[..., new, :]
    p - lr * u / max(1, mean(u ** 2) ** 0.5)
  }
}
train muon_llama {
  let net = llama.Llama(50304, width = 768, heads = 12, kv_heads = 12, hidden = 2048, layers = 12)
  data  = llama.corpus
  batch = 512
  fn loss(batch) { cross_entropy(net(batch.ids, batch.position, batch.segment), batch.next) }
  fn optimizer(p) {
    if p.rank == 2 and not (p.path in ["net.tok", "net.head"]) {
      Muon(lr = 0.02)
    } else {
      optim.AdamW(lr = 3e-4)
    }
  }
  duration = 10_000 steps
  memory { budget = 16GiB; recompute = auto }
}
