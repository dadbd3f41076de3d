// Which columns stay aligned.
option  width   = 128      /// model width
option  layers  = 4        /// blocks
option  batch_size = 32    /// samples
option lr =   1e-3
let  lonely   = 1

model M(n: int) {
  param  scale: f32[n] = ones
  buffer running_mean: f32[n] = zeros
  buffer running_var:  f32[n] = ones
  param wq: f32[n, n, 2]    = zeros
  param wo:     f32[n]      = zeros
  let a   = 1   // one
  let abc = 2      // two

  let b   = 3
  let bcd = 4

  let c   = 5
}
train r {
  fn loss(batch)    { mean(batch.x) }
  fn metrics(batch) { (accuracy = mean(batch.x)) }
  data      = text
  optimizer = optim.Adam(
    lr    = 1e-3,
    betas = (0.9, 0.95),
  )
  duration  = 5 steps
  precision  = mixed(bf16)
  memory     { budget = 16GiB }
  checkpoint {
    every = 5min
  }
  table = ["a"   => 1,
    "ab" => 2]
  map = [
    "ä"  => 1,
    "ab" => 2,
  ]
}
