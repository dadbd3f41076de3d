// Reductions with masks, of bools and of lists; losses by sample; random numbers; schedules.
use nn, optim, data, schedule
let images = data.idx("tiny")
let weights = [1, 2, 1 / 2]
train t {
  let net = nn.Linear(6, 3)
  data = images
  batch = 2
  fn loss(batch) {
    let x = cast(batch.image, f32) / 255
    let seen = x > 0.5
    let noisy = x + random.normal(shape(x), std = 0.1) + random.uniform([3], low = -1, high = 1)
    let kept = where(random.bernoulli(0.9, shape(x)), noisy, 0)
    let logits = net(reshape(kept, [batch.size, 6]))
    let guess = random.categorical(logits)
    let spread = var(x, over = (1, 2), where = seen, ddof = 1) + std(x, over = (1, 2))
    let least = min(x, over = 1, keep = true, where = seen)
    let low = max(x, over = -1, where = seen) - least[:, 0, :2]
    let parts = cross_entropy(logits, batch.label, ignore = 2, smoothing = 0.1, reduce = none)
    (
      picked = mean(parts, where = guess != batch.label),
      soft = cross_entropy(logits, softmax(logits, over = -1), where = any(seen, over = (1, 2))),
      size = sum(weights) * mean(norm(logits, over = -1)) + max(weights) * mean(spread),
      rest = mean(logsumexp(x, over = (1, 2), where = seen)) + mean(low),
      far = kl_divergence(logits, -logits),
      bits = binary_cross_entropy_with_logits(logits, 0.5, reduce = sum) / batch.size,
      steps = schedule.wsd(1, 10 steps, 10 steps) * mse(expm1(x), log1p(x)),
      more = mean(gelu(x, approximate = tanh))
        * schedule.chain([schedule.inverse_sqrt(1, 10 steps), 0.5], at = [20 steps]),
    )
  }
  fn metrics(batch) {
    let logits = net(reshape(cast(batch.image, f32), [batch.size, 6]))
    let table = confusion(batch.label, argmax(logits, over = -1), images.classes)
    let right = cast(sum(one_hot(batch.label, 3) and one_hot(argmax(logits, over = -1), 3)), f32)
    (
      accuracy = accuracy(logits, batch.label),
      top2 = metric.top_k_accuracy(logits, batch.label, k = 2),
      hits = right / cast(sum(table), f32),
    )
  }
  optimizer = optim.SGD(lr = schedule.step_decay(0.1, every = 2 steps))
  duration = 30 steps
}
