// flags: --every-train
use nn, optim, data

let digits = data.idx("tiny", validation = 50%)

train words {
  let net = nn.Linear(6, 3)
  data = digits
  batch = 2
  fn loss(batch) {
    cross_entropy(net(reshape(cast(batch.image, f32) / 255, [batch.size, 6])), batch.label)
  }
  optimizer = optim.Adam(lr = 1e-3)
  duration = 5 epochs
  precision = mixed
  evaluate { every = 1 epochs; keep_best = validation.loss }
  mem { budget = 16GiB }
  eval { every = 1 epochs }
}

train more {
  let net = nn.Linear(6, 3)
  data = digits
  batch = 2
  fn loss(batch) {
    cross_entropy(net(reshape(cast(batch.image, f32) / 255, [batch.size, 6])), batch.label)
  }
  optimizer = optim.Adam(lr = 1e-3)
  duration = 5 epochs
  precision = bfloat16
  evaluate { every = 1 epochs; keep_best = min(validation.loss) }
}

train most {
  let net = nn.Linear(6, 3)
  data = digits
  batch = 2
  fn loss(batch) {
    cross_entropy(net(reshape(cast(batch.image, f32) / 255, [batch.size, 6])), batch.label)
  }
  optimizer = optim.Adam(lr = 1e-3)
  duration = 5 epochs
  precision = mixed(float16)
  evaluate { every = 1 epochs; keep_best = minimum(val.loss) }
}

train last {
  let net = nn.Linear(6, 3)
  data = digits
  batch = 2
  fn loss(batch) {
    cross_entropy(net(reshape(cast(batch.image, f32) / 255, [batch.size, 6])), batch.label)
  }
  optimizer = optim.Adam(lr = 1e-3)
  duration = 5 epochs
  guard { nonfinite = ignore; spike = rollback(6) }
  evaluate { every = 1 epochs; keep_best = min(loss) }
}

export small of more { model = net; onnx = "net.onnx"; quantize = int8 }
export plain of more { model = net; onnx = "net.onnx"; quantize = never }
search best of more {
  strategy = random
  space { lr = [1, 2] }
  minimize = loss
}
