"""Ids of the data that are of no row and of no class are named, and never become a loss that is no
number."""
import io
import shutil
import struct
import zipfile

import program as p

SOURCE = """
use nn, optim, data
let d = data.npy("%(path)s", validation = 2)
train ids {
  let table = nn.Embedding(10, 4)
  let net = nn.Linear(4, 3)
  data  = d
  batch = 2
  fn logits(batch) { net(mean(%(rows)s, over = 1)) }
  fn loss(batch) { cross_entropy(logits(batch), batch.kind, %(loss)s) }
  fn predict(batch) { (score = logits(batch)) }
  optimizer = optim.SGD(lr = 0.1)
  duration  = 4 epochs
}
"""
ROWS = {"rows": "table(batch.ids)", "loss": "ignore = -1"}


def npy(shape, values):
    header = f"{{'descr': '<i4', 'fortran_order': False, 'shape': {shape}, }}\n".encode()
    return (b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header +
            struct.pack(f"<{len(values)}i", *values))


def npz(path, ids, kinds):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("ids.npy", npy((len(kinds), 3), [i for row in ids for i in row]))
        archive.writestr("kind.npy", npy((len(kinds),), kinds))
    path.write_bytes(file.getvalue())


def outcome(folder, ids, kinds, **how):
    """What a run says of these samples: nothing if it goes well."""
    npz(folder / "ids.npz", ids, kinds)
    program = p.compile_source(folder, SOURCE % dict(ROWS, path=folder / "ids.npz", **how))
    shutil.rmtree(folder / "run", ignore_errors=True)
    result = p.run(program, "train", "--to", folder / "run")
    assert (result.returncode == 0) == (result.stderr.find("error: ") < 0), result.stderr
    assert result.returncode == 0 or not (folder / "run").exists(), "found after a step"
    assert "nan" not in result.stdout + result.stderr, result.stdout
    return result.stderr


def with_id(sample, place, value):
    ids = [[i, i + 1, i + 2] for i in range(6)]
    ids[sample][place] = value
    return ids


def test_p16_an_id_of_no_row_is_named(folder):
    kinds = [0, 1, 2, 0, 1, -1]
    assert outcome(folder, with_id(0, 0, 9), kinds) == ""
    text = outcome(folder, with_id(3, 1, 10), kinds)
    assert "ids.npz`: sample 3: element 1 of `ids` is 10, and the table of 10 rows" in text, text
    assert "prog.dlm:9 takes ids from 0 to 9" in text, text
    text = outcome(folder, with_id(5, 2, -1), kinds)
    assert "sample 5 (1 of validation): element 2 of `ids` is -1" in text, text


def test_a_target_of_no_class_is_named(folder):
    good = with_id(0, 0, 0)
    text = outcome(folder, good, [0, 1, 3, 0, 1, 2])
    assert "sample 2: `kind` is 3, and the loss of 3 classes at " in text, text
    text = outcome(folder, good, [0, 1, -1, 0, 1, 2], loss="smoothing = 0.1")
    assert "sample 2: `kind` is -1" in text, text


def test_what_a_mask_leaves_out_may_be_anything(folder):
    rows = "where(batch.ids[:, :, new] >= 0, table(batch.ids), 0)"
    assert outcome(folder, with_id(1, 1, -7), [0] * 6, rows=rows) == ""
    kinds = [0, 1, -7, 0, 1, 2]
    assert outcome(folder, with_id(0, 0, 0), kinds, loss="where = batch.kind >= 0") == ""


def test_rows_that_are_predicted_for_are_looked_at(folder):
    npz(folder / "ids.npz", with_id(0, 0, 0), [0, 1, 2, 0, 1, 2])
    program = p.compile_source(folder, SOURCE % dict(ROWS, path=folder / "ids.npz"))
    p.train(program, folder / "run")
    npz(folder / "new.npz", with_id(4, 0, 77), [0] * 6)
    result = p.run(program, "predict", "--data", folder / "new.npz", "--from", folder / "run")
    assert result.returncode == 1 and result.stdout == "", result.stdout
    assert "new.npz`: sample 4: element 0 of `ids` is 77" in result.stderr, result.stderr


def test_a_sample_is_named_by_its_place_in_its_file(folder):
    npz(folder / "ids.npz", with_id(0, 0, 0), [0, 1, 2, 0, 1, 2])
    npz(folder / "own.npz", with_id(0, 0, 0)[:5], [0] * 5)
    text = (SOURCE % dict(ROWS, path=folder / "ids.npz")).replace(
        "validation = 2", f'validation = 2, test = "{folder / "own.npz"}"')
    program = p.compile_source(folder, text)
    p.train(program, folder / "run")
    # A file of another size is one part, and no part of the program's data.
    npz(folder / "new.npz", with_id(3, 0, 77)[:5], [0] * 5)
    result = p.run(program, "eval", "--data", folder / "new.npz", "--from", folder / "run")
    assert result.returncode == 1, result.stdout
    assert "new.npz`: sample 3: element 0 of `ids` is 77" in result.stderr, result.stderr
    # A part with a file of its own is not behind the others.
    npz(folder / "own.npz", with_id(4, 0, 77)[:5], [0] * 5)
    result = p.run(program, "predict", "--split", "test", "--accept-changes",
                   "--from", folder / "run")
    assert result.returncode == 1 and result.stdout == "", result.stdout
    assert "own.npz`: sample 4: element 0 of `ids` is 77" in result.stderr, result.stderr


def test_a_file_of_more_than_fits_is_refused_before_it_is_read(folder):
    npz(folder / "ids.npz", with_id(0, 0, 0), [0, 1, 2, 0, 1, 2])
    program = p.compile_source(folder, SOURCE % dict(ROWS, path=folder / "ids.npz"))
    p.train(program, folder / "run")
    count = 1 << 36 # the files take no room: nothing is written in them but their beginning
    (folder / "large").mkdir()
    for name, shape, width in (("ids", (count, 3), 12), ("kind", (count,), 4)):
        path = folder / "large" / f"{name}.npy"
        path.write_bytes(npy(shape, []))
        with open(path, "r+b") as file:
            file.truncate(path.stat().st_size + count * width)
    result = p.run(program, "eval", "--data", folder / "large", "--from", folder / "run",
                   timeout=20)
    assert result.returncode == 1, result.stdout
    assert "1.0 TiB of it for the samples of `d`" in result.stderr, result.stderr


def test_a_category_of_more_values_than_a_table_has_rows(folder):
    (folder / "t.csv").write_text("a,b,y\n" + "".join(f"{c},{d},1\n" for c, d in
                                                    zip("xyzx", "pqpq")))
    text = f"""
use nn, optim, data
let d = data.csv("{folder / 't.csv'}", target = "y")
train small {{
  let first = nn.Embedding(%s, 2)
  let second = nn.Embedding(2, 2)
  data  = d
  batch = 2
  fn loss(batch) {{
    let both = first(batch.category[:, 0]) + second(batch.category[:, 1])
    mean((sum(both, over = -1) - batch.target) ** 2)
  }}
  optimizer = optim.SGD(lr = 0.1)
  duration  = 2 steps
}}
"""
    assert p.run(p.compile_source(folder, text % 3, "three"), "train", "--to",
                 folder / "r3").returncode == 0
    (folder / "two.dlm").write_text(text % 2)
    result = p.run(p.BIN / "dlmc", folder / "two.dlm", "-o", folder / "two")
    assert result.returncode == 1, result.stderr
    assert "2 rows, and the ids of the column \"a\" go up to 2" in result.stderr, result.stderr


if __name__ == "__main__":
    p.main(p.tests_of(p.sys.modules[__name__]))
