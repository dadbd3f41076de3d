"""Tables as people have them: columns that say nothing, files that are sorted, names that differ
in a capital. What is computed of them is compared with the file, and what is said with what
helps."""
import json
import math
import struct

import program as p

CONSTANT = """
use nn, optim, data
let points = data.csv("points.csv", target = "y", missing = allowed, drop = ["id"])
model Standard(columns: data.Columns) {
  buffer centre: f32[columns.numbers] = data.fit(columns, fn(c) {
    mean(c.number, where = c.present)
  })
  buffer spread: f32[columns.numbers] = data.fit(columns, fn(c) {
    std(c.number, where = c.present)
  })
  buffer most: f32[columns.numbers] = data.fit(points, fn(all) {
    max(all.number, over = 0, where = all.present)
  })
  fn forward(number: f32[B, N], present: bool[B, N]) -> f32[B, N] {
    where(present, (number - centre) / SPREAD, 0)
  }
}
train t {
  let standard = Standard(points.columns)
  let net = nn.Linear(points.columns.numbers, 1)
  data = points
  batch = 7
  fn loss(batch) {
    mse(net(standard(batch.number, batch.present))[:, 0] + 0 * sum(standard.most), batch.target)
  }
  optimizer = optim.SGD(lr = 0.01)
  duration = 4 steps
  seed = 1
}
"""
DIVIDED = CONSTANT.replace("SPREAD", "spread")
GUARDED = CONSTANT.replace("SPREAD", "where(spread > 0, spread, 1)")
MAPPED = GUARDED.replace("let points", "let raw").replace("model Standard", """
let points = raw |> data.map(fn(s) {
  let one = where(s.target == 9, 0, 1)
  (number = s.number / one, present = s.present, target = s.target)
})
model Standard""")
for old, new in (("data.fit(points,", "data.fit(raw,"), ("points.columns", "raw.columns"),
                 ("batch = 7", "batch = 14")):
    MAPPED = MAPPED.replace(old, new)


def f32(raw):
    return list(struct.unpack(f"<{len(raw) // 4}f", raw))


def nearest_f32(value):
    return struct.unpack("<f", struct.pack("<f", value))[0]


def write_points(path, count=14, same="0.1"):
    rows = [f"{i},{same},{'' if i % 3 else same},{i * 1.5},{i}" for i in range(count)]
    path.write_text("id,same,seldom,other,y\n" + "\n".join(rows) + "\n")


def compile_(folder, text, expect=0):
    (folder / "prog.dlm").write_text(text)
    result = p.run(p.BIN / "dlmc", folder / "prog.dlm", "-o", folder / "prog")
    assert result.returncode == expect, result.stderr
    return result.stderr


def test_a_constant_column_has_no_deviation(folder):
    for same in ("0.1", "-7.3e5", "3.3333e-20", "16777217"):
        write_points(folder / "points.csv", same=same)
        assert compile_(folder, GUARDED) == ""
        p.train(folder / "prog", folder / "runs" / same)
        state = p.tensors(p.checkpoints(folder / "runs" / same)[-1])
        value = nearest_f32(float(same))
        assert f32(state["standard.spread"])[:2] == [0, 0], same
        assert f32(state["standard.centre"])[:2] == [value, value], same
        mean = 1.5 * 13 / 2
        spread = 1.5 * math.sqrt((14 ** 2 - 1) / 12)
        assert abs(f32(state["standard.centre"])[2] - mean) < 1e-5
        assert abs(f32(state["standard.spread"])[2] - spread) < 1e-5


def test_a_division_by_no_deviation_is_named(folder):
    write_points(folder / "points.csv")
    said = compile_(folder, DIVIDED)
    assert "warning[constant-column]: this divides by `standard.spread`, which is 0 for the " \
           "columns \"same\", \"seldom\"" in said, said
    assert "prog.dlm:15:" in said and "14 training samples of" in said, said
    assert "points.csv`" in said and "`drop = [\"same\", \"seldom\"]`" in said, said
    dropped = DIVIDED.replace("\"id\"", "\"id\", \"same\", \"seldom\"")
    assert compile_(folder, dropped) == ""


def test_a_column_without_a_value_is_named(folder):
    path = folder / "points.csv"
    path.write_text("id,same,seldom,other,y\n" + "1,2,NA,4,5\n2,3,,4,5\n" * 7)
    said = compile_(folder, GUARDED, expect=1)
    assert "`data.fit` has nothing to compute `standard.centre` from for the column \"seldom\": " \
           "it has no value in any of the 14 training samples" in said, said
    assert "`drop = [\"seldom\"]`" in said, said


SORTED = """
use nn, optim, data
let flowers = data.KIND("FILE", validation = 15%, test = 5%, split = SPLIT OPTIONS)
train t {
  let net = nn.Linear(1, 3)
  buffer_of_none
  data = flowers
  batch = 8
  fn loss(batch) { cross_entropy(net(NUMBER[:, new]), batch.label) }
  fn predict(batch) { (id = NUMBER) }
  optimizer = optim.SGD(lr = 0.01)
  duration = 2 steps
  seed = 1
}
""".replace("  buffer_of_none\n", "")


def sorted_program(kind, split):
    text = SORTED.replace("KIND", kind).replace("SPLIT", split)
    if kind == "csv":
        return text.replace("FILE", "f.csv").replace(" OPTIONS", ", label = \"kind\"").replace(
            "NUMBER", "batch.number[:, 0]")
    text = text.replace(" OPTIONS", "").replace("NUMBER", "batch.id")
    return text.replace("FILE", "f.jsonl" if kind == "jsonl" else "f")


def npy(descr, shape, raw):
    header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + raw


def write_sorted(folder, count=120):
    kinds = ["setosa"] * 40 + ["versicolor"] * 40 + ["virginica"] * 40
    (folder / "f.csv").write_text(
        "id,kind\n" + "".join(f"{i},{kind}\n" for i, kind in enumerate(kinds)))
    (folder / "f.jsonl").write_text("".join(
        json.dumps({"id": i + 0.0, "label": kind}) + "\n" for i, kind in enumerate(kinds)))
    (folder / "f").mkdir(exist_ok=True)
    (folder / "f/id.npy").write_bytes(
        npy("<f4", f"({count},)", struct.pack(f"<{count}f", *range(count))))
    labels = [sorted(set(kinds)).index(kind) for kind in kinds]
    (folder / "f/label.npy").write_bytes(
        npy("<i4", f"({count},)", struct.pack(f"<{count}i", *labels)))
    return kinds


def part(prog, split, run):
    result = p.run(prog, "predict", "--split", split, "--from", run)
    assert result.returncode == 0, result.stderr
    return [int(float(line)) for line in result.stdout.splitlines()[1:]]


def test_parts_of_a_sorted_file(folder):
    kinds = write_sorted(folder)
    seen = {}
    for kind in ("csv", "jsonl", "npy"):
        said = compile_(folder, sorted_program(kind, "end"))
        assert said.count("warning[lacked-classes]") == 1, said  # 6 of 120 may be of one kind
        names = "0 and 1" if kind == "npy" else "\"setosa\" and \"versicolor\""
        assert "the validation part, 18 samples from the end of the file, has none of the " \
               f"classes {names}" in said, said
        assert compile_(folder, sorted_program(kind, "shuffled")) == ""
        prog = folder / "prog"
        for seed in (1, 2):
            run = folder / f"runs/{kind}-{seed}"
            p.train(prog, run, "--seed", seed)
            parts = {split: part(prog, split, run) for split in ("train", "validation", "test")}
            assert [len(parts[x]) for x in parts] == [96, 18, 6]
            assert sorted(sum(parts.values(), [])) == list(range(120))
            assert all(sorted(each) == each for each in parts.values())
            assert {kinds[i] for i in parts["validation"]} == set(kinds)
            assert seen.setdefault("parts", parts) == parts, "by kind of file or by seed"
    # What the class names mean follows from the training samples.
    result = p.run(prog, "eval", "--from", run)
    assert result.returncode == 0, result.stderr


def test_a_class_that_only_the_end_has(folder):
    write_sorted(folder)
    (folder / "f.csv").write_text("id,kind\n" + "1,a\n" * 52 + "2,b\n" * 8)
    text = sorted_program("csv", "end").replace("(1, 3)", "(1, 2)")
    said = compile_(folder, text, expect=1)
    assert "`b` is in no training sample" in said, said
    assert "if the file is sorted, `split = shuffled` cuts the parts from all over it" in said, said
    assert compile_(folder, text.replace("end", "shuffled")) == ""


def test_statistics_of_mixed_parts_are_of_the_training_samples(folder):
    write_sorted(folder)
    text = sorted_program("csv", "shuffled").replace("train t {", """
model Centre() {
  buffer centre: f32[1] = data.fit(flowers, fn(all) { mean(all.number, over = 0) })
  fn forward(x: f32[B]) -> f32[B] { x - centre }
}
train t {
  let middle = Centre()""").replace("net(batch.number[:, 0]", "net(middle(batch.number[:, 0])")
    compile_(folder, text)
    run = folder / "runs/fit"
    p.train(folder / "prog", run)
    ids = part(folder / "prog", "train", run)
    centre, = f32(p.tensors(p.checkpoints(run)[-1])["middle.centre"])
    assert abs(centre - sum(ids) / len(ids)) < 1e-4
    # A cell of a validation sample is none that was fitted on.
    changed = part(folder / "prog", "validation", run)[0]
    lines = (folder / "f.csv").read_text().splitlines()
    lines[changed + 1] = "777," + lines[changed + 1].split(",")[1]
    (folder / "f.csv").write_text("\n".join(lines) + "\n")
    failed = p.run(folder / "prog", "train", "--to", folder / "runs/b")
    assert failed.returncode == 1 and "not those" not in failed.stderr, failed.stderr
    lines[ids[0] + 1] = "777," + lines[ids[0] + 1].split(",")[1]
    (folder / "f.csv").write_text("\n".join(lines) + "\n")
    failed = p.run(folder / "prog", "train", "--to", folder / "runs/b")
    assert "the training samples are not those" in failed.stderr, failed.stderr


def test_what_is_not_finite_is_found(folder):
    write_points(folder / "points.csv")
    compile_(folder, DIVIDED)
    failed = p.run(folder / "prog", "train", "--to", folder / "runs")
    assert failed.returncode == 1, failed.stdout
    assert "prog.dlm:15" in failed.stderr and "the first number that is NaN" in failed.stderr
    assert "for sample " in failed.stderr and "of the training part" in failed.stderr
    compile_(folder, MAPPED)
    failed = p.run(folder / "prog", "train", "--to", folder / "runs/mapped")
    assert failed.returncode == 1, failed.stdout
    assert "`number` of sample 9 of the training part, column \"same\", is infinite" \
        in failed.stderr, failed.stderr

    write_sorted(folder)
    text = sorted_program("csv", "shuffled").replace("batch.label)", "batch.label + 1)")
    text = text.replace("batch = 8", "batch = 96")
    compile_(folder, text)
    failed = p.run(folder / "prog", "train", "--to", folder / "runs/labels")
    assert failed.returncode == 1 and "the first number that is NaN" in failed.stderr
    assert "a label that is of no class" in failed.stderr, failed.stderr


def test_info_shows_what_was_fitted(folder):
    write_points(folder / "points.csv")
    compile_(folder, GUARDED)
    lines = p.run(folder / "prog", "info").stdout.splitlines()
    at = lines.index("computed from the training samples by `data.fit`")
    # Of the samples together it gives numbers that need not be the columns', even if as many.
    assert lines[at + 1].split() == ["standard.most", "0.1", "0.1", "19.5"], lines[at + 1]
    assert lines[at + 2].split() == ["column", "standard.centre", "standard.spread"]
    assert lines[at + 3].split() == ["same", "0.1", "0"], lines[at + 3]
    assert lines[at + 5].split() == ["other", "9.75", "6.0467"], lines[at + 5]
    listed = json.loads(p.run(folder / "prog", "info", "--json").stdout)["fitted"]
    assert [each["path"] for each in listed] == ["standard.centre", "standard.spread",
                                                 "standard.most"]
    assert listed[0]["columns"] == ["same", "seldom", "other"]
    assert "columns" not in listed[2]
    assert listed[2]["values"][2] == 19.5 and listed[2]["count"] == 3


def test_a_file_of_any_size_is_measured(folder):
    write_points(folder / "points.csv", count=20)
    text = GUARDED.replace("drop = [\"id\"])", "drop = [\"id\"], validation = 6)")
    compile_(folder, text)
    p.train(folder / "prog", folder / "runs")
    own = p.run(folder / "prog", "eval", "--json", "--from", folder / "runs")
    moved = p.run(folder / "prog", "eval", "--json", "--from", folder / "runs",
                  "--data", folder / "points.csv")
    own, moved = (json.loads(x.stdout.splitlines()[-1])["final"] for x in (own, moved))
    assert own["validation"] == moved["validation"]
    # The same rows in a file of their own, by other ways of counting: 6, 1 and 13 of them.
    rows = (folder / "points.csv").read_text().splitlines()
    for name, some in (("six", rows[15:]), ("one", rows[20:]), ("many", rows[8:])):
        (folder / f"{name}.csv").write_text("\n".join(rows[:1] + some) + "\n")
        said = p.run(folder / "prog", "eval", "--json", "--from", folder / "runs",
                     "--data", folder / f"{name}.csv")
        assert said.returncode == 0, said.stderr
        assert f"all its samples, {len(some)}, are measured as one" in said.stderr, said.stderr
        final = json.loads(said.stdout.splitlines()[-1])["final"]
        assert "validation" not in final, final
        if name == "six":
            assert abs(final["file"]["loss"] / own["validation"]["loss"] - 1) < 1e-6


def test_columns_of_predictions_are_called_like_classes(folder):
    write_sorted(folder)
    text = sorted_program("jsonl", "shuffled").replace(
        "fn predict(batch) { (id = batch.id) }",
        "fn predict(batch) { (p = softmax(net(batch.id[:, new]), over = -1), "
        "two = batch.id[:, new]) }")
    compile_(folder, text)
    p.train(folder / "prog", folder / "runs")
    (folder / "new.jsonl").write_text("{\"id\": 1.5}\n")
    said = p.run(folder / "prog", "predict", "--data", folder / "new.jsonl", "--from",
                 folder / "runs")
    assert said.stdout.splitlines()[0] == "p.setosa,p.versicolor,p.virginica,two.0", said
    row = [float(cell) for cell in said.stdout.splitlines()[1].split(",")]
    said = p.run(folder / "prog", "predict", "--data", folder / "new.jsonl", "--from",
                 folder / "runs", "--json")
    line = json.loads(said.stdout)
    assert list(line["p"]) == ["setosa", "versicolor", "virginica"], line
    assert list(line["p"].values()) == row[:3] and line["two"] == [1.5], line


if __name__ == "__main__":
    p.main(p.tests_of(p.sys.modules[__name__]))
