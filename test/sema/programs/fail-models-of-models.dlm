use nn, optim, data
train other {
  let again = trained(other)
}
test "markers" {
  let net = nn.Linear(2, 2)
  let a = frozen(3)
  let b = frozen(nn.Linear)
  let c = ema(net, decay = 1)
  let d = precise(3)
  let e = weights(net, 3)
  let f = weights(net, "a.safetensors", names = ["w", "b"])
  let g = weights(net, "a.safetensors", names = ["weight" => 3])
  let h = transpose(zeros([2, 2]))
  let i = trained(net)
  let j = trained(other)
  let k = frozen(net).nothing
  let l = recompute(net)(zeros([2, 3]))
}
