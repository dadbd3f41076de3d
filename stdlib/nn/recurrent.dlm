// Layers that read a sequence step by step, and carry a state along.

/// What a layer carries from one batch to the next, row by row: of a text that `data` reads with
/// `order = streams`, its state where the window before ended.
model Carried(width: int) {
  buffer h: f32[batch, width] = zeros
  buffer c: f32[batch, width] = zeros
  fn keep(s) {
    next h = s.h
    next c = s.c
    s
  }
}

/// Long short-term memory (Hochreiter and Schmidhuber, 1997, with the forget gate of Gers et al.,
/// 2000): from [B, T, inputs] to [B, T, width]. `weight` and `bias` hold the input, forget, cell
/// and output gates, in this order.
///
/// It knows of no padding: outputs in front of padding are right, those of it are to be left out.
///
/// Every window starts from zeros, or with `carry = true` where the one before ended, as a constant
/// to gradients. `run` starts from a state (h, c) of [B, width] and gives the last one too.
model LSTM(inputs: int, width: int, carry: bool = false) {
  param weight: f32[inputs, 4 * width] = uniform(bound = width ** -0.5)
  param recurrent: f32[width, 4 * width] = uniform(bound = width ** -0.5)
  param bias: f32[4 * width] = zeros
  let memory = if carry { Carried(width) } else { none }

  fn run(x: f32[B, T, inputs], start) {
    scan(start, x @ weight + bias, over = 1, body = fn(s, seen) {
      let (i, f, g, o) = split(seen + s.h @ recurrent, parts = 4, over = -1)
      let c = sigmoid(f) * s.c + sigmoid(i) * tanh(g)
      let h = sigmoid(o) * tanh(c)
      ((h = h, c = c), h)
    })
  }

  fn forward(x: f32[B, T, inputs]) -> f32[B, T, width] {
    if carry {
      let (last, ys) = run(x, (h = memory.h, c = memory.c))
      let kept = memory.keep(last)
      ys
    } else {
      let (last, ys) = run(x, (h = zeros([B, width]), c = zeros([B, width])))
      ys
    }
  }
}

/// Gated recurrent unit (Cho et al., 2014, section 2.3): from [B, T, inputs] to [B, T, width]. The
/// columns of `weight` and `bias` are the reset gate, the update gate and the new state, in this
/// order. Every window starts from zeros; `run` starts from a state of [B, width] and gives the
/// last one too.
model GRU(inputs: int, width: int) {
  param weight: f32[inputs, 3 * width] = uniform(bound = width ** -0.5)
  param recurrent: f32[width, 2 * width] = uniform(bound = width ** -0.5)
  param recurrent_new: f32[width, width] = uniform(bound = width ** -0.5)
  param bias: f32[3 * width] = zeros

  fn run(x: f32[B, T, inputs], start: f32[B, width]) {
    scan(start, x @ weight + bias, over = 1, body = fn(h, seen) {
      let (reset_in, update_in, new_in) = split(seen, parts = 3, over = -1)
      let (reset_h, update_h) = split(h @ recurrent, parts = 2, over = -1)
      let kept = sigmoid(update_in + update_h)
      let state = tanh(new_in + (sigmoid(reset_in + reset_h) * h) @ recurrent_new)
      let y = lerp(state, h, kept)
      (y, y)
    })
  }

  fn forward(x: f32[B, T, inputs]) -> f32[B, T, width] {
    let (last, ys) = run(x, zeros([B, width]))
    ys
  }
}

test "recurrent layers give an output for each step" {
  expect LSTM(3, 5)(ones([2, 4, 3])).shape == [2, 4, 5]
  expect GRU(3, 5)(ones([2, 4, 3])).shape == [2, 4, 5]
  expect LSTM(3, 5, carry = true)(ones([batch, 4, 3])).shape == [batch, 4, 5]
}

test "a recurrent layer gives its last state" {
  let start = (h = zeros([2, 5]), c = ones([2, 5]))
  let (last, ys) = LSTM(3, 5).run(ones([2, 4, 3]), start)
  expect last.c.shape == [2, 5] and ys.shape == [2, 4, 5]
}
