use optim, data
option share = 0.5
let images = data.idx("tiny", validation = 150%)
train t {
  data = 3
  batch = share
  bach = 3
  micro = 0
  duration = 5
  duration = 6 steps
  seed = -1
  optimizer = optim.SGD
  evaluate { evry = 1 epochs }
  checkpoint { every = 0 steps; keep = 0; to = "" }
  checkpoints { every = 1 steps }
}
