"""`data.map`: what it makes of samples is what the program computes, whoever asks, and when."""
import json

import data_test
import predict_test
import program as p

MAPPED = """
use nn, optim, data, random
option noise = 0.1
let fashion = data.idx("%(data)s", validation = 5%%) |> data.map(fn(s) {
  (x = reshape(cast(s.image, f32) / 255, [784]) * 2 - 1, label = s.label)
}) |> data.map(fn(s) {
  (x = if training { s.x + noise * random.normal([784]) } else { s.x }, label = s.label)
})
train small {
  let hidden = nn.Linear(784, 32)
  let output = nn.Linear(32, fashion.classes)
  data = fashion
  batch = 64
  micro = %(micro)s
  fn loss(batch) { cross_entropy(output(relu(hidden(batch.x))), batch.label) }
  fn metrics(batch) {
    (accuracy = mean(argmax(output(relu(hidden(batch.x))), over = -1) == batch.label),
     mean_x = mean(batch.x))
  }
  optimizer = optim.AdamW(lr = 1e-3)
  duration = 2 epochs
  seed = 1
  evaluate { every = 1 epochs }
  checkpoint { every = 10 steps }
}
"""


def mapped(data, micro="auto"):
    return MAPPED % dict(data=data, micro=micro)


def bits(prog, to, *flags):
    p.train(prog, to, *flags)
    return p.tensors(p.checkpoints(to)[-1])


def test_fashion_noise_reaches_87_percent(folder):
    prog = folder / "fashion_noise"
    result = p.run(p.BIN / "dlmc", p.ROOT / "examples/fashion_noise.dlm", "-o", prog)
    assert result.returncode == 0, result.stderr
    lines = p.train(prog, folder / "run")
    final = lines[-1]["final"]
    assert final["test"]["accuracy"] >= 0.87, final
    steps = [line for line in lines if "step" in line]
    waits = steps[-1].get("waits")
    print(f"waits {waits} in {len(steps)} steps, accuracy {final['test']['accuracy']}")


def test_a_map_trains_as_the_same_in_the_model(folder):
    data = p.small_data(folder)
    plain = p.source(data=data)
    inside = plain.replace("image: u8[B, H, W]", "image: u8[B, H, W]")
    outside = plain.replace('validation = 5%)', '''validation = 5%) |> data.map(fn(s) {
  (x = cast(s.image, f32) / 255, label = s.label)
})''').replace("cast(image, f32) / 255", "image").replace("image: u8[B, H, W]",
                                                              "image: f32[B, H, W]")
    outside = outside.replace("batch.image", "batch.x")
    first = bits(p.compile_source(folder, inside, "inside"), folder / "a")
    assert first == bits(p.compile_source(folder, outside, "outside"), folder / "b")


def test_threads_batches_and_options(folder):
    data = p.small_data(folder)
    prog = p.compile_source(folder, mapped(data), "whole")
    first = bits(prog, folder / "a")
    for threads in (2, 4):
        same = bits(prog, folder / f"t{threads}", "--loader-threads", threads)
        assert same == first, threads
    assert bits(prog, folder / "seed", "--seed", 2) != first
    quiet = bits(prog, folder / "quiet", "--noise", "0")
    assert quiet != first
    cut = p.compile_source(folder, mapped(data, micro=16), "cut")
    p.train(cut, folder / "c1", "--steps", 1)
    whole = p.train(prog, folder / "w1", "--steps", 1)
    again = p.train(cut, folder / "c2", "--steps", 1)
    loss = [[line["loss"] for line in lines if "loss" in line] for lines in (whole, again)]
    assert abs(loss[0][0] - loss[1][0]) < 1e-5, loss


def test_noise_is_of_the_sample_and_the_epoch(folder):
    """A batch that is a whole epoch shows the same samples; only what is drawn differs."""
    data = p.small_data(folder, train_count=100)
    text = mapped(data).replace("batch = 64", "batch = 95").replace(
        "fn loss(batch) { cross_entropy(output(relu(hidden(batch.x))), batch.label) }",
        "fn loss(batch) { (a = 0 * cross_entropy(output(relu(hidden(batch.x))), batch.label),"
        " drawn = mean(batch.x)) }")
    prog = p.compile_source(folder, text)
    lines = p.train(prog, folder / "a", "--steps", 4)
    drawn = [line["drawn"] for line in lines if "drawn" in line]
    assert len(set(drawn)) == 4, drawn
    lines = p.train(prog, folder / "b", "--steps", 4, "--noise", "0")
    drawn = [line["drawn"] for line in lines if "drawn" in line]
    assert max(drawn) - min(drawn) < 1e-5, drawn


def test_resumed_over_the_end_of_an_epoch(folder):
    data = p.small_data(folder)
    prog = p.compile_source(folder, mapped(data))
    first = bits(prog, folder / "whole", "--steps", 25)
    for stop in (10, 14, 15, 16, 20):
        to = folder / f"at{stop}"
        p.train(prog, to, "--steps", stop)
        assert bits(prog, to, "--steps", 25, "--resume", "--loader-threads", 3) == first, stop


def test_evaluations_see_no_noise_and_every_sample(folder):
    data = p.small_data(folder)
    prog = p.compile_source(folder, mapped(data))
    final = p.train(prog, folder / "a")[-1]["final"]
    loud = p.train(prog, folder / "b", "--noise", "5")[-1]["final"]
    for split in ("validation", "test"):
        assert final[split]["mean_x"] == loud[split]["mean_x"], (final, loud)
    asked = p.run(prog, "eval", "--json", "--from", folder / "a")
    assert asked.returncode == 0, asked.stderr
    said = json.loads(asked.stdout.splitlines()[-1])["final"]
    assert said["test"] == final["test"], (said, final)


def test_the_processor_makes_samples_for_a_device(folder):
    data = p.small_data(folder)
    first = p.compile_source(folder, mapped(data), "cpu")
    other = p.compile_source(folder, mapped(data), "emulated", ["--target=cuda", "--emulate"])
    steps = ("--steps", 18)  # over the end of an epoch
    assert bits(first, folder / "a", *steps) == bits(other, folder / "b", *steps)


def test_info_and_bench_tell_of_it(folder):
    prog = p.compile_source(folder, mapped(p.small_data(folder)))
    text = p.run(prog, "info").stdout
    for part in ("makes x: f32[784], label: i32", "of image: u8[28, 28], label: i32",
                 "in an evaluation", "for each thread that makes samples"):
        assert part in text, text
    facts = json.loads(p.run(prog, "info", "--json").stdout)
    train, other = facts["sample_work"]
    assert train["flops"] > other["flops"] > 784, facts["sample_work"]
    assert 784 * 5 < facts["thread_bytes"] < 20000, facts["thread_bytes"]
    lines = p.run(prog, "bench", "--json", "--steps", 3).stdout.splitlines()
    assert json.loads(lines[-1])["step"]["loading_us"] > 0, lines[-1]


def test_what_is_wrong_with_the_source_is_said_as_before(folder):
    data = p.small_data(folder)
    prog = p.compile_source(folder, mapped(data))
    p.write_idx(data, "train", 900)
    failed = p.run(prog, "train", "--to", folder / "a")
    assert failed.returncode == 1, failed.stdout
    assert "train-images-idx3-ubyte.gz" in failed.stderr and "900" in failed.stderr, failed.stderr


def photos(folder):
    """The program of data_test on photos that a map makes numbers of."""
    text = data_test.photos(folder)
    plain = "broken = data.skip(limit = 2))"
    assert plain in text
    text = text.replace(plain, plain + """ |> data.map(fn(s) {
  (image = cast(s.image, f32) / 255, label = s.label)
})""")
    return text.replace("image: u8[", "image: f32[").replace("cast(image, f32) / 255", "image")


def test_broken_photos_are_skipped_below_a_map(folder):
    prog = p.compile_source(folder, photos(folder))
    whole = data_test.losses(p.train(prog, folder / "whole"))
    name = data_test.break_photo(folder, 17)
    runs = []
    for threads in ("1", "4"):
        result = p.run(prog, "train", "--json", "--to", folder / threads, "--loader-threads",
                       threads)
        assert result.returncode == 0, result.stderr
        assert result.stderr.count(name) + result.stdout.count(name) == 1, result.stderr
        runs.append(data_test.losses([json.loads(line) for line in result.stdout.splitlines()
                                      if line.startswith("{")]))
    assert runs[0] == runs[1] and runs[0] != whole


def test_samples_that_differ_in_size_have_to_wait(folder):
    text = photos(folder).replace('data.images("photos", ', 'data.images("photos", max_side = 64, ')
    for before, after in [("cast(s.image, f32)", "mean(cast(s.image, f32), over = [0, 1])"),
                          ("f32[B, H, W, 3]", "f32[B, C]"), ("28 * 28 * 3", "3")]:
        assert before in text, before
        text = text.replace(before, after)
    png = data_test.png(bytes(784))
    sides = b"IHDR" + bytes([0, 0, 0, 28])
    small = png.replace(sides + bytes([0, 0, 0, 28]), sides + bytes([0, 0, 0, 14]))
    (folder / "photos/1/extra.png").write_bytes(small)
    (folder / "prog.dlm").write_text(text)
    failed = p.run(p.BIN / "dlmc", folder / "prog.dlm", "-o", folder / "prog")
    assert failed.returncode == 1 and "not-yet" in failed.stderr, failed.stderr
    assert "memory for samples is planned for one size" in failed.stderr, failed.stderr


def test_predictions_are_of_mapped_rows(folder):
    """As those of a program that does in its model what the map does; and without the label."""
    inside = predict_test.make(folder, predict_test.KIND, ("area", "rooms", "kind"))
    outer = folder / "outer"
    outer.mkdir()
    text = predict_test.TABLE % predict_test.KIND
    text = text.replace("batch.number / 100", "batch.x").replace("[houses.", "[table.")
    text = text.replace("let houses", "let table").replace("train t {", """
let houses = table |> data.map(fn(s) {
  (x = s.number / 100, label = s.label)
})
train t {""")
    predict_test.write_houses(outer, ("area", "rooms", "kind"))
    mapped_too = p.compile_source(outer, text)
    p.train(mapped_too, outer / "run")
    rows = predict_test.write_houses(folder, ("rooms", "area"), 300, "new.csv")
    for flags in (("--data", rows), ("--split", "validation")):
        expected = predict_test.predict(inside, *flags)
        assert len(expected) > 50 and predict_test.predict(mapped_too, *flags) == expected, flags


if __name__ == "__main__":
    p.main(p.tests_of(p.sys.modules[__name__]))
