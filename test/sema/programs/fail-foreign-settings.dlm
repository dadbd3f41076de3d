use nn, optim, data
train t {
  lr = 1e-3
  epochs = 5
  batch_size = 64
  momentum = 0.9
  model = 3
  loss = 3
  max_grad_norm = 1.0
  early_stopping = true
  output_dir = "runs/mine"
  num_workers = 4
  fp16 = true
  wandb = "project"
  scheduler = "cosine"
  data = data.idx("tiny")
}
