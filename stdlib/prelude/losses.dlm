// Losses. `reduce = mean` is what they do with the values they have for each sample: `sum`, any
// other function that reduces, or `none`, which gives the values themselves. `where = mask` leaves
// out what the mask does not hold for.

fn reduced(values, mask, by) {
  if by == none {
    if mask == none { values } else { where(mask, values, 0) }
  } else if mask == none {
    by(values)
  } else {
    by(values, where = mask)
  }
}

/// log(probability of the class with this id), with `smoothing` of the target spread over all.
fn score_of_ids(logits: float[...L, C], labels: int_[...L], smoothing) {
  if smoothing == 0 {
    sum(where(one_hot(labels, C), log_softmax(logits, over = -1), 0), over = -1)
  } else {
    let scores = log_softmax(logits, over = -1)
    let picked = sum(where(one_hot(labels, C), scores, 0), over = -1)
    (1 - smoothing) * picked + smoothing * mean(scores, over = -1)
  }
}

/// The scores, not a number where the label is the id of no class: a padding that `ignore` does not
/// name, or labels that count from 1, stop the run instead of making a wrong loss.
fn score_of_known(scores, labels, classes) {
  let id = cast(labels, i64)
  let zero = stop_gradient(scores - scores)
  where(id >= 0 and id < classes, scores, zero / zero)
}

/// The same of a target that has a probability for each class.
fn score_of_shares(logits: float[...L, C], target: float[...L, C], smoothing) {
  let scores = log_softmax(logits, over = -1)
  let score = sum(target * scores, over = -1)
  if smoothing == 0 { score } else { (1 - smoothing) * score + smoothing * mean(scores, over = -1) }
}

fn kept_targets(target, ignore, mask) {
  if ignore == none {
    mask
  } else if mask == none {
    target != ignore
  } else {
    mask and target != ignore
  }
}

/// Mean of -log(probability of the target), from logits along the last axis. The target is a class
/// id, or a probability for each class. Targets with the id `ignore` do not count; with any other
/// id that is of no class, the loss is not a number. `smoothing` of each is spread over all
/// classes (Szegedy et al., 2016, section 7).
fn cross_entropy(
  logits: float[..., C],
  target,
  ignore = none,
  smoothing = 0,
  where = none,
  reduce = mean,
) {
  require smoothing >= 0 and smoothing < 1, "smoothing is from 0 to below 1"
  let has_shares = target.dtype in [f16, bf16, f32, f64]
  require target.dtype != bool,
    "targets are class ids or probabilities, not bools: leave `one_hot` out"
  require has_shares or target.rank < logits.rank, "class ids have one axis less than the logits"
  require not has_shares or target.rank == logits.rank,
    "real targets are a probability for each class; class ids stay integers: no `cast`"
  let score = if has_shares {
    score_of_shares(logits, target, smoothing)
  } else {
    score_of_known(score_of_ids(logits, target, smoothing), target, C)
  }
  -reduced(score, kept_targets(target, ignore, where), reduce)
}

/// Mean of -log(probability of the target), from logits; targets are between 0 and 1.
fn binary_cross_entropy_with_logits(logits, targets, where = none, reduce = mean) {
  reduced(max(logits, 0) - logits * targets + log1p(exp(-abs(logits))), where, reduce)
}

/// Mean of the squared difference.
fn mse(x, y, where = none, reduce = mean) { reduced((x - y) ** 2, where, reduce) }

/// Mean of the absolute difference.
fn l1(x, y, where = none, reduce = mean) { reduced(abs(x - y), where, reduce) }

/// Quadratic up to a difference of `delta`, linear beyond it.
fn huber_of(d, delta) { where(d < delta, 0.5 * d * d, delta * (d - 0.5 * delta)) }

/// Mean of a loss that is quadratic up to a difference of `delta`, and linear beyond it (Huber,
/// 1964).
fn huber(x, y, delta = 1.0, where = none, reduce = mean) {
  require delta > 0, "the delta of a Huber loss is above 0"
  reduced(huber_of(abs(x - y), delta), where, reduce)
}

/// Mean of KL(p || q), the distributions being given by logits along the last axis.
fn kl_divergence(p: float[...L, C], q: float[...L, C], where = none, reduce = mean) {
  let (a, b) = (log_softmax(p, over = -1), log_softmax(q, over = -1))
  reduced(sum(exp(a) * (a - b), over = -1), where, reduce)
}

test "cross entropy of equal logits is the logarithm of their number" {
  expect close(cross_entropy(zeros([3, 8]), iota(3)), 2.0794415)
}

test "cross entropy of a sure and right answer is nothing" {
  let logits = 100 * cast(one_hot(iota(4), 4), f32)
  expect close(cross_entropy(logits, iota(4)), 0)
  expect close(cross_entropy(logits, 3 - iota(4)), 100)
}

test "a label of no class makes a loss that is not a number" {
  let logits = zeros([3, 2])
  let (past, below) = (tensor([0, 2, 1]), tensor([0, -1, 1]))
  let (loss, loss_below) = (cross_entropy(logits, past), cross_entropy(logits, below))
  expect loss != loss and loss_below != loss_below
  expect close(cross_entropy(logits, below, ignore = -1), 0.6931472)
  expect close(cross_entropy(logits, past, where = past < 2, smoothing = 0.1), 0.6931472)
  let each = cross_entropy(logits, past, reduce = none)
  expect (each != each) == tensor([false, true, false])
}

test "KL divergence of distributions" {
  let (p, q) = (log(tensor([[0.5, 0.5]])), log(tensor([[0.25, 0.75]])))
  expect close(kl_divergence(p, q), 0.14384104)
  expect close(kl_divergence(q, q + 3), 0)
}

test "losses leave out what does not count" {
  let (x, y, kept) = (tensor([1.0, 2.0, 9.0]), zeros([3]), tensor([true, true, false]))
  expect mse(x, y, where = kept) == 2.5
  expect mse(x, y, where = kept, reduce = sum) == 5
  expect l1(x, y, where = kept, reduce = none) == tensor([1.0, 2.0, 0.0])
}

test "smoothing is spread over all classes" {
  let logits = log(tensor([[0.5, 0.25, 0.25]]))
  let smooth = cross_entropy(logits, tensor([0]), smoothing = 0.3)
  expect close(smooth, -0.8 * log(0.5) - 0.2 * log(0.25))
  let shares = tensor([[0.8, 0.1, 0.1]])
  expect close(cross_entropy(logits, shares), smooth)
}

test "losses of a difference" {
  let (x, y) = (full([2, 3], 3), full([2, 3], 1))
  expect mse(x, y) == 4
  expect l1(x, y) == 2
  expect huber(x, y, delta = 1) == 1.5
  expect huber(x, y, delta = 3) == 2
  expect close(binary_cross_entropy_with_logits(zeros([4]), ones([4])), 0.6931472)
}
