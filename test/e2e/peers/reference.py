"""The formulas of the library in float64, from the papers and not from how DLM computes them.

What has parameters gets them as a dictionary with the names they have in a checkpoint.
"""
import itertools
import math

import numpy as np


def within(values, prefix):
    """The values whose names begin with `prefix.`, without it."""
    start = prefix + "."
    return {name[len(start):]: v for name, v in values.items() if name.startswith(start)}


# Functions of an element

erf = np.vectorize(math.erf, otypes=[np.float64])


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def gelu(x):
    return x * 0.5 * (1 + erf(x / math.sqrt(2)))


def gelu_tanh(x):
    return 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x ** 3)))


def silu(x):
    return x * sigmoid(x)


def relu(x):
    return np.maximum(x, 0)


# Along an axis

def softmax(x, seen=None):
    """Along the last axis, over what `seen` holds for."""
    x = x if seen is None else np.where(seen, x, -np.inf)
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def log_softmax(x):
    top = x.max(-1, keepdims=True)
    return x - top - np.log(np.exp(x - top).sum(-1, keepdims=True))


def standard(x, axes, eps):
    mean = x.mean(axes, keepdims=True)
    return (x - mean) / np.sqrt(((x - mean) ** 2).mean(axes, keepdims=True) + eps)


# Layers

def linear(p, x):
    return x @ p["weight"] + p["bias"]


def mlp(p, x, act=relu):
    count = sum(name.endswith(".weight") for name in p)
    for i in range(count):
        x = linear(within(p, f"layers.{i}"), x)
        x = act(x) if i + 1 < count else x
    return x


def layer_norm(p, x, eps=1e-5):
    return standard(x, -1, eps) * p["scale"] + p["shift"]


def rms_norm(p, x, eps=1e-6):
    return x / np.sqrt((x * x).mean(-1, keepdims=True) + eps) * p["scale"]


def group_norm(p, x, groups, eps=1e-5):
    parts = x.reshape(x.shape[0], -1, groups, x.shape[-1] // groups)
    return standard(parts, (1, 3), eps).reshape(x.shape) * p["scale"] + p["shift"]


def batch_norm(p, x, group=None, eps=1e-5):
    """While training."""
    group = group or x.shape[0]
    parts = x.reshape(x.shape[0] // group, -1, x.shape[-1])
    return standard(parts, 1, eps).reshape(x.shape) * p["scale"] + p["shift"]


def batch_norm_kept(p, x, eps=1e-5):
    """While evaluating."""
    return (x - p["running_mean"]) / np.sqrt(p["running_var"] + eps) * p["scale"] + p["shift"]


def moved_statistics(x, group=None, momentum=0.1):
    """What a step makes of a mean of 0 and a variance of 1: the sample variance counts n - 1."""
    parts = x.reshape(x.shape[0] // (group or x.shape[0]), -1, x.shape[-1])
    mean, var = parts.mean(1).mean(0), parts.var(1, ddof=1).mean(0)
    return momentum * mean, 1 - momentum + momentum * var


def each(value, count):
    return (value,) * count if isinstance(value, int) else tuple(value)


def convolution(x, w, stride=1, padding=0, dilation=1, groups=1):
    """x: [B, sides.., C] by w: [window.., C / groups, O]."""
    count = x.ndim - 2
    stride, padding, dilation = (each(v, count) for v in (stride, padding, dilation))
    x = np.pad(x, [(0, 0), *[(p, p) for p in padding], (0, 0)])
    window, inputs, outputs = w.shape[:count], w.shape[-2], w.shape[-1] // groups
    places = [(x.shape[1 + a] - dilation[a] * (window[a] - 1) - 1) // stride[a] + 1
              for a in range(count)]
    y = np.zeros([x.shape[0], *places, w.shape[-1]])
    for offset in itertools.product(*map(range, window)):
        cut = tuple(slice(o * d, o * d + s * (n - 1) + 1, s)
                    for o, d, s, n in zip(offset, dilation, stride, places))
        for g in range(groups):
            of, to = slice(g * inputs, g * inputs + inputs), slice(g * outputs, (g + 1) * outputs)
            y[..., to] += x[(slice(None), *cut, of)] @ w[offset][:, to]
    return y


def transposed_convolution(x, w, stride=1, padding=0, output_padding=0, dilation=1, groups=1):
    """x: [B, sides.., C] by w: [window.., C / groups, O]; a window of the result for each place."""
    count = x.ndim - 2
    stride, padding, dilation, more = (
        each(v, count) for v in (stride, padding, dilation, output_padding))
    window, inputs, outputs = w.shape[:count], w.shape[-2], w.shape[-1] // groups
    places = x.shape[1:-1]
    whole = [(n - 1) * s + d * (k - 1) + 1 + m
             for n, s, d, k, m in zip(places, stride, dilation, window, more)]
    y = np.zeros([x.shape[0], *whole, w.shape[-1]])
    for offset in itertools.product(*map(range, window)):
        cut = tuple(slice(o * d, o * d + s * (n - 1) + 1, s)
                    for o, d, s, n in zip(offset, dilation, stride, places))
        for g in range(groups):
            of, to = slice(g * inputs, g * inputs + inputs), slice(g * outputs, (g + 1) * outputs)
            y[(slice(None), *cut, to)] += x[..., of] @ w[offset][:, to]
    return y[(slice(None), *[slice(p, n - p) for p, n in zip(padding, whole)])]


def conv_layer(p, x, **how):
    return convolution(x, p["weight"], **how) + p.get("shift.bias", 0)


def conv_transpose_layer(p, x, **how):
    return transposed_convolution(x, p["weight"], **how) + p.get("shift.bias", 0)


def max_pool(x, size):
    y = convolution_windows(x, size)
    return y.max((3, 4))


def convolution_windows(x, size):
    """[B, H / size, W / size, size, size, C]."""
    b, h, w, c = x.shape
    return x.reshape(b, h // size, size, w // size, size, c).transpose(0, 1, 3, 2, 4, 5)


# Attention

def rope(x, at=None, base=10_000):
    """x: [.., T, D]; `at`: [B, T]."""
    half = x.shape[-1] // 2
    at = np.arange(x.shape[-2]) if at is None else np.asarray(at)
    if at.ndim == 2:
        at = at.reshape(at.shape[0], *[1] * (x.ndim - 3), at.shape[1])
    angle = at[..., None] * base ** (-2.0 * np.arange(half) / x.shape[-1])
    turned = (x[..., :half] + 1j * x[..., half:]) * np.exp(1j * angle)
    return np.concatenate([turned.real, turned.imag], -1)


def attention(q, k, v, causal=False, mask=None, segments=None):
    heads, keys = q.shape[-3], k.shape[-3]
    k, v = (np.repeat(x, heads // keys, -3) for x in (k, v))
    t, s = q.shape[-2], k.shape[-2]
    seen = np.ones((t, s), bool)
    if causal:
        seen = np.arange(s)[None, :] <= np.arange(t)[:, None] + s - t
    if mask is not None:
        seen = seen & np.asarray(mask)
    if segments is not None:
        segments = np.asarray(segments)
        seen = seen & (segments[..., None, :, None] == segments[..., None, None, :])
    scores = q @ np.swapaxes(k, -1, -2) / math.sqrt(q.shape[-1])
    return softmax(scores, seen) @ v


def attention_layer(p, x, rotary=False, at=None, **how):
    def heads(name):
        y = np.einsum("btw,whd->bhtd", x, p[name])
        return y + p[f"shift.{name}"][:, None] if f"shift.{name}" in p else y
    q, k, v = heads("query"), heads("key"), heads("value")
    if rotary:
        q, k = rope(q, at), rope(k, at)
    y = np.einsum("bhtd,hdw->btw", attention(q, k, v, **how), p["out"])
    return y + p.get("shift.out", 0)


def block(p, x, act=gelu, **how):
    h = x + attention_layer(within(p, "attn"), layer_norm(within(p, "norm1"), x), **how)
    return h + mlp(within(p, "mlp"), layer_norm(within(p, "norm2"), h), act)


def transformer(p, x, layers, **how):
    for i in range(layers):
        x = block(within(p, f"blocks.{i}"), x, **how)
    return layer_norm(within(p, "norm"), x)


# Recurrent layers

def lstm(p, x, h, c):
    """All outputs, and the last cell."""
    ys = []
    for t in range(x.shape[1]):
        gates = x[:, t] @ p["weight"] + h @ p["recurrent"] + p["bias"]
        i, f, g, o = np.split(gates, 4, -1)
        c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
        h = sigmoid(o) * np.tanh(c)
        ys.append(h)
    return np.stack(ys, 1), c


def gru(p, x, h):
    ys = []
    for t in range(x.shape[1]):
        reset, update, new = np.split(x[:, t] @ p["weight"] + p["bias"], 3, -1)
        reset_h, update_h = np.split(h @ p["recurrent"], 2, -1)
        keep = sigmoid(update + update_h)
        state = np.tanh(new + (sigmoid(reset + reset_h) * h) @ p["recurrent_new"])
        h = keep * h + (1 - keep) * state
        ys.append(h)
    return np.stack(ys, 1)


# Networks for images

def residual_block(p, x, stride=1, group=None):
    y = convolution(x, p["conv1.weight"], stride=stride, padding=1)
    y = relu(batch_norm(within(p, "norm1"), y, group))
    y = convolution(y, p["conv2.weight"], padding=1)
    y = batch_norm(within(p, "norm2"), y, group)
    if "around.0.weight" in p:
        x = convolution(x, p["around.0.weight"], stride=stride)
        x = batch_norm(within(p, "around.1"), x, group)
    return relu(y + x)


def twice(p, x, groups, act):
    for i in (1, 2):
        x = convolution(x, p[f"conv{i}.weight"], padding=1)
        x = act(group_norm(within(p, f"norm{i}"), x, groups))
    return x


def unet(p, x, levels, groups, act):
    seen = []
    for i in range(levels):
        x = twice(within(p, f"downs.{i}"), x, groups, act)
        seen.append(x)
        x = max_pool(x, 2)
    x = twice(within(p, "bottom"), x, groups, act)
    for i in range(levels):
        up = within(p, f"ups.{i}")
        x = conv_transpose_layer(within(up, "grow"), x, stride=2)
        x = twice(within(up, "merge"), np.concatenate([seen.pop(), x], -1), groups, act)
    return conv_layer(within(p, "head"), x)


# Losses of each sample

def cross_entropy(logits, ids, smoothing=0.0):
    target = np.eye(logits.shape[-1])[np.asarray(ids)]
    return cross_entropy_of_shares(logits, target, smoothing)


def cross_entropy_of_shares(logits, target, smoothing=0.0):
    target = (1 - smoothing) * target + smoothing / logits.shape[-1]
    return -(target * log_softmax(logits)).sum(-1)


def binary_cross_entropy(logits, targets):
    p = sigmoid(logits)
    return -targets * np.log(p) - (1 - targets) * np.log1p(-p)


def huber(x, y, delta=1.0):
    d = np.abs(x - y)
    return np.where(d < delta, d * d / 2, delta * (d - delta / 2))


def kl_divergence(p, q):
    return (softmax(p) * (log_softmax(p) - log_softmax(q))).sum(-1)


# Images

def sampled(x, rows, columns):
    h, w = x.shape[:2]
    ys, xs = np.clip(rows, 0, h - 1), np.clip(columns, 0, w - 1)
    y = np.zeros((len(rows), len(columns), x.shape[2]))
    for i, j in itertools.product(range(len(rows)), range(len(columns))):
        top, left = int(ys[i]), int(xs[j])
        low, right = min(top + 1, h - 1), min(left + 1, w - 1)
        a, b = ys[i] - top, xs[j] - left
        y[i, j] = ((1 - a) * ((1 - b) * x[top, left] + b * x[top, right])
                   + a * ((1 - b) * x[low, left] + b * x[low, right]))
    return y


def places(begin, length, count):
    return begin + (np.arange(count) + 0.5) * length / count - 0.5


def resize(x, height, width):
    return sampled(x, places(0, x.shape[0], height), places(0, x.shape[1], width))


def center_crop(x, size, short):
    side = min(x.shape[:2]) * size / short
    corner = [(n - side) / 2 for n in x.shape[:2]]
    return sampled(x, places(corner[0], side, size), places(corner[1], side, size))
