// vit.dlm
use nn, optim, schedule, data, image

fn drop_path(x: f32[B, ...], p: f32) -> f32[B, ...] {
  if training { x * expand_like(cast(random.bernoulli(1 - p, [B]), f32), x) / (1 - p) } else { x }
}
model Block(width: int, heads: int, drop: f32) {
  let norm1 = nn.LayerNorm(width)
  let attn  = nn.Attention(width, heads)
  let norm2 = nn.LayerNorm(width)
  let mlp   = nn.MLP([width, 4 * width, width], act = gelu)
  fn forward(x: f32[B, N, width]) {
    let h = x + (x |> norm1 |> attn |> drop_path(drop))
    h + (h |> norm2 |> mlp |> drop_path(drop))
  }
}
model ViT(
  size: int,
  patch: int,
  width: int,
  depth: int,
  heads: int,
  classes: int,
  drop: f32 = 0.1,
) {
  require size % patch == 0, "the image side must be a multiple of the patch side"
  let n     = (size / patch) ** 2
  let embed = nn.Linear(patch * patch * 3, width)
  param cls: f32[1, width]     = zeros
  param pos: f32[n + 1, width] = normal(std = 0.02)
  let blocks = [Block(width, heads, drop = drop * i / (depth - 1)) for i in 0..depth]
  let norm   = nn.LayerNorm(width)
  let head   = nn.Linear(width, classes)
  fn forward(x: f32[B, size, size, 3]) -> f32[B, classes] {
    let p = x |> rearrange("b (h p) (w q) c -> b (h w) (p q c)", p = patch, q = patch) |> embed
    let t = concat([expand(cls, [B, 1, width]), p], over = 1) + pos
    (t |> blocks |> norm)[:, 0] |> head
  }
}
let photos = data.images(train = "in1k/train", validation = "in1k/val", max_side = 4096)
  |> data.map(image.imagenet(size = 224))
train vit {
  let net = ViT(
    size = 224,
    patch = 16,
    width = 384,
    depth = 12,
    heads = 6,
    classes = photos.classes,
  )
  data  = photos
  batch = 1024
  fn loss(batch) {
    cross_entropy(net(batch.image), batch.label, smoothing = if training { 0.1 } else { 0 })
  }
  fn metrics(batch) {
    (accuracy = mean(argmax(ema(net, decay = 0.9999)(batch.image), over = -1) == batch.label))
  }
  optimizer = optim.AdamW(
    lr = schedule.cosine(peak = 1e-3, warmup = 10_000 steps),
    weight_decay = 0.05,
  )
  duration  = 300 epochs
  precision = mixed(bf16)
}
export vit_ema of vit { model = ema(net, decay = 0.9999); onnx = "vit.onnx" }
