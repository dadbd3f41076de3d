// Members and functions that other libraries have.
use nn, optim, data, schedule

let digits = data.idx("tiny")

train teach {
  let net = nn.Linear(6, 3)
  data = digits
  batch = 2
  fn loss(batch) {
    let x = reshape(cast(batch.image, f32) / 255, [batch.size, 6])
    let a = random.randint(0, 3, [2])
    let b = random.randn([2, 3])
    let c = random.normal_like(x)
    let d = torch.randn_like(x)
    let f = torch.nn.functional.silu(x)
    let h = random.ints(0, 3, [2])
    let i = x.ndim
    let j = x.transpose(0, 1)
    let k = expand_like(x, zeros([batch.size, 6, 2])).transpose(1, 2)
    let l = expand_like(x, zeros([batch.size, 6, 2])).T
    let m = transpose(x)
    let q = schedule.CosineAnnealingLR(1e-3)
    let r = optim.EMA(net, 0.9)
    let s = cumprod(x)
    let t = SiLU(x)
    let u = HuberLoss(x, x)
    let v = x |> nn.ReLU()
    let w = nan
    let y = kl_div(x, x)
    let z = smooth_l1(x, x)
    cross_entropy(net(x), batch.label)
  }
  optimizer = optim.Adam(lr = 1e-3)
  duration = 5 epochs
}
