use nn, optim, data
option lr = 0.1
option rows = 2
train run {
  let net = nn.Linear(6, 3)
  data = data.idx("tiny")
  batch = rows
  fn loss(batch) {
    mean(net(reshape(cast(batch.image, f32), [batch.size, 6])))
  }
  optimizer = optim.SGD(lr = lr)
  duration = 1 epochs
}
search d of run { space { lr = log(0, 2); rows = log(1, 2, 3) }; minimize = val.loss }
export d of run { model = 3; onx = "net.onnx"; quantize = i16 }
export e of run { }
