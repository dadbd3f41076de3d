// Functions of `step`, usable wherever a number is. A length is a number of steps, or in a run of
// epochs or samples: divided by `1 steps` it is a number.

/// The same value at every step.
fn constant(value) { value }

/// From `from` to `to` in equal steps, then `to`. `over` is a number of steps; without it the
/// whole run.
fn linear(from, to, over: steps? = none) {
  let length = if over == none { steps } else { over / 1 steps }
  require length > 0, "a schedule is over at least one step"
  from + (to - from) * min(step / length, 1)
}

/// Rises to `peak` in `warmup` steps, then falls along half a cosine to `floor` at the end
/// (Loshchilov and Hutter, 2017, equation 5, without restarts).
fn cosine(peak, warmup: steps = 0 steps, floor = 0.0, over: steps? = none) {
  let begin = warmup / 1 steps
  require peak >= 0 and floor >= 0, "a peak and a floor are at least 0"
  require begin >= 0, "a number of steps is at least 0"
  let end = if over == none { steps } else { over / 1 steps }
  let progress = clamp((step - begin) / max(end - begin, 1), 0, 1)
  let fall = floor + (peak - floor) * (0.5 + 0.5 * cos(3.141592653589793 * progress))
  if begin == 0 { fall } else { where(step < begin, peak * ((step + 1) / begin), fall) }
}

/// `peak`, and `factor` times as much after every `every`.
fn step_decay(peak, every: steps, factor = 0.1) {
  let length = every / 1 steps
  require peak >= 0 and factor >= 0, "a peak and a factor are at least 0"
  require length > 0, "a schedule falls every one or more steps"
  peak * factor ** floor(step / length)
}

/// Rises to `peak` in `warmup` steps, then falls with the root of the step (Vaswani et al., 2017,
/// section 5.3).
fn inverse_sqrt(peak, warmup: steps) {
  let begin = warmup / 1 steps
  require peak >= 0, "a peak is at least 0"
  require begin > 0, "a warm-up has at least one step"
  peak * min((step + 1) / begin, (begin / (step + 1)) ** 0.5)
}

/// Warm-up, stable, decay: rises to `peak` in `warmup` steps, stays there, and falls to `floor` in
/// the last `decay` steps (Hu et al., 2024, section 4).
fn wsd(peak, warmup: steps, decay: steps, floor = 0.0, over: steps? = none) {
  let begin = warmup / 1 steps
  let fall = decay / 1 steps
  require peak >= 0 and floor >= 0, "a peak and a floor are at least 0"
  require begin > 0 and fall > 0, "a warm-up and a decay have at least one step"
  let end = if over == none { steps } else { over / 1 steps }
  let left = clamp((end - step) / fall, 0, 1)
  min(peak * ((step + 1) / begin), floor + (peak - floor) * left)
}

/// One schedule after another: `chain([linear(0, 1), constant(1)], at = [100 steps])` takes the
/// second from step 100 on. All of them count steps from the beginning of the run.
fn chain(parts, at: [steps]) {
  require len(at) == len(parts) - 1, "a chain changes between its parts: `at` has one place less"
  let begins = [0 steps] + at
  let shares = [
    if i + 1 < len(parts) {
      where(step >= begins[i] / 1 steps and step < begins[i + 1] / 1 steps, parts[i], 0)
    } else {
      where(step >= begins[i] / 1 steps, parts[i], 0)
    } for i in 0..len(parts)
  ]
  sum(shares)
}

test "schedules begin where they should" {
  expect constant(0.5) == 0.5
  expect linear(from = 1.0, to = 0.0, over = 10 steps) == 1
  expect close(cosine(peak = 0.1, over = 100 steps), 0.1)
  expect close(cosine(peak = 0.1, warmup = 10 steps, over = 100 steps), 0.01)
  expect step_decay(0.5, every = 10 steps) == 0.5
  expect close(inverse_sqrt(0.5, warmup = 4 steps), 0.125)
  expect close(wsd(0.5, warmup = 4 steps, decay = 6 steps), 0.125)
  expect chain([constant(0.25), constant(1.0)], at = [5 steps]) == 0.25
}
