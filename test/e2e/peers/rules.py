"""What optimizers and schedules do, step by step."""
import dataclasses
import math
import typing

import numpy as np


def sgd(p, g, s, t, lr, momentum=0.0, weight_decay=0.0, nesterov=False):
    g = g + weight_decay * p
    s["velocity"] = momentum * s["velocity"] + g
    return p - lr * (g + momentum * s["velocity"] if nesterov else s["velocity"])


def adamw(p, g, s, t, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
    """t counts from 1."""
    s["m"] = betas[0] * s["m"] + (1 - betas[0]) * g
    s["v"] = betas[1] * s["v"] + (1 - betas[1]) * g ** 2
    m, v = s["m"] / (1 - betas[0] ** t), s["v"] / (1 - betas[1] ** t)
    return p - lr * m / (np.sqrt(v) + eps) - lr * weight_decay * p


def lion(p, g, s, t, lr, betas=(0.9, 0.99), weight_decay=0.0):
    direction = np.sign(betas[0] * s["m"] + (1 - betas[0]) * g)
    s["m"] = betas[1] * s["m"] + (1 - betas[1]) * g
    return p - lr * (direction + weight_decay * p)


def muon(p, g, s, t, lr, momentum=0.95, weight_decay=0.0, rounds=5):
    s["velocity"] = momentum * s["velocity"] + g
    x = g + momentum * s["velocity"]
    x = x / (np.linalg.norm(x) + 1e-7)
    for _ in range(rounds):
        x = 3.4445 * x - 4.7750 * (x @ x.T) @ x + 2.0315 * (x @ x.T) @ (x @ x.T) @ x
    rate = lr * math.sqrt(max(1, p.shape[0] / p.shape[1]))
    return p - rate * x - lr * weight_decay * p


def adafactor(p, g, s, t, lr, decay=0.8, clip=1.0, weight_decay=0.0):
    keep = 1 - t ** -decay
    square = g ** 2 + 1e-30
    s["row"] = keep * s["row"] + (1 - keep) * square.mean(-1)
    s["column"] = keep * s["column"] + (1 - keep) * square.mean(-2)
    mean = s["row"].mean(-1)[..., None, None]
    u = g / np.sqrt(s["row"][..., :, None] * s["column"][..., None, :] / mean)
    u = u / max(1, np.sqrt((u ** 2).mean()) / clip)
    return p - lr * u - lr * weight_decay * p


def mup(p, g, s, t, lr, momentum=0.9, weight_decay=0.0, period=4, threshold=1e-3, decay=0.99,
        **grains):
    """With grains so fine that rounding the gradient to them is not seen."""
    s["importance"] = decay * s["importance"] + (1 - decay) * np.linalg.norm(g * p)
    s["gathered"] = s["gathered"] + g
    s["waited"] = s["waited"] + 1
    if s["importance"] / (1 - decay ** t) < threshold and s["waited"] < period:
        return p
    s["velocity"] = momentum * s["velocity"] + (1 - momentum) * s["gathered"] / s["waited"]
    s["gathered"], s["waited"] = 0 * s["gathered"], 0 * s["waited"]
    return p - lr * (np.sign(s["velocity"]) + weight_decay * p)


@dataclasses.dataclass
class Rule:
    """An optimizer with its arguments, for a parameter of a shape; each step may add `bound`
    roundings."""
    name: str
    of: str
    ref: typing.Callable
    shape: tuple
    states: dict
    given: dict
    bound: int = 8
    counts: tuple = ()  # states of whole numbers

    def dlm(self):
        def text(v):
            return str(v).lower() if isinstance(v, bool) else str(v)
        return f"{self.of}({', '.join(f'{k} = {text(v)}' for k, v in self.given.items())})"


def element(name, of, ref, states, bound=8, **given):
    return Rule(name, of, ref, (4, 3), {s: (4, 3) for s in states}, given, bound)


RULES = [
    element("sgd", "optim.SGD", sgd, ["velocity"], lr=0.1),
    element("sgd_momentum", "optim.SGD", sgd, ["velocity"], lr=0.1, momentum=0.9,
            weight_decay=0.05),
    element("sgd_nesterov", "optim.SGD", sgd, ["velocity"], lr=0.1, momentum=0.8, nesterov=True),
    element("adam", "optim.Adam", adamw, "mv", lr=0.05, bound=16),
    element("adam_betas", "optim.Adam", adamw, "mv", lr=0.05, betas=(0.5, 0.9), eps=0.01),
    element("adamw", "optim.AdamW", lambda *of, weight_decay=0.01, **given:
            adamw(*of, weight_decay=weight_decay, **given), "mv", lr=0.05, bound=16),
    element("adamw_decay", "optim.AdamW", adamw, "mv", lr=0.05, betas=(0.9, 0.95),
            weight_decay=0.3),
    element("lion", "optim.Lion", lion, "m", lr=0.02),
    element("lion_decay", "optim.Lion", lion, "m", lr=0.02, betas=(0.8, 0.9), weight_decay=0.5),
    element("muon", "optim.Muon", muon, ["velocity"], lr=0.1),
    Rule("muon_wide", "optim.Muon", muon, (3, 5), {"velocity": (3, 5)},
         dict(lr=0.1, momentum=0.8, weight_decay=0.2, rounds=3)),
    Rule("adafactor", "optim.Adafactor", adafactor, (4, 3), {"row": (4,), "column": (3,)},
         dict(lr=0.05)),
    Rule("adafactor_stack", "optim.Adafactor", adafactor, (2, 3, 4), {"row": (2, 3),
         "column": (2, 4)}, dict(lr=0.05, decay=0.6, clip=0.5, weight_decay=0.1)),
]

MUP_STATES = {"velocity": (4, 3), "gathered": (4, 3), "importance": (), "waited": ()}
MUP_GRAINS = dict(coarse=1e-7, fine=1e-7)
# Looked at as soon as it is in stdlib/.
COMING = [
    Rule("mup", "optim.MuP", mup, (4, 3), MUP_STATES,
         dict(lr=0.02, weight_decay=0.5, **MUP_GRAINS), bound=32, counts=("waited",)),
    Rule("mup_waits", "optim.MuP", mup, (4, 3), MUP_STATES,
         dict(lr=0.02, momentum=0.5, period=3, threshold=100.0, **MUP_GRAINS), bound=32,
         counts=("waited",)),
]


def cosine(t, steps, peak, warmup=0, floor=0.0, over=None):
    if t < warmup:
        return peak * (t + 1) / warmup
    done = min((t - warmup) / max((over or steps) - warmup, 1), 1)
    return floor + (peak - floor) * (1 + math.cos(math.pi * done)) / 2


def wsd(t, steps, peak, warmup, decay, floor=0.0):
    return min(peak * (t + 1) / warmup,
               floor + (peak - floor) * min(max((steps - t) / decay, 0), 1))


def linear(t, steps, begin, end, over=None):
    return begin + (end - begin) * min(t / (over or steps), 1)


# name: (what DLM computes, the value at step t of `steps`)
SCHEDULES = {
    "constant": ("constant(0.3)", lambda t, n: 0.3),
    "linear": ("linear(1.0, 0.2, over = 7 steps)", lambda t, n: linear(t, n, 1, 0.2, 7)),
    "linear_whole": ("linear(0.5, 2.5)", lambda t, n: linear(t, n, 0.5, 2.5)),
    "cosine": ("cosine(0.4, warmup = 5 steps, floor = 0.05)",
               lambda t, n: cosine(t, n, 0.4, 5, 0.05)),
    "cosine_over": ("cosine(0.4, over = 9 steps)", lambda t, n: cosine(t, n, 0.4, over=9)),
    "step_decay": ("step_decay(0.5, every = 6 steps, factor = 0.3)",
                   lambda t, n: 0.5 * 0.3 ** (t // 6)),
    "inverse_sqrt": ("inverse_sqrt(0.5, warmup = 4 steps)",
                     lambda t, n: 0.5 * min((t + 1) / 4, math.sqrt(4 / (t + 1)))),
    "wsd": ("wsd(0.5, warmup = 4 steps, decay = 6 steps, floor = 0.1)",
            lambda t, n: wsd(t, n, 0.5, 4, 6, 0.1)),
    "chain": ("chain([schedule.linear(0.0, 1.0, over = 5 steps), schedule.constant(1.0), "
              "schedule.step_decay(1.0, every = 4 steps, factor = 0.5)], at = [5 steps, 11 steps])",
              lambda t, n: min(t / 5, 1) if t < 11 else 0.5 ** (t // 4)),
}
