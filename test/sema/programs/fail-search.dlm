use nn, optim, data
option width = 4
option lr = 0.1
option rows = 2
option length = 2 epochs
train run {
  let net = nn.Linear(6, width)
  data = data.idx("tiny")
  batch = rows
  fn loss(batch) {
    mean(net(reshape(cast(batch.image, f32), [batch.size, 6])))
  }
  optimizer = optim.SGD(lr = lr)
  duration = length
}
search a of runs { }
search b of run {
  space {
    width = int(2, 8)
    lr = [0.1, "0.2"]
    lr = 3
    row = [1, 2]
    rows = uniform(1, 4)
    length = [1 epochs, 3 steps]
  }
  space { }
  strategy = [gird(coarse = 3), bayes]
  minimize = validation.los
  maximize = loss
}
search c of run {
  space { lr = lg(1, 2); rows = int(3, 3); length = int(1, 2); width = [] }
  trials = 3
}
