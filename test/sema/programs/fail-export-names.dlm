use nn, optim, data

option heads = 4
option nets = 2

train t {
  let net = nn.Linear(6, 3)
  let layer = nn.TransformerEncoderLayer(heads, nets)
  let layers = nn.TransformerEncoder(layer, 2)
  let attention = nn.MultiheadAttention(heads, nets)
  data = data.idx("tiny")
  batch = 2
  fn loss(batch) {
    cross_entropy(net(reshape(cast(batch.image, f32), [batch.size, 6])), batch.label)
  }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}

export first of t { model = head; onnx = "first.onnx" }
export second of t { model = nets; onnx = "second.onnx" }
export third of t { model = neet; onnx = "third.onnx" }
