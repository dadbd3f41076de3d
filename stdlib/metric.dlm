// What is reported of classifiers; seen without `use`. Other metrics are written with reductions.

/// The share of samples whose largest logit is that of their label.
fn accuracy(logits: float[...L, C], labels: int_[...L]) {
  mean(cast(argmax(logits, over = -1), i64) == cast(labels, i64))
}

/// The share of samples whose label is among the `k` largest logits; equals count in its favour.
fn top_k_accuracy(logits: float[...L, C], labels: int_[...L], k = 5) {
  let own = sum(where(one_hot(labels, C), logits, 0), over = -1, keep = true)
  mean(count(logits > own, over = -1) < k)
}

/// How many samples of each class (row) were taken for each class (column).
fn confusion(labels: int_[N], predicted: int_[N], classes: int) {
  sum(one_hot(labels, classes)[:, :, new] and one_hot(predicted, classes)[:, new, :], over = 0)
}

test "metrics of three samples" {
  let logits = tensor([[1.0, 3.0, 2.0], [3.0, 2.0, 1.0], [1.0, 2.0, 3.0]])
  let labels = tensor([1, 1, 0])
  expect close(accuracy(logits, labels), 1 / 3)
  expect close(top_k_accuracy(logits, labels, k = 2), 2 / 3)
  expect top_k_accuracy(logits, labels, k = 3) == 1
  expect confusion(labels, argmax(logits, over = -1), classes = 3)
    == cast(tensor([[0, 0, 1], [1, 1, 0], [0, 0, 0]]), i64)
}
