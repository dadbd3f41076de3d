"""The cases of functions: of an element, losses, metrics, images."""
import numpy as np

from . import reference as r
from .cases import Case, text

GRID = np.linspace(-3.1, 3, 24).reshape(4, 6)  # no element is where a function has a corner
IDS = [2, 0, 3, 1]
KEPT = [True, False, True, True]
SHARES = [[0.5, 0.25, 0.25, 0], [0, 1, 0, 0], [0.25, 0.25, 0.25, 0.25], [0, 0, 0.75, 0.25]]
MEAN, SPREAD = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)


def normalize(x):
    return (x - MEAN) / np.array(SPREAD)


def pointwise(name, ref, dlm=None, x=GRID, of=None, **more):
    return Case(name, of or name, ref, {"x": x}, dlm=dlm or f"{name}(x)", **more)


POINTWISE = [
    pointwise("sigmoid", r.sigmoid),
    pointwise("gelu", r.gelu),
    pointwise("gelu_tanh", r.gelu_tanh, "gelu(x, approximate = tanh)", of="gelu"),
    pointwise("silu", r.silu),
    pointwise("softplus", lambda x: np.log1p(np.exp(x))),
    pointwise("leaky_relu", lambda x: np.where(x > 0, x, 0.2 * x), "leaky_relu(x, slope = 0.2)"),
    pointwise("log1p", np.log1p, x=np.linspace(-0.9, 3, 24)),
    pointwise("log1p_near_0", np.log1p, "1e4 * log1p(x)", x=np.linspace(-1e-4, 1e-4, 8),
              of="log1p"),
    pointwise("expm1", np.expm1),
    pointwise("expm1_near_0", np.expm1, "1e4 * expm1(x)", x=np.linspace(-1e-4, 1e-4, 8),
              of="expm1"),
    pointwise("identity", lambda x: x),
    Case("lerp", "lerp", lambda a, b, t: a + t * (b - a),
         {"a": (3, 4), "b": (3, 4), "t": (3, 4)}, dlm="lerp(a, b, t)"),
    pointwise("close", lambda x: abs(x - 1) <= 0.5,
              "cast(close(x, ones([4, 6]), tolerance = 0.5), f32)", has_slope=False),
    pointwise("settled", lambda x: np.where(abs(x) < 1e-30, 0, x), "optim.settled(x)",
              x=np.array([1e-31, -1e-32, 0.5, -3]), of="optim.settled", has_slope=False),
]
for case in POINTWISE:  # what is near 0 is compared in a size that shows its digits
    if case.name.endswith("near_0"):
        case.ref = (lambda of: lambda x: 1e4 * of(x))(case.ref)


def kept_mean(values):
    return values[np.array(KEPT)].mean()


LOSSES = [
    Case("cross_entropy", "cross_entropy", lambda x: r.cross_entropy(x, IDS).mean(), {"x": (4, 5)},
         dlm=f"cross_entropy(x, tensor({IDS}))"),
    Case("cross_entropy_none", "cross_entropy",
         lambda x: r.cross_entropy(x, [IDS, IDS], 0.1), {"x": (2, 4, 5)},
         dlm=f"cross_entropy(x, tensor([{IDS}, {IDS}]), smoothing = 0.1, reduce = none)"),
    Case("cross_entropy_ignore", "cross_entropy",
         lambda x: r.cross_entropy(x, [2, 0, 3])[[0, 2]].mean(), {"x": (3, 5)},
         dlm="cross_entropy(x, tensor([2, -1, 3]), ignore = -1)"),
    Case("cross_entropy_where", "cross_entropy",
         lambda x: (np.array([1, 0, 0, 1]) * r.cross_entropy(x, IDS)).sum(), {"x": (4, 5)},
         dlm=f"cross_entropy(x, tensor({IDS}), ignore = 3, where = tensor({text(KEPT)}), "
         "reduce = sum)"),
    Case("cross_entropy_shares", "cross_entropy",
         lambda x: r.cross_entropy_of_shares(x, np.array(SHARES), 0.2).mean(), {"x": (4, 4)},
         dlm=f"cross_entropy(x, tensor({SHARES}, f32), smoothing = 0.2)"),
    Case("cross_entropy_far", "cross_entropy", lambda x: r.cross_entropy(x, IDS).mean(),
         {"x": 90 * GRID}, dlm=f"cross_entropy(x, tensor({IDS}))"),
    Case("binary", "binary_cross_entropy_with_logits",
         lambda x: r.binary_cross_entropy(x, np.array(SHARES)).mean(), {"x": (4, 4)},
         dlm=f"binary_cross_entropy_with_logits(x, tensor({SHARES}, f32))"),
    Case("mse", "mse", lambda x, y: ((x - y) ** 2).mean(), {"x": (4, 3), "y": (4, 3)},
         dlm="mse(x, y)"),
    Case("mse_where", "mse", lambda x, y: kept_mean((x - y) ** 2), {"x": (4,), "y": (4,)},
         dlm=f"mse(x, y, where = tensor({text(KEPT)}))"),
    Case("l1", "l1", lambda x, y: abs(x - y).mean(), {"x": (4, 3), "y": (4, 3)}, dlm="l1(x, y)"),
    Case("l1_none", "l1", lambda x, y: np.where(KEPT, abs(x - y), 0), {"x": (4,), "y": (4,)},
         dlm=f"l1(x, y, where = tensor({text(KEPT)}), reduce = none)"),
    Case("huber", "huber", lambda x, y: r.huber(x, y, 0.6).mean(), {"x": (4, 3), "y": (4, 3)},
         dlm="huber(x, y, delta = 0.6)"),
    Case("kl_divergence", "kl_divergence", lambda x, y: r.kl_divergence(x, y).mean(),
         {"x": (4, 5), "y": (4, 5)}, dlm="kl_divergence(x, y)"),
]

SCORES = np.array([[1, 5, 3, 2], [4, 2, 1, 3], [0, 1, 2, 3], [3, 2, 1, 0]])
LABELS = [2, 0, 3, 3]

METRICS = [
    Case("accuracy", "accuracy", lambda x: np.mean(x.argmax(-1) == LABELS), {"x": SCORES},
         dlm=f"accuracy(x, tensor({LABELS}))"),
    Case("top_2", "top_k_accuracy",
         lambda x: np.mean([label in np.argsort(-row)[:2] for row, label in zip(x, LABELS)]),
         {"x": SCORES}, dlm=f"top_k_accuracy(x, tensor({LABELS}), k = 2)"),
    Case("confusion", "confusion",
         lambda x: np.array([[sum((np.array(LABELS) == i) & (x.argmax(-1) == j))
                              for j in range(4)] for i in range(4)]), {"x": SCORES},
         dlm=f"cast(confusion(tensor({LABELS}), argmax(x, over = -1), classes = 4), f32)"),
]

IMAGES = [
    Case("resize", "image.resize", lambda x: r.resize(x, 4, 7), {"x": (5, 6, 2)},
         dlm="image.resize(x, 4, 7)"),
    Case("center_crop", "image.center_crop", lambda x: r.center_crop(x, 3, 4), {"x": (5, 8, 2)},
         dlm="image.center_crop(x, 3, short = 4)"),
    Case("sampled", "image.sampled",
         lambda x: r.sampled(x, [0.25, 2.5, -1], [3.75, 1, 0.5, 9]), {"x": (4, 5, 3)},
         dlm="image.sampled(x, tensor([0.25, 2.5, -1.0]), tensor([3.75, 1.0, 0.5, 9.0]))"),
    Case("places", "image.places", lambda x: r.places(x, 4 * x, 5), {"x": ()},
         dlm="image.places(x, 4 * x, 5)"),
    Case("normalize", "image.normalize", normalize, {"x": (2, 3, 3)},
         dlm=f"image.normalize(x, {MEAN}, {SPREAD})"),
    # What leaves no room for chance.
    Case("flipped", "image.random_flip", lambda x: x[:, ::-1], {"x": (2, 3, 2)},
         dlm="image.random_flip(x, p = 1)"),
    Case("not_flipped", "image.random_flip", lambda x: x, {"x": (2, 3, 2)},
         dlm="image.random_flip(x, p = 0)"),
    Case("whole_crop", "image.random_resized_crop", lambda x: r.resize(x, 3, 3), {"x": (4, 4, 2)},
         dlm="image.random_resized_crop(x, 3, scale = (1, 1), ratio = (1, 1))"),
]
