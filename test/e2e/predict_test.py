"""`predict`: a row for each row of a file, whatever their number, the same as for the program's own
data; and what is said of files that do not fit."""
import csv
import io
import json
import os
import pty
import struct
import subprocess
import zipfile

import faults_test
import program as p

TABLE = """
use nn, optim, data
let houses = data.csv("houses.csv", %(target)s, validation = 10%%)
train t {
  let net = nn.MLP([houses.columns.numbers, 8, %(outputs)s])
  data = houses
  batch = 50
  fn loss(batch) { %(loss)s }
  fn predict(batch) { %(predict)s }
  optimizer = optim.Adam(lr = 1e-2)
  duration = 30 steps
}
"""

PRICE = dict(target='target = "price"', outputs=1,
             loss="mean((sum(net(batch.number / 100), over = -1) - batch.target) ** 2)",
             predict="(price = sum(net(batch.number / 100), over = -1), seen = batch.number)")
KIND = dict(target='label = "kind"', outputs="houses.classes",
            loss="cross_entropy(net(batch.number / 100), batch.label)",
            predict="let y = net(batch.number / 100); (label = argmax(y, over = -1), y = y, "
                    "sure = max(y, over = -1) > 0)")


def write_houses(folder, columns=("area", "rooms", "price", "kind"), rows=600, name="houses.csv"):
    kinds = ("cheap", "dear", 'odd, "new"')
    lines = [",".join(columns)]
    for i in range(rows):
        row = dict(area=30 + i * 37 % 170, rooms=1 + i * 11 % 8, price=i % 7)
        row["kind"] = '"%s"' % kinds[i % 3].replace('"', '""')
        lines.append(",".join(str(row[column]) for column in columns))
    path = folder / name
    path.write_text("\n".join(lines) + "\n")
    return path


def make(folder, choice, columns=("area", "rooms", "price")):
    write_houses(folder, columns)
    prog = p.compile_source(folder, TABLE % choice)
    p.train(prog, folder / "run")
    return prog


def predict(prog, *flags, expect=0):
    result = p.run(prog, "predict", "--from", prog.parent / "run", *flags)
    assert result.returncode == expect, (result.returncode, result.stdout[-500:], result.stderr)
    return result.stderr if expect else list(csv.reader(io.StringIO(result.stdout)))


def test_gives_a_row_for_each_row(folder):
    """Of any number: one, a prime, exactly and one more than a batch of an evaluation."""
    prog = make(folder, PRICE)
    whole = None
    for count in (1600, 1, 2, 509, 512, 513, 1021):
        # without the column that is to be predicted, the others in another order
        path = write_houses(folder, ("rooms", "area"), count, "new.csv")
        rows = predict(prog, "--data", path)
        assert rows[0] == ["price", "seen.0", "seen.1"], rows[0]
        assert len(rows) == count + 1, (count, len(rows))
        whole = whole or rows
        assert rows == whole[:count + 1], count
        assert rows[1][1:] == ["30", "1"] and rows[-1][1] == str(30 + (count - 1) * 37 % 170)
    (folder / "none.csv").write_text("rooms,area\n")
    none_are_predicted(prog, folder / "none.csv", "price,seen.0,seen.1\n")


def none_are_predicted(prog, path, header):
    """A file without rows gives a result without rows, and a word on it."""
    result = p.run(prog, "predict", "--data", path, "--from", prog.parent / "run")
    assert (result.returncode, result.stdout) == (0, header), result
    assert result.stderr == f"note: `{path}` holds no rows, so there are no predictions\n", result
    out = prog.parent / "none.jsonl"
    result = p.run(prog, "predict", "--data", path, "--from", prog.parent / "run", "--to", out)
    assert result.returncode == 0 and out.read_text() == "", result


def test_a_part_of_the_data_gives_what_its_rows_give(folder):
    prog = make(folder, PRICE)
    rows = predict(prog, "--data", folder / "houses.csv")
    assert predict(prog, "--split", "train") == rows[:541]
    assert predict(prog, "--split", "validation") == rows[:1] + rows[541:]
    for threads in (1, 3):
        assert predict(prog, "--split", "train", "--threads", threads) == rows[:541]
    for flags, words in (((), "`predict` needs --data FILE, whose rows it is for, or --split"),
                         (("--split", "test"), "has no test part"),
                         (("--split", "rest"), "--split takes `train`, `validation` or `test`"),
                         (("--split", "train", "--data", "x"), "give one"),
                         (("--data", "houses=/none.csv"), "/none.csv"),
                         (("--data", "cars=x.csv"), "has no data named `cars`")):
        assert words in predict(prog, *flags, expect=1), (flags, words)


def test_changed_data_is_noticed(folder):
    """As by `train` and `eval`; of the rows of a file nothing was known."""
    prog = make(folder, PRICE)
    path = folder / "houses.csv"
    path.write_text(path.read_text().replace("\n30,", "\n31,", 1))
    said = predict(prog, "--split", "train", expect=1)
    assert "data file `houses.csv` has other content" in said and "--accept-changes" in said, said
    rows = predict(prog, "--split", "train", "--accept-changes")
    assert rows == predict(prog, "--data", path)[:541] and rows[1][1] == "31", rows[:2]
    said = predict(prog, "--data", path, "--accept-changes", expect=1)
    assert "--accept-changes is of --split" in said, said


def test_other_counts_are_told_before_the_first_step(folder):
    """An evaluation would fail on them, when all the steps are done."""
    text = (TABLE % PRICE).replace("  optimizer", "  fn metrics(batch) { (m = mean(batch.target)) }"
                                   "\n  evaluate { every = 10 steps }\n  optimizer")
    path = write_houses(folder, ("area", "rooms", "price"))
    prog = p.compile_source(folder, text)
    same = write_houses(folder, ("area", "rooms", "price"), 600, "same.csv")
    p.train(prog, folder / "same", "--data", same)
    write_houses(folder, ("area", "rooms", "price"), 900, "more.csv")
    for flags, count in ((("--data", folder / "more.csv"), 360), (("--accept-changes",), 20)):
        if count == 20:
            path.write_text("".join(path.read_text().splitlines(True)[:561]))
        result = p.run(prog, "train", "--to", folder / "run", *flags)
        assert result.returncode == 1 and "step " not in result.stdout, result
        for words in ("this run could not be evaluated: data `houses`", f"part holds {count} sampl",
                      "compile the program for this data"):
            assert words in result.stderr, (words, result.stderr)
        assert not p.checkpoints(folder / "run")


def test_classes_have_their_names(folder):
    prog = make(folder, KIND, ("area", "rooms", "kind"))
    path = write_houses(folder, ("area", "rooms"), 40, "new.csv")
    rows = predict(prog, "--data", path)
    names = ["cheap", "dear", 'odd, "new"']
    assert rows[0] == ["label", *(f"y.{name}" for name in names), "sure"], rows[0]
    for row in rows[1:]:
        logits = [float(x) for x in row[1:4]]
        assert row[0] == names[logits.index(max(logits))] and row[4] in ("true", "false"), row
    lines = p.run(prog, "predict", "--json", "--data", path, "--from", folder / "run").stdout
    for row, line in zip(rows[1:], map(json.loads, lines.splitlines()), strict=True):
        assert line["label"] == row[0] and line["sure"] == (row[4] == "true")
        assert line["y"] == dict(zip(names, (float(x) for x in row[1:4]), strict=True))
    info = p.run(prog, "info").stdout
    assert 'kind: cheap, dear, odd, "new"' in info, info
    assert "as each tensor begins at a multiple of 2,048 numbers" in info, info


STANDARD = """
use nn, optim, data
let houses = data.csv("houses.csv", target = "price", validation = 10%)
model Standard(columns: data.Columns) {
  buffer centre: f32[columns.numbers] = data.fit(columns, fn(c) { mean(c.number) })
  buffer spread: f32[columns.numbers] = data.fit(columns, fn(c) { std(c.number) })
  fn forward(number: f32[B, N]) -> f32[B, N] { (number - centre) / spread }
}
train t {
  let standard = Standard(houses.columns)
  let net = nn.Linear(houses.columns.numbers, 1)
  data = houses
  batch = 50
  fn guess(batch) { sum(net(standard(batch.number)), over = -1) }
  fn loss(batch) { mean((guess(batch) - batch.target) ** 2) }
  fn predict(batch) { (price = guess(batch), scaled = standard(batch.number)) }
  optimizer = optim.Adam(lr = 1e-2)
  duration = 30 steps
}
"""


def test_buffers_are_those_of_the_checkpoint(folder):
    """What was fitted to the training samples is not fitted to the file."""
    write_houses(folder, ("area", "rooms", "price"))
    prog = p.compile_source(folder, STANDARD)
    p.train(prog, folder / "run")
    rows = predict(prog, "--split", "train")
    path = write_houses(folder, ("rooms", "area"), 3, "new.csv")
    assert predict(prog, "--data", path) == rows[:4]
    scaled = [float(row[1]) for row in rows[1:]]
    assert abs(sum(scaled)) / len(scaled) < 1e-4, sum(scaled) / len(scaled)


def test_a_fault_of_the_file_is_told_with_its_place(folder):
    prog = make(folder, PRICE)
    new = folder / "new.csv"
    for text, words in (("area,rooms\n1,2\n3,x\n", ("line 3, column \"rooms\"", "`x`")),
                        ("area,rooms\n1,2\n3,\n", ("line 3, column \"rooms\"", "no value")),
                        ("area,doors\n1,2\n", ("has no column \"rooms\"",)),
                        ("area,rooms\n1,2\n3\n", ("line 3",)), ("", (str(new),))):
        new.write_text(text)
        result = p.run(prog, "predict", "--data", new, "--from", folder / "run")
        assert result.returncode == 1 and result.stdout == "", (text, result.stdout)
        for word in words:
            assert word in result.stderr, (text, word, result.stderr)
        out = folder / "out.csv"
        p.run(prog, "predict", "--data", new, "--from", folder / "run", "--to", out)
        assert not list(folder.glob("out*")), list(folder.glob("out*"))


def test_writes_files_whole_or_not_at_all(folder):
    prog = make(folder, dict(PRICE, predict="net(batch.number / 100)"))
    path = write_houses(folder, ("area", "rooms"), 700, "new.csv")
    rows = predict(prog, "--data", path)
    assert rows[0] == ["prediction.0"] and len(rows) == 701
    for end in ("csv", "jsonl", "npy"):
        out = folder / f"out.{end}"
        assert predict(prog, "--data", path, "--to", out) == []
        data = out.read_bytes()
        if end == "csv":
            got = [row[0] for row in csv.reader(io.StringIO(data.decode()))][1:]
        elif end == "jsonl":
            got = [json.loads(line)["prediction"][0] for line in data.decode().splitlines()]
        else:
            assert data[:8] == b"\x93NUMPY\x01\x00"
            size, = struct.unpack("<H", data[8:10])
            assert (10 + size) % 64 == 0
            assert b"'descr': '<f4'" in data[:128] and b"'shape': (700, 1,)" in data[:128]
            got = struct.unpack("<700f", data[10 + size:])
        assert [struct.pack("<f", float(x)) for x in got] == \
            [struct.pack("<f", float(row[0])) for row in rows[1:]], end
    assert "ends in .csv, .jsonl or .npy" in \
        predict(prog, "--data", path, "--to", folder / "out.txt", expect=1)
    assert "none/out.csv" in \
        predict(prog, "--data", path, "--to", folder / "none" / "out.csv", expect=1)
    (folder / "other").mkdir()
    several = make(folder / "other", PRICE)
    assert "is none: name it .jsonl" in \
        predict(several, "--data", path, "--json", "--to", folder / "two.csv", expect=1)
    assert "a .npy file holds one tensor" in \
        predict(several, "--data", path, "--to", folder / "two.npy", expect=1)
    assert not (folder / "two.npy").exists() and not list(folder.glob(".being*"))


def test_a_result_overwrites_no_data_and_no_link(folder):
    prog = make(folder, dict(PRICE, predict="net(batch.number / 100)"))
    new = write_houses(folder, ("area", "rooms"), 30, "new.csv")
    before = new.read_text(), (folder / "houses.csv").read_text()
    (folder / "link.csv").symlink_to(new)
    (folder / "dir.csv").mkdir()
    for flags, words in ((("--data", new, "--to", new), "holds data that this program reads"),
                         (("--data", new, "--to", folder / "link.csv"),
                          "holds data that this program reads"),
                         (("--split", "train", "--to", folder / "houses.csv"),
                          "houses.csv` holds data that this program reads"),
                         (("--data", new, "--to", folder / "houses.csv"),
                          "holds data that this program reads"),
                         (("--data", new, "--to", folder / "dir.csv"), "it is a folder; name"),
                         (("--data", new, "--to", folder / "x.csv", "--json"), "name it .jsonl"),
                         (("--data", folder / "dir.csv"), "is a folder, and predictions are for")):
        assert words in predict(prog, *flags, expect=1), (flags, words)
    assert before == (new.read_text(), (folder / "houses.csv").read_text())
    (folder / "self.csv").symlink_to("self.csv")
    os.mkfifo(folder / "pipe.csv")
    for name, words in (("self", "Too many levels"), ("pipe", "it is a pipe that nobody reads")):
        assert words in predict(prog, "--data", new, "--to", folder / f"{name}.csv", expect=1)
    assert (folder / "self.csv").is_symlink()
    assert "is not a regular file" in predict(prog, "--data", folder / "pipe.csv", expect=1)
    (folder / "far").mkdir()
    (folder / "out.csv").symlink_to("far/real.csv")
    assert predict(prog, "--data", new, "--to", folder / "out.csv") == []
    assert (folder / "out.csv").is_symlink()
    lines = (folder / "far" / "real.csv").read_text().splitlines()
    assert len(lines) == 31 and sorted(x.name for x in (folder / "far").iterdir()) == ["real.csv"]
    disk = faults_test.with_small_disk(folder, 1)
    if disk is None:
        print("no right to mount a small disk here: the case is not tested")
        return
    try:
        (disk / "out.csv").write_text("old")
        many = write_houses(folder, ("area", "rooms"), 200000, "many.csv")
        said = predict(prog, "--data", many, "--to", disk / "out.csv", expect=1)
        assert said == f"error: cannot write `{disk}/out.csv`: No space left on device\n", said
        assert [x.name for x in disk.iterdir()] == ["out.csv"]
        assert (disk / "out.csv").read_text() == "old"
    finally:
        p.run("umount", disk)


def test_lost_predictions_are_an_error(folder):
    """A stream that is closed or full; a reader that has seen enough is none."""
    prog = make(folder, PRICE)
    many = write_houses(folder, ("area", "rooms"), 200000, "many.csv")
    calls = [f"predict --data {many} --from {folder}/run", "info", "--help", "predict --help",
             "--version", f"info --from {folder}/run", f"eval --from {folder}/run"]
    for call in calls:
        for to in (">&-", ">/dev/full"):
            result = p.run("bash", "-c", f"{prog} {call} {to}")
            assert result.returncode == 1, (call, to, result)
            assert result.stderr.startswith("error: ") and result.stderr.count("\n") == 1, result
            assert "standard output" in result.stderr, result
        result = p.run("bash", "-c", f"{prog} {call} | head -1; exit ${{PIPESTATUS[0]}}")
        assert result.returncode == 0 and result.stderr == "", (call, result)
        assert result.stdout.count("\n") == 1, (call, result)


ODD = dict(PRICE, predict="(y = sum(batch.number, over = -1), odd = log(batch.number - 31))")


def test_values_that_are_no_numbers_are_told(folder):
    prog = make(folder, ODD)
    new = folder / "new.csv"
    new.write_text("area,rooms\n40,50\n50,31\n60,70\n20,80\n")
    for flags, words in (((), ",nan,"), (("--json",), "[null,")):
        result = p.run(prog, "predict", "--data", new, "--from", folder / "run", *flags)
        assert result.returncode == 0 and words in result.stdout, result
        assert "warning: 2 of 4 rows hold a value that is infinite or nan" in result.stderr, result
        assert "; the first is row 2, where `odd.1` is -inf\n" in result.stderr, result
        assert ("null" in result.stderr) == ("--json" in flags), result.stderr
        assert ("-inf" in result.stdout) == ("--json" not in flags), result.stdout


def test_commands_take_the_options_that_they_read(folder):
    text = (TABLE % dict(PRICE, predict="(price = height + sum(net(batch.number), over = -1))"))
    text = text.replace("optim.Adam(lr = 1e-2)", "optim.Adam(lr = lr)")
    text = text.replace("let houses", "option lr = 1e-2 /// rate\noption height = 0.5\n"
                        "let houses", 1)
    write_houses(folder, ("area", "rooms", "price"))
    prog = p.compile_source(folder, text)
    p.train(prog, folder / "run", "--height", 3, "--lr", 0.1)
    rows = predict(prog, "--split", "validation")
    assert rows == predict(prog, "--split", "validation", "--height", 3)
    assert rows != predict(prog, "--split", "validation", "--height", 4)
    said = predict(prog, "--split", "validation", "--lr", 1, expect=1)
    assert "nothing that `predict` computes depends on --lr, so it does not take it; `train`, " \
        "`bench` and `info` do" in said, said
    for command, listed in (("train", {"lr", "height"}), ("predict", {"height"}), ("eval", set()),
                            ("bench", {"lr"}), ("info", {"lr", "height"})):
        said = p.run(prog, command, "--help").stdout
        assert {x for x in ("lr", "height") if f"--{x} NUMBER" in said} == listed, (command, said)
    info = json.loads(p.run(prog, "info", "--json").stdout)["options"]
    assert info["height"]["commands"] == ["info", "predict", "train"], info
    said = p.run(prog, "--help").stdout
    assert "--lr NUMBER             train, bench, info: rate" in said, said


def test_a_program_that_predicts_nothing_says_how(folder):
    prog = p.compile_source(folder, p.source(data=p.small_data(folder)))
    result = p.run(prog, "predict", "--split", "test")
    assert result.returncode == 1 and "`fn predict(batch) { (name = ...) }`" in result.stderr
    assert "predict" not in p.run(prog, "--help").stdout.split("Flags:")[0]


IMAGES = p.SOURCE.replace("  optimizer =", """
  fn predict(batch) {
    let y = net(batch.image)
    (label = argmax(y, over = -1), y = y)
  }
  optimizer =""")


def test_images_and_arrays(folder):
    data = p.small_data(folder)
    text = IMAGES % dict(batch=50, micro="auto", duration="30 steps", every="50 steps", data=data)
    prog = p.compile_source(folder, text)
    p.train(prog, folder / "run")
    rows = predict(prog, "--data", data / "t10k-images-idx3-ubyte.gz")
    assert len(rows) == 101 and rows[0][:2] == ["label", "y.0"], rows[0]
    assert predict(prog, "--split", "test") == rows
    said = predict(prog, "--data", data / "t10k-labels-idx1-ubyte.gz", expect=1)
    assert "the program was compiled for u8[28, 28]" in said, said
    none = folder / "none.idx"
    none.write_bytes(struct.pack(">IIII", 0x803, 0, 28, 28))
    none_are_predicted(prog, none, ",".join(rows[0]) + "\n")
    (folder / "x.npy").write_bytes(npy("<f4", (70, 2), struct.pack("<140f", *range(140))))
    (folder / "y.npy").write_bytes(npy("<f4", (70,), struct.pack("<70f", *range(70))))
    arrays = folder / "arrays"
    arrays.mkdir()
    for name in ("x", "y"):
        (folder / f"{name}.npy").rename(arrays / f"{name}.npy")
    (folder / "run").rename(folder / "old")
    prog = p.compile_source(folder, """
use nn, optim, data
train t {
  let net = nn.Linear(2, 1)
  let source = data.npy("arrays", validation = 10)
  data = source
  batch = 10
  fn guess(batch) { sum(net(batch.x / 100), over = -1) }
  fn loss(batch) { mean((guess(batch) - batch.y / 100) ** 2) }
  fn predict(batch) { (y = guess(batch)) }
  optimizer = optim.SGD(lr = 1e-3)
  duration = 10 steps
}""")
    p.train(prog, folder / "run")
    rows = predict(prog, "--data", arrays / "x.npy")  # the only array, whatever it is called
    assert len(rows) == 71 and rows[61:] == predict(prog, "--split", "validation")[1:]
    said = predict(prog, "--data", arrays / "y.npy", expect=1)
    assert "the program was compiled for f32[2]" in said, said
    said = predict(prog, "--data", arrays, "--to", arrays / "y.npy", expect=1)
    assert "holds data that this program reads" in said, said
    archives(prog, arrays, rows)


def archives(prog, arrays, rows):
    """What is not read may be anything; what is read has to have its name."""
    new = prog.parent / "new.npz"
    x, y = ((arrays / f"{name}.npy").read_bytes() for name in "xy")
    odd = {"s.npy": npy("<U3", (5,), b"\0" * 60), "n.npy": npy("<f4", (), b"\0" * 4),
           "about.txt": b"text"}
    for form in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        def write(**members):
            with zipfile.ZipFile(new, "w", form) as archive:
                for name, content in members.items():
                    archive.writestr(name, content)
        write(**{"x.npy": x}, **odd)
        assert predict(prog, "--data", new) == rows, form
        write(**{"z.npy": x})
        said = predict(prog, "--data", new, expect=1)
        assert f"`{new}` has no array `x`; it has `z`" in said, said
        write(**{"y.npy": y}, **odd)
        assert "it has `y`, `s` and `n`" in predict(prog, "--data", new, expect=1)
        write(**{"x.npy": npy("<f8", (0, 2), b"")})
        none_are_predicted(prog, new, "y\n")
    large = prog.parent / "large.npy"
    large.write_bytes(npy("<f8", (1, 2), struct.pack("<2d", 1, -1e300)))
    said = predict(prog, "--data", large, expect=1)
    assert "sample 0, element 1, is -1e+300, beyond the range of f32" in said, said


def test_a_device_gives_the_same(folder):
    prog = make(folder, PRICE)
    path = write_houses(folder, ("area", "rooms"), 600, "new.csv")
    other = p.compile_source(folder, TABLE % PRICE, name="other",
                             flags=("--target=cuda", "--emulate"))
    flags = ("--data", path)  # and the same run
    assert predict(other, *flags) == predict(prog, *flags)


def npy(kind, shape, content):
    text = "{'descr': '%s', 'fortran_order': False, 'shape': %s, }" % (kind, shape)
    text += " " * (63 - (10 + len(text)) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode() + content


def test_json_lines_may_lack_what_is_not_read(folder):
    lines = [dict(x=[i % 5, i % 3], name="ab"[i % 2], y=i % 2 + 0.5) for i in range(200)]
    (folder / "rows.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    prog = p.compile_source(folder, """
use nn, optim, data
let rows = data.jsonl("rows.jsonl", validation = 10%)
train t {
  let net = nn.Linear(2, 2)
  data = rows
  batch = 10
  fn logits(batch) { net(cast(batch.x, f32)) }
  fn loss(batch) { cross_entropy(logits(batch), batch.name) + 0 * mean(batch.y) }
  fn predict(batch) { (name = argmax(logits(batch), over = -1)) }
  optimizer = optim.SGD(lr = 0.1)
  duration = 10 steps
}""")
    p.train(prog, folder / "run")
    new = folder / "new.jsonl"
    new.write_text('{"id": 7, "x": [1, 2]}\n{"x": [3, 0], "note": "odd"}\n')
    rows = predict(prog, "--data", new)
    assert rows[0] == ["name"] and len(rows) == 3 and {row[0] for row in rows[1:]} <= {"a", "b"}
    new.write_text('{"x": [1, 2], "name": null, "y": {"a": ["b", {}]}}\n'
                   '{"y": [], "x": [3, 0], "name": 3}\n')
    assert predict(prog, "--data", new) == rows
    new.write_text('{"x": [1, 2]}\n{"y": 3}\n')
    assert "line 2" in predict(prog, "--data", new, expect=1)
    new.write_text("")
    none_are_predicted(prog, new, "name\n")


def test_progress_is_shown_on_a_terminal_only(folder):
    prog = make(folder, PRICE)
    path = write_houses(folder, ("area", "rooms"), 200000, "new.csv")
    ours, theirs = pty.openpty()
    with open(folder / "out.csv", "w") as out:
        process = subprocess.Popen([prog, "predict", "--data", path, "--from", folder / "run"],
                                   stdout=out, stderr=theirs)
        os.close(theirs)
        said = b""
        while True:
            try:
                part = os.read(ours, 4096)
            except OSError:
                break
            if not part:
                break
            said += part
        assert process.wait() == 0
    assert said.endswith(b"\r\x1b[K") and b" of 200,000" in said, said[-200:]
    with open(folder / "out.csv") as out:
        assert sum(1 for _ in out) == 200001
    result = p.run(prog, "predict", "--data", path, "--from", folder / "run")
    assert result.stderr == "" and result.stdout.count("\n") == 200001


if __name__ == "__main__":
    p.main(p.tests_of(p.sys.modules[__name__]))
