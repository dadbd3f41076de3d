"""What a case is, and the cases of layers: an expression of DLM beside the same in NumPy."""
import dataclasses
import typing
import zlib

import numpy as np

from . import reference as r


@dataclasses.dataclass
class Case:
    """An expression `dlm` of the inputs, and of `layer` if it calls one, and what it gives.

    `ref` gets the parameters of the layer (if there is one) and the inputs, all in float64. What is
    computed may differ from it by `bound` roundings of f32, as large as its largest element or 1.
    """
    name: str
    of: str  # the name in the library
    ref: typing.Callable
    inputs: dict  # name: shape, or the values
    dlm: str = "layer(x)"
    layer: str = ""
    held: dict = dataclasses.field(default_factory=dict)  # parameter of the layer: shape
    bound: int = 16
    has_slope: bool = True  # its gradient is compared with differences, too

    def values(self):
        """Inputs and parameters by the names that the model of the case has for them."""
        draw = np.random.default_rng(zlib.crc32(self.name.encode()))
        found = {f"layer.{name}": shape for name, shape in self.held.items()} | self.inputs
        return {name: np.asarray(v, np.float32) if isinstance(v, np.ndarray)
                else (0.7 * draw.standard_normal(v)).astype(np.float32)
                for name, v in found.items()}

    def wanted(self, values):
        inputs = [values[name] for name in self.inputs]
        return np.asarray(self.ref(*([r.within(values, "layer")] if self.layer else []), *inputs))


def prefixed(prefix, shapes):
    return {f"{prefix}.{name}": shape for name, shape in shapes.items()}


def linear(inputs, outputs):
    return {"weight": (inputs, outputs), "bias": (outputs,)}


def norm(width):
    return {"scale": (width,), "shift": (width,)}


def attention(width, heads, groups=None, bias=False):
    groups, part = groups or heads, width // heads
    held = {"query": (width, heads, part), "key": (width, groups, part),
            "value": (width, groups, part), "out": (heads, part, width)}
    shifts = {"shift.query": (heads, part), "shift.key": (groups, part),
              "shift.value": (groups, part), "shift.out": (width,)}
    return held | (shifts if bias else {})


def block(width, heads, groups=None, bias=False, hidden=None):
    hidden = hidden or 4 * width
    return (prefixed("norm1", norm(width)) | prefixed("attn", attention(width, heads, groups, bias))
            | prefixed("norm2", norm(width)) | prefixed("mlp.layers.0", linear(width, hidden))
            | prefixed("mlp.layers.1", linear(hidden, width)))


def twice(inputs, width):
    return ({"conv1.weight": (3, 3, inputs, width), "conv2.weight": (3, 3, width, width)}
            | prefixed("norm1", norm(width)) | prefixed("norm2", norm(width)))


def residual(inputs, outputs, around):
    held = twice(inputs, outputs)
    if around:
        held |= {"around.0.weight": (1, 1, inputs, outputs)} | prefixed("around.1", norm(outputs))
    return held


SEGMENTS = [[0, 0, 1, 1], [0, 1, 1, 2]]
PLACES = [[0, 1, 0, 1], [0, 0, 5, 2]]
MASK = [[True, False, True, True], [True, True, False, False], [False, True, True, False],
        [True, False, False, True]]


def text(values):
    """A list as DLM writes it."""
    return str(values).replace("True", "true").replace("False", "false")


SIMPLE = [
    Case("linear", "nn.Linear", r.linear, {"x": (2, 3, 4)}, layer="nn.Linear(4, 5)",
         held=linear(4, 5)),
    Case("mlp", "nn.MLP", r.mlp, {"x": (3, 4)}, layer="nn.MLP([4, 6, 5, 2])",
         held=prefixed("layers.0", linear(4, 6)) | prefixed("layers.1", linear(6, 5))
         | prefixed("layers.2", linear(5, 2))),
    Case("mlp_act", "nn.MLP", lambda p, x: r.mlp(p, x, r.silu), {"x": (3, 4)},
         layer="nn.MLP([4, 6, 2], act = silu)",
         held=prefixed("layers.0", linear(4, 6)) | prefixed("layers.1", linear(6, 2))),
    Case("embedding", "nn.Embedding", lambda p: p["weight"][[[6, 0, 2], [2, 2, 5]]], {},
         dlm="layer(tensor([[6, 0, 2], [2, 2, 5]]))", layer="nn.Embedding(7, 3)",
         held={"weight": (7, 3)}),
    Case("chain", "nn.Chain", lambda p, x: np.tanh(r.linear(r.within(p, "0"), x)),
         {"x": (3, 4)}, layer="nn.Chain([nn.Linear(4, 5), tanh, identity])",
         held=prefixed("0", linear(4, 5))),
    Case("layer_norm", "nn.LayerNorm", r.layer_norm, {"x": (2, 3, 7)}, layer="nn.LayerNorm(7)",
         held=norm(7)),
    Case("layer_norm_eps", "nn.LayerNorm", lambda p, x: r.layer_norm(p, x, 0.1), {"x": (3, 7)},
         layer="nn.LayerNorm(7, eps = 0.1)", held=norm(7)),
    Case("rms_norm", "nn.RMSNorm", r.rms_norm, {"x": (2, 3, 7)}, layer="nn.RMSNorm(7)",
         held={"scale": (7,)}),
    Case("group_norm", "nn.GroupNorm", lambda p, x: r.group_norm(p, x, 2), {"x": (2, 3, 2, 6)},
         layer="nn.GroupNorm(6, groups = 2)", held=norm(6)),
    Case("batch_norm", "nn.BatchNorm", r.batch_norm, {"x": (4, 3, 5)}, layer="nn.BatchNorm(5)",
         held=norm(5), bound=32),
    Case("batch_norm_group", "nn.BatchNorm", lambda p, x: r.batch_norm(p, x, 2),
         {"x": (4, 3, 2, 5)}, layer="nn.BatchNorm(5, group = 2)", held=norm(5), bound=32),
]

CONVOLUTIONS = [
    Case("conv1d", "nn.Conv1d", lambda p, x: r.conv_layer(p, x, stride=2, padding=1, dilation=2),
         {"x": (2, 9, 3)}, layer="nn.Conv1d(3, 4, kernel = 3, stride = 2, padding = 1, "
         "dilation = 2)", held={"weight": (3, 3, 4), "shift.bias": (4,)}),
    Case("conv2d", "nn.Conv2d", lambda p, x: r.conv_layer(p, x, padding=1), {"x": (2, 4, 5, 3)},
         layer="nn.Conv2d(3, 4, kernel = 3, padding = 1)",
         held={"weight": (3, 3, 3, 4), "shift.bias": (4,)}),
    Case("conv2d_flat", "nn.Conv2d",
         lambda p, x: r.conv_layer(p, x, stride=(2, 1), padding=(1, 0), dilation=(1, 2), groups=2),
         {"x": (2, 5, 6, 4)}, layer="nn.Conv2d(4, 6, kernel = (3, 2), stride = (2, 1), "
         "padding = (1, 0), dilation = (1, 2), groups = 2, bias = false)",
         held={"weight": (3, 2, 2, 6)}),
    Case("conv_transpose2d", "nn.ConvTranspose2d",
         lambda p, x: r.conv_transpose_layer(p, x, stride=2, padding=1, output_padding=1),
         {"x": (2, 3, 2, 3)}, layer="nn.ConvTranspose2d(3, 4, kernel = 3, stride = 2, padding = 1, "
         "output_padding = 1)", held={"weight": (3, 3, 3, 4), "shift.bias": (4,)}),
    Case("conv_transpose2d_flat", "nn.ConvTranspose2d",
         lambda p, x: r.conv_transpose_layer(p, x, stride=(1, 2), dilation=(2, 1), groups=2),
         {"x": (1, 3, 4, 4)}, layer="nn.ConvTranspose2d(4, 6, kernel = (2, 3), stride = (1, 2), "
         "dilation = (2, 1), groups = 2, bias = false)", held={"weight": (2, 3, 2, 6)}),
    Case("residual", "nn.ResidualBlock", r.residual_block, {"x": (2, 3, 3, 2)},
         layer="nn.ResidualBlock(2, 2)", held=residual(2, 2, False), bound=32),
    Case("residual_stride", "nn.ResidualBlock", lambda p, x: r.residual_block(p, x, 2, 2),
         {"x": (4, 5, 4, 2)}, layer="nn.ResidualBlock(2, 3, stride = 2, group = 2)",
         held=residual(2, 3, True), bound=128),
    Case("unet", "nn.UNet2d", lambda p, x: r.unet(p, x, 1, 1, np.tanh), {"x": (2, 4, 2, 1)},
         layer="nn.UNet2d(1, 2, width = 2, levels = 1, groups = 1, act = tanh)",
         held=prefixed("downs.0", twice(1, 2)) | prefixed("bottom", twice(2, 4))
         | prefixed("ups.0", {"grow.weight": (2, 2, 4, 2), "grow.shift.bias": (2,)}
                    | prefixed("merge", twice(4, 2)))
         | {"head.weight": (1, 1, 2, 2), "head.shift.bias": (2,)}, bound=32),
]

ATTENTION = [
    Case("attention_layer", "nn.Attention", r.attention_layer, {"x": (2, 3, 4)},
         layer="nn.Attention(4, heads = 2)", held=attention(4, 2)),
    Case("attention_layer_all", "nn.Attention",
         lambda p, x: r.attention_layer(p, x, rotary=True, at=PLACES, causal=True,
                                        segments=SEGMENTS),
         {"x": (2, 4, 8)}, dlm=f"layer(x, none, tensor({SEGMENTS}), tensor({PLACES}))",
         layer="nn.Attention(8, heads = 4, causal = true, kv_heads = 2, rotary = true, "
         "bias = true)", held=attention(8, 4, 2, bias=True), bound=32),
    Case("block", "nn.Block", lambda p, x: r.block(p, x, causal=True), {"x": (1, 3, 4)},
         layer="nn.Block(4, heads = 2, causal = true)", held=block(4, 2), bound=32),
    Case("block_all", "nn.Block",
         lambda p, x: r.block(p, x, act=r.gelu_tanh, causal=True, rotary=True),
         {"x": (2, 3, 8)}, layer="nn.Block(8, heads = 4, causal = true, hidden = 5, kv_heads = 2, "
         "rotary = true, bias = true, act = fn(x) { gelu(x, approximate = tanh) })",
         held=block(8, 4, 2, bias=True, hidden=5), bound=64),
    Case("transformer", "nn.Transformer",
         lambda p, x: r.transformer(p, x, 2, mask=MASK), {"x": (1, 4, 4)},
         dlm=f"layer(x, mask = tensor({text(MASK)}))",
         layer="nn.Transformer(4, heads = 2, layers = 2, hidden = 6, bias = true)",
         held=prefixed("blocks.0", block(4, 2, bias=True, hidden=6))
         | prefixed("blocks.1", block(4, 2, bias=True, hidden=6)) | prefixed("norm", norm(4)),
         bound=64),
    Case("attention", "attention", lambda q, k, v: r.attention(q, k, v, causal=True),
         {"q": (1, 4, 2, 4), "k": (1, 2, 3, 4), "v": (1, 2, 3, 5)},
         dlm="attention(q, k, v, causal = true)"),
    Case("attention_mask", "attention",
         lambda q, k, v: r.attention(q, k, v, mask=MASK, segments=np.zeros((2, 4))),
         {"q": (2, 2, 4, 3), "k": (2, 2, 4, 3), "v": (2, 2, 4, 2)},
         dlm=f"attention(q, k, v, mask = tensor({text(MASK)}), segments = zeros([2, 4], i32))"),
    Case("rope", "rope", lambda x: r.rope(x, PLACES, 100), {"x": (2, 3, 4, 6)},
         dlm=f"rope(x, tensor({PLACES}), base = 100)"),
    Case("rope_in_order", "rope", r.rope, {"x": (5, 8)}, dlm="rope(x)"),
]

LOOPS = [
    Case("lstm", "nn.LSTM", lambda p, x: r.lstm(p, x, np.zeros((2, 5)), np.zeros((2, 5)))[0],
         {"x": (2, 4, 3)}, layer="nn.LSTM(3, 5)",
         held={"weight": (3, 20), "recurrent": (5, 20), "bias": (20,)}, bound=32),
    Case("lstm_last", "nn.LSTM", lambda p, x, h, c: r.lstm(p, x, h, c)[1],
         {"x": (2, 3, 3), "h": (2, 4), "c0": (2, 4)}, dlm="last_cell(layer, x, h, c0)",
         layer="nn.LSTM(3, 4)",
         held={"weight": (3, 16), "recurrent": (4, 16), "bias": (16,)}, bound=32),
    Case("gru", "nn.GRU", lambda p, x: r.gru(p, x, np.zeros((2, 5))), {"x": (2, 4, 3)},
         layer="nn.GRU(3, 5)", held={"weight": (3, 15), "recurrent": (5, 10),
                                     "recurrent_new": (5, 5), "bias": (15,)}, bound=32),
]
