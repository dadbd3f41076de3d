// The mean goes over the words, and one over the features is meant.
fn scores(x: f32[T, D], weight: f32[T]) {
  let level = mean(x, over = T)
  level * weight
}
test "scores" { expect scores(ones([3, 4]), ones([3])) == 0 }
