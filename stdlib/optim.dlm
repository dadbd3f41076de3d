// Optimizers: the state they keep for each element, and what a step makes of it.

use optim.importance as importance, optim.matrices as matrices

/// An average of gradients that have become zero shrinks by a factor a step. After some hundred
/// steps it is a number with which many processors calculate a hundred times slower; long before,
/// it no longer matters: then it is zero.
fn settled(average: f32[...]) -> f32[...] { where(abs(average) < 1e-30, 0, average) }

/// Gradient descent, with momentum (Sutskever et al., 2013, section 2: `nesterov` is theirs but for
/// the place where the parameter is read). `weight_decay` times the parameter is added to the
/// gradient.
optimizer SGD(lr: number, momentum = 0.0, weight_decay = 0.0, nesterov: bool = false) for p: f32[
  ...
] {
  require lr > 0, "the learning rate is more than zero"
  require momentum >= 0 and momentum < 1, "momentum is from 0 to below 1"
  require weight_decay >= 0, "weight decay is at least 0"
  state velocity: f32[...] = zeros
  fn update(g: f32[...]) -> f32[...] {
    let slope = g + weight_decay * p
    let v = settled(momentum * velocity + slope)
    next velocity = v
    p - lr * (if nesterov { slope + momentum * v } else { v })
  }
}

/// Adam with decoupled weight decay (Loshchilov and Hutter, 2019, algorithm 2): each step also
/// takes `lr * weight_decay` of the parameter away.
optimizer AdamW(lr: number, betas = (0.9, 0.999), eps = 1e-8, weight_decay = 0.01) for p: f32[...] {
  require lr > 0, "the learning rate is more than zero"
  require eps >= 0, "eps is at least 0"
  require weight_decay >= 0, "weight decay is at least 0"
  state m: f32[...] = zeros
  state v: f32[...] = zeros
  fn update(g: f32[...]) -> f32[...] {
    let (beta1, beta2) = betas
    require beta1 >= 0 and beta1 < 1 and beta2 >= 0 and beta2 < 1, "betas are from 0 to below 1"
    let m1 = settled(beta1 * m + (1 - beta1) * g)
    let v1 = settled(beta2 * v + (1 - beta2) * g * g)
    next m = m1
    next v = v1
    let t = updates + 1
    let (correct_m, correct_v) = (1 / (1 - beta1 ** t), 1 / (1 - beta2 ** t))
    let direction = m1 * correct_m / (sqrt(v1 * correct_v) + eps)
    p - lr * (direction + weight_decay * p)
  }
}

/// A step by an average of gradients, divided by the root of an average of their squares (Kingma
/// and Ba, 2015, algorithm 1): AdamW without weight decay.
optimizer Adam(lr: number, betas = (0.9, 0.999), eps = 1e-8) for p: f32[...] {
  require lr > 0, "the learning rate is more than zero"
  require eps >= 0, "eps is at least 0"
  state m: f32[...] = zeros
  state v: f32[...] = zeros
  fn update(g: f32[...]) -> f32[...] {
    let (beta1, beta2) = betas
    require beta1 >= 0 and beta1 < 1 and beta2 >= 0 and beta2 < 1, "betas are from 0 to below 1"
    let m1 = settled(beta1 * m + (1 - beta1) * g)
    let v1 = settled(beta2 * v + (1 - beta2) * g * g)
    next m = m1
    next v = v1
    let t = updates + 1
    let (correct_m, correct_v) = (1 / (1 - beta1 ** t), 1 / (1 - beta2 ** t))
    p - lr * (m1 * correct_m) / (sqrt(v1 * correct_v) + eps)
  }
}

/// A step of one size, in the direction of an average of gradients (Chen et al., 2023, algorithm
/// 2). Its rate is about a tenth of AdamW's, its weight decay ten times as large.
optimizer Lion(lr, betas = (0.9, 0.99), weight_decay = 0.0) for p: f32[...] {
  require lr > 0, "the learning rate is more than zero"
  require weight_decay >= 0, "weight decay is at least 0"
  state m: f32[...] = zeros
  fn update(g: f32[...]) -> f32[...] {
    let (beta1, beta2) = betas
    require beta1 >= 0 and beta1 < 1 and beta2 >= 0 and beta2 < 1, "betas are from 0 to below 1"
    next m = settled(beta2 * m + (1 - beta2) * g)
    p - lr * (sign(beta1 * m + (1 - beta1) * g) + weight_decay * p)
  }
}

let Muon = matrices.Muon
let Adafactor = matrices.Adafactor
let MuP = importance.MuP

test "averages that have become tiny are zero" {
  expect settled(full([2], 1e-31)) == 0
  expect settled(full([2], -0.5)) == -0.5
}

test "SGD goes against the gradient" {
  let rule = SGD(lr = 0.5, momentum = 0.5, weight_decay = 0.25)
  let first = rule.update(full([2], 4), full([2], 1))
  expect first.velocity == 2 and first.p == 3
  let second = rule.update(first.p, full([2], 1), first)
  expect second.velocity == 2.75 and second.p == 1.625
  expect SGD(lr = 0.5, momentum = 0.5, nesterov = true).update(zeros([2]), ones([2])).p == -0.75
}

test "the first step of Adam is as long as its rate" {
  let g = tensor([1e-3, -7.0, 200.0])
  let first = Adam(lr = 0.1).update(zeros([3]), g)
  expect close(first.p, -0.1 * sign(g))
  expect close(first.m, 0.1 * g)
  expect close(first.v, 0.001 * g * g)
  let second = Adam(lr = 0.1).update(first.p, g, first, step = 1)
  expect close(second.p, -0.2 * sign(g))
}

test "AdamW decays what it changes" {
  let first = AdamW(lr = 0.1, weight_decay = 0.5).update(full([2], 2), full([2], 3))
  expect close(first.p, 2 - 0.1 - 0.1)
}

test "a step of Lion is as long as its rate" {
  let first = Lion(lr = 0.25, weight_decay = 1.0).update(full([2], 2), tensor([3.0, -1.0]))
  expect first.p == tensor([1.25, 1.75])
  expect close(first.m, tensor([0.03, -0.01]))
}
