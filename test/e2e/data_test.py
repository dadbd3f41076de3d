"""Sources of data: the same samples in other files train the same bits; what is wrong is named."""
import gzip
import io
import json
import os
import struct
import zipfile
import zlib

import program as p


ROWS = """
use nn, optim, data
let d = data.%%(call)s("%%(path)s"%s)
train small {
  let net = nn.Linear(1, 2)
  data  = d
  batch = 2
  fn loss(batch) { cross_entropy(net(%s), batch.label) }
  optimizer = optim.SGD(lr = 0.1)
  duration  = 2 steps
}
"""
VALUES = {"csv": ROWS % (', label = "label"', "batch.number"),
          "jsonl": ROWS % ("", "reshape(cast(batch.x, f32), [batch.size, 1])"),
          "text": """
use nn, optim, data
let d = data.%(call)s("%(path)s", data.chars(), window = 4)
train small {
  let net = nn.Linear(d.vocab, d.vocab)
  data  = d
  batch = 2
  fn loss(batch) { mse(net(mean(cast(one_hot(batch.ids, d.vocab), f32), over = 1)), 1.0) }
  optimizer = optim.SGD(lr = 0.1)
  duration  = 2 steps
}
"""}


def arrays(data):
    """Images and labels of the training files of a folder of IDX files."""
    images = gzip.decompress((data / "train-images-idx3-ubyte.gz").read_bytes())[16:]
    labels = gzip.decompress((data / "train-labels-idx1-ubyte.gz").read_bytes())[8:]
    return images, labels


def npy(kind, shape, content):
    header = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}\n".encode()
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + content


def npz(images, labels):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("label.npy", npy("<i8", (len(labels),),
                                          struct.pack(f"<{len(labels)}q", *labels)))
        archive.writestr("image.npy", npy("|u1", (len(labels), 28, 28), images))
    return file.getvalue()


def png(grey):
    """A picture of 28 x 28 grey pixels."""
    rows = b"".join(b"\0" + grey[28 * y:28 * y + 28] for y in range(28))

    def chunk(name, content):
        return (struct.pack(">I", len(content)) + name + content +
                struct.pack(">I", zlib.crc32(name + content)))
    header = struct.pack(">IIBBBBB", 28, 28, 8, 0, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) +
            chunk(b"IEND", b""))


def losses(lines):
    return [line["loss"] for line in lines if "loss" in line]


def test_a_changed_value_is_noticed(folder):
    """Counts, types and categories are the same, and what was compiled of the file is not."""
    files = {"csv": ("x,label\n1,a\n2,b\n3,a\n", "2,b", "9,b"),
             "jsonl": ('{"x": 1, "label": 0}\n{"x": 2, "label": 1}\n', '"x": 2', '"x": 9'),
             "text": ("abcabcabcabcabcabc", "cab", "bca")}
    for kind, (content, old, new) in files.items():
        data = folder / f"train.{kind}"
        data.write_text(content)
        text = VALUES[kind] % dict(path=data, call=kind)
        prog = p.compile_source(folder, text, kind)
        p.train(prog, folder / f"{kind}-a", "--steps", 2)
        data.write_text(content.replace(old, new, 1))
        result = p.run(prog, "train", "--to", folder / f"{kind}-b", "--steps", 2)
        assert result.returncode == 1, (kind, result.stderr)
        assert f"data file `train.{kind}` has other content" in result.stderr, result.stderr
        assert "Compile the program anew. --accept-changes" in result.stderr
        result = p.run(prog, "eval", "--from", folder / f"{kind}-a")
        assert "has other content" in result.stderr or "no evaluation" in result.stderr
        p.train(prog, folder / f"{kind}-b", "--steps", 2, "--accept-changes")
        data.write_text(content)
        p.train(prog, folder / f"{kind}-c", "--steps", 2)
        moved = folder / f"moved.{kind}"
        data.rename(moved)
        result = p.run(prog, "train", "--data", f"d={moved}", "--to", folder / f"{kind}-d",
                       "--steps", 2)
        assert result.returncode == 0 and "note" not in result.stderr, result.stderr
        moved.write_text(content.replace(old, new, 1))
        result = p.run(prog, "train", "--data", f"d={moved}", "--to", folder / f"{kind}-e",
                       "--steps", 2)
        assert result.returncode == 0, result.stderr
        assert f"`moved.{kind}` is none of those that it was compiled for" in (
            result.stdout + result.stderr), result.stdout


def test_arrays_train_like_idx(folder):
    data = p.small_data(folder)
    images, labels = arrays(data)
    (folder / "train.npz").write_bytes(npz(images, labels))
    text = p.source(data=data)
    same = text.replace(f'data.idx("{data}", ', 'data.npy("train.npz", ')
    assert same != text
    ours = p.train(p.compile_source(folder, same, "npy"), folder / "a")
    theirs = p.train(p.compile_source(folder, text, "idx"), folder / "b")
    assert losses(ours) == losses(theirs) and len(losses(ours)) > 10


def test_arrays_are_compared_when_a_run_begins(folder):
    images, labels = arrays(p.small_data(folder))
    path = folder / "train.npz"
    path.write_bytes(npz(images, labels))
    text = p.source().replace(f'data.idx("{p.FASHION}", ', 'data.npy("train.npz", ')
    prog = p.compile_source(folder, text)
    path.write_bytes(npz(images, labels[:7] + b"\x0b" + labels[8:]))
    failed = p.run(prog, "train", "--to", folder / "a")
    assert failed.returncode == 1, failed.stderr
    assert "sample 7 is 11" in failed.stderr and "train.npz" in failed.stderr, failed.stderr
    path.write_bytes(npz(images[:784 * 900], labels[:900]))
    failed = p.run(prog, "train", "--to", folder / "a")
    assert failed.returncode == 1 and "holds 900 samples" in failed.stderr, failed.stderr


LINES = """
use nn, optim, data
let flowers = data.jsonl("flowers.jsonl", validation = 20%)
train lines {
  let net = nn.Linear(2, flowers.classes)
  data = flowers
  batch = 10
  fn loss(batch) { cross_entropy(net(batch.size_mm), batch.label) }
  optimizer = optim.SGD(lr = 0.1)
  duration = 30 epochs
  seed = 1
}
"""


def test_lines_train(folder):
    names = ["iris", "lily", "poppy"]
    records = [{"label": names[i % 3], "size_mm": [i % 3 + i % 7 / 10, 1.5 * (i % 3)]}
               for i in range(200)]
    path = folder / "flowers.jsonl"
    path.write_text("\n".join(json.dumps(record) for record in records))
    prog = p.compile_source(folder, LINES)
    values = losses(p.train(prog, folder / "a"))
    assert values[-1] < 0.6 * values[0], values
    # What the program leaves out may hold anything, and changes nothing.
    noted = [record | {"note": [{"by": None}, "me", i][i % 3]} for i, record in enumerate(records)]
    path.write_text("\n".join(json.dumps(record) for record in noted))
    prog = p.compile_source(folder, LINES.replace("20%)", "20%, drop = [\"note\"])"))
    assert losses(p.train(prog, folder / "dropped")) == values
    path.write_text("\n".join(json.dumps(record) for record in records))
    prog = p.compile_source(folder, LINES)
    records[50]["label"] = "rose"
    path.write_text("\n".join(json.dumps(record) for record in records))
    failed = p.run(prog, "train", "--to", folder / "b")
    assert failed.returncode == 1 and "line 51: `label` is \"rose\"" in failed.stderr, failed.stderr


def photos(folder):
    """A folder of photos, and a program that trains on it and may skip two broken ones."""
    images, labels = arrays(p.small_data(folder, train_count=300))
    for i, label in enumerate(labels):
        (folder / f"photos/{label}").mkdir(parents=True, exist_ok=True)
        (folder / f"photos/{label}/{i:03}.png").write_bytes(png(images[784 * i:784 * i + 784]))
    text = p.source(batch=20, duration="2 epochs")
    text = text.replace(f'data.idx("{p.FASHION}", validation = 5%)',
                        'data.images("photos", validation = 5%, broken = data.skip(limit = 2))')
    return text.replace("u8[B, H, W]", "u8[B, H, W, 3]").replace("(28 * 28,", "(28 * 28 * 3,")


def break_photo(folder, number):
    path, = folder.glob(f"photos/*/{number:03}.png")
    content = bytearray(path.read_bytes())
    content[-20] ^= 1
    path.write_bytes(content)
    return path.name


def test_broken_photos_are_skipped_the_same_way(folder):
    prog = p.compile_source(folder, photos(folder))
    whole = losses(p.train(prog, folder / "whole"))
    assert whole[-1] < whole[0], whole
    names = [break_photo(folder, 17), break_photo(folder, 170)]
    runs = []
    for threads in ("1", "4"):
        result = p.run(prog, "train", "--json", "--to", folder / threads, "--loader-threads",
                       threads)
        assert result.returncode == 0, result.stderr
        for name in names:
            assert result.stderr.count(name) + result.stdout.count(name) == 1, result.stderr
        runs.append(losses([json.loads(line) for line in result.stdout.splitlines()
                            if line.startswith("{")]))
    assert runs[0] == runs[1] and runs[0] != whole
    break_photo(folder, 200)
    failed = p.run(prog, "train", "--to", folder / "c")
    assert failed.returncode == 1 and "more than 2 samples" in failed.stderr, failed.stderr


def test_a_broken_photo_leaves_no_part_of_a_result(folder):
    """Photos are read while others are predicted for."""
    text = photos(folder).replace("  optimizer", "  fn predict(batch) "
                                  "{ (label = argmax(net(batch.image), over = -1)) }\n  optimizer")
    prog = p.compile_source(folder, text)
    p.train(prog, folder / "run", "--steps", 2)
    (folder / "new").mkdir()
    content = next(folder.glob("photos/*/017.png")).read_bytes()
    for i in range(1100):
        (folder / f"new/{i:04}.png").write_bytes(content)
    command = [prog, "predict", "--data", folder / "new", "--from", folder / "run"]
    result = p.run(*command)
    assert result.returncode == 0 and result.stdout.count("\n") == 1101, result.stderr
    (folder / "new/1090.png").write_bytes(content[:-20])
    result = p.run(*command)
    assert (result.returncode, result.stdout) == (1, ""), result.stdout[-200:]
    assert "1090.png" in result.stderr, result.stderr


def test_other_photos_are_noticed(folder):
    prog = p.compile_source(folder, photos(folder))
    path, = folder.glob("photos/*/017.png")
    os.rename(path, path.with_name("018x.png"))
    failed = p.run(prog, "train", "--to", folder / "a")
    assert failed.returncode == 1 and "holds other images" in failed.stderr, failed.stderr


if __name__ == "__main__":
    p.main(p.tests_of(p.sys.modules[__name__]))
