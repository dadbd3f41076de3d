// flags: -Dlr=0.2
use nn, optim, data
option lr = 0.1
option rows = 2
option act = "relu"
option length = 2 epochs
train t {
  let net = nn.MLP([6, 4, 3], act = if act == "relu" { relu } else { gelu })
  data = data.idx("tiny")
  batch = rows
  fn loss(batch) {
    cross_entropy(net(reshape(cast(batch.image, f32), [batch.size, 6])), batch.label)
  }
  fn metrics(batch) { (bright = mean(cast(batch.image, f32))) }
  optimizer = optim.SGD(lr = lr)
  duration = length
}
search fine of t {
  space { lr = log(1e-5, 1e-2); rows = int(1, 3) }
  strategy = [grid, bayes(trials = 20)]
  minimize = validation.loss
}
search coarse of t {
  space { lr = [0.1, 0.2] }
  maximize = validation.bright
}
export net_onnx of t { model = net; onnx = "net.onnx"; quantize = i8 }
export net_half of t { model = net; safetensors = "net.safetensors"; precision = f16 }
