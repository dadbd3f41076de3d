// Functions of `step`, usable wherever a number is.

/// The same value at every step.
fn constant(value) { value }

/// From `from` to `to` in equal steps, then `to`. `over` is a number of steps; without it the
/// whole run.
fn linear(from, to, over = none) {
  let length = if over == none { steps } else { over / 1 steps }
  from + (to - from) * min(step / length, 1)
}

/// Rises to `peak` in `warmup` steps, then falls along half a cosine to `floor` at the end.
fn cosine(peak, warmup = 0 steps, floor = 0.0, over = none) {
  let begin = warmup / 1 steps
  let end = if over == none { steps } else { over / 1 steps }
  let progress = clamp((step - begin) / max(end - begin, 1), 0, 1)
  let fall = floor + (peak - floor) * (0.5 + 0.5 * cos(3.141592653589793 * progress))
  if begin == 0 { fall } else { where(step < begin, peak * ((step + 1) / begin), fall) }
}
