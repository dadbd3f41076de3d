use data
train t {
  data = data.idx("tiny")
  seed = 2
  fn metrics(batch) { mean(cast(batch.image, f32)) }
}
