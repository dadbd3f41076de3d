use nn, optim, data
option lr = 0.1
train t {
  let net = nn.Linear(6, 3)
  data = data.idx("tiny", validation = 2)
  batch = 2
  fn loss(batch) {
    let y = net(reshape(cast(batch.image, f32), [batch.size, 6]))
    (fit = cross_entropy(y, batch.label), small = mean(y ** 2))
  }
  fn metrics(batch) {
    let right = cast(argmax(cast(batch.image, f32)[:, 0], over = -1) == batch.label, f32)
    (
      bright = mean(cast(batch.image, f32)),
      top1_accuracy = mean(right),
      label_error = mean(1 - right),
    )
  }
  optimizer = optim.SGD(lr = lr)
  duration = 1 epochs
  evaluate { every = 1 epochs; keep_best = maximum(validation.loss) }
}
search worst of t {
  space { lr = [0.1, 0.2] }
  maximize = validation.fit
}
search brightest of t {
  space { lr = [0.1, 0.2] }
  maximize = validation.bright
}
search least_right of t {
  space { lr = [0.1, 0.2] }
  minimize = validation.top1_accuracy
}
search most_wrong of t {
  space { lr = [0.1, 0.2] }
  maximize = validation.label_error
}
search most_right of t {
  space { lr = [0.1, 0.2] }
  maximize = validation.top1_accuracy
}
search least_wrong of t {
  space { lr = [0.1, 0.2] }
  minimize = validation.label_error
}
