"""Programs with windows that move over images and sequences: convolutions, their transposes, pools.
The emulator and any number of threads give the bits of one thread."""
import re

import program as p

CLASSIFIER = """
use nn, optim, data

let fashion = data.idx("%s", validation = 5%%%%)

model Net(classes: int) {
  let first = nn.Conv2d(1, 8, kernel = 3, padding = 1)
  let each = nn.Conv2d(8, 8, kernel = 3, padding = 1, groups = 8)
  let second = nn.Conv2d(8, 12, kernel = 3, stride = 2, dilation = 2, groups = 2)
  let head = nn.Linear(48, classes)
  fn forward(image: u8[B, H, W]) -> f32[B, classes] {
    let x = cast(image, f32)[..., new] / 255
    let y = x |> first |> relu |> max_pool(2) |> each |> relu |> second |> relu
    let z = avg_pool(y, 3, stride = 2, padding = 1) |> max_pool(2, padding = 1)
    head(reshape(z[:, :2, :2, :], [B, 48]))
  }
}

train net {
  let net = Net(fashion.classes)
  data = fashion
  batch = 32
  fn loss(batch) { cross_entropy(net(batch.image), batch.label) }
  fn metrics(batch) { (accuracy = accuracy(net(batch.image), batch.label)) }
  optimizer = optim.Adam(lr = 1e-2)
  duration = 60 steps
}
"""

ENCODER = """
use nn, optim, data

let fashion = data.idx("%s", validation = 5%%%%)

/// Rows of an image to few numbers and back, and the image by a transposed convolution.
model Net() {
  let along = nn.Conv1d(28, 16, kernel = 5, stride = 2, padding = 2)
  let few = nn.Linear(14 * 16, 49)
  let up = nn.ConvTranspose2d(1, 6, kernel = 3, stride = 2, padding = 1, output_padding = 1)
  let out = nn.ConvTranspose2d(6, 1, kernel = 2, stride = 2, bias = false)
  fn forward(image: f32[B, H, W]) -> f32[B, H, W] {
    let code = few(reshape(relu(along(image)), [B, 14 * 16]))
    reshape(out(relu(up(reshape(code, [B, 7, 7, 1])))), [B, H, W])
  }
}

train net {
  let net = Net()
  data = fashion
  batch = 32
  fn loss(batch) {
    let x = cast(batch.image, f32) / 255
    mse(net(x), x)
  }
  optimizer = optim.Adam(lr = 1e-2)
  duration = 60 steps
}
"""


def losses(program, to, *flags):
    return [line["loss"] for line in p.train(program, to, *flags) if "step" in line]


def test_a_classifier_of_images_trains(folder):
    program = p.compile_source(folder, CLASSIFIER % p.FASHION % ())
    lines = p.train(program, folder / "one", "--threads", 1)
    found = [line["loss"] for line in lines if "step" in line]
    assert found[0] > 2.1 and sum(found[-10:]) / 10 < 1.3, (found[:3], found[-10:])
    final = next(line["final"] for line in lines if "final" in line)
    assert final["validation"]["accuracy"] > 0.5, final
    assert losses(program, folder / "two", "--threads", 2) == found
    one, two = (p.checkpoints(folder / name)[-1].read_bytes() for name in ("one", "two"))
    assert one == two


def test_the_example_learns(folder):
    text = (p.ROOT / "examples" / "fashion_cnn.dlm").read_text()
    text = re.sub("5 epochs", "80 steps", re.sub("evaluate .*", "", text))
    lines = p.train(p.compile_source(folder, text), folder / "runs")
    final = next(line["final"] for line in lines if "final" in line)
    assert final["test"]["accuracy"] > 0.7, final


def test_images_come_back_from_few_numbers(folder):
    program = p.compile_source(folder, ENCODER % p.FASHION % ())
    found = losses(program, folder / "one", "--threads", 2)
    assert found[0] > 0.1 and sum(found[-10:]) / 10 < 0.07, (found[:3], found[-10:])


def test_the_emulator_gives_the_bits_of_the_cpu(folder):
    for name, text in {"classifier": CLASSIFIER, "encoder": ENCODER}.items():
        text = re.sub("60 steps", "3 steps", text % p.FASHION % ())
        text = re.sub("batch = 32", "batch = 3", text)
        cpu = losses(p.compile_source(folder, text, name), folder / (name + "-cpu"))
        device = p.compile_source(folder, text, name + "-gpu", ("--target=cuda:sm_80", "--emulate"))
        assert len(cpu) == 3 and losses(device, folder / (name + "-emulated")) == cpu, name


if __name__ == "__main__":
    p.main(p.tests_of(p.sys.modules[__name__]))
