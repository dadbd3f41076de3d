"""Texts and token files: `dlmc pack`, and programs that train on windows of tokens."""
import gzip
import json
import os
import re

import program as p

PROGRAM = """
use nn, optim, data
let d = %s
train t {
  let net = nn.Linear(d.vocab, d.vocab)
  data = d
  batch = 4
  fn loss(batch) {
    let x = mean(cast(one_hot(batch.ids, d.vocab), f32), over = 1)
    mse(net(x), mean(cast(one_hot(batch.next, d.vocab), f32), over = 1))
  }
  optimizer = optim.Adam(lr = 1e-2)
  duration = 20 epochs
}
"""
TEXT = "".join(f"{i} green bottles hanging on the wall.\n" for i in range(99, 9, -1))


def pack(*words):
    return p.run(p.BIN / "dlmc", "pack", *words)


def trained(folder, source, name):
    """The losses of training on a source: the first and the last one."""
    program = p.compile_source(folder, PROGRAM % source, name)
    result = p.run(program, "train", "--json", "--to", folder / f"runs-{name}")
    assert result.returncode == 0, result.stderr
    losses = [float(x) for x in re.findall(r'"loss":\s*([-+.\de]+)', result.stdout)]
    assert losses[-1] < losses[0] / 2, losses
    return losses


def test_texts_and_their_tokens_train_alike(folder):
    (folder / "a.txt").write_text(TEXT)
    for kind in ("chars", "words"):
        result = pack(folder / "a.txt", "--tokenizer", kind, "-o", folder / kind)
        assert result.returncode == 0, result.stderr
        assert re.match(r".*: \d+ tokens, vocabulary of \d+\n$", result.stdout), result.stdout
        text = trained(folder, f'data.text("a.txt", tokenizer = data.{kind}(), window = 8)',
                       f"text-{kind}")
        tokens = trained(folder, f'data.tokens("{kind}", window = 8)', f"tokens-{kind}")
        assert text == tokens


def test_a_pack_takes_the_tokenizer_of_another(folder):
    (folder / "a.txt").write_text(TEXT)
    (folder / "b.txt").write_text("green walls\n")
    (folder / "c.txt").write_text("green zebras\n")
    (folder / "d.txt.gz").write_bytes(gzip.compress(b"green\n\nbottles"))
    assert pack(folder / "a.txt", "--tokenizer=chars", "-o", folder / "a").returncode == 0
    assert pack(folder / "b.txt", "--tokenizer", folder / "a", "-o", folder / "b").returncode == 0
    result = pack(folder / "c.txt", "--tokenizer", folder / "a", "-o", folder / "c")
    assert result.returncode == 1 and "c.txt`: byte 6: the character `z`" in result.stderr, result
    assert not (folder / "c").exists() and not (folder / "c.partial").exists()
    result = pack(folder / "*.txt.gz", folder / "b.txt", "--tokenizer", folder / "a", "--end", "\n",
                  "-o", folder / "d")
    assert result.stdout.endswith(": 27 tokens, vocabulary of %d, 4 documents\n"
                                  % len(set(TEXT))), result
    trained(folder, 'data.tokens("a", window = 8, validation = "b")', "valid")


def test_byte_level_bpe_is_packed(folder):
    model = {"added_tokens": [{"id": 3, "content": "<end>"}],
             "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": False},
             "model": {"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": ["a b"]}}
    (folder / "t.json").write_text(json.dumps(model))
    (folder / "a.txt").write_text("abba<end>abab")
    result = pack(folder / "a.txt", "--tokenizer", folder / "t.json", "--end", "<end>", "-o",
                  folder / "a")
    assert result.stdout.endswith(": 7 tokens, vocabulary of 4, 2 documents\n"), result
    ids = (folder / "a").read_bytes()[-14:]
    assert ids == bytes([2, 0, 1, 0, 0, 0, 3, 0, 2, 0, 2, 0, 3, 0]), ids


def test_python_writes_token_files_as_the_documentation_says(folder):
    page = (p.ROOT / "runtime/data/README.md").read_text()
    names = {}
    exec(re.search(r"```python\n(.*?)```", page, re.S).group(1), names)
    for vocab in (40, 70000):
        names["write_tokens"](folder / "a", [i % 39 for i in range(99)] + [39], vocab, end=39)
        source = PROGRAM % 'data.tokens("a", window = 9, pack = documents)'
        (folder / "prog.dlm").write_text(f'{source}\ntest "t" {{ expect d.vocab == {vocab} }}\n')
        result = p.run(p.BIN / "dlmc", "test", folder / "prog.dlm")
        assert result.returncode == 0, result
    names["write_tokens"](folder / "a", [i % 39 for i in range(99)] + [39], 40, end=39)
    trained(folder, 'data.tokens("a", window = 9, pack = documents)', "packed")


def test_what_pack_lacks_is_said(folder):
    (folder / "a.txt").write_text(TEXT)
    (folder / "t.json").write_text("{}")
    (folder / "empty").write_text("")
    os.mkfifo(folder / "pipe")
    text, out = folder / "a.txt", folder / "out"
    for words, said in (
            ((), "no file was given"),
            ((text,), "--tokenizer says how text becomes numbers"),
            ((text, "--tokenizer=chars"), "-o names the token file to write"),
            ((text, "--tokenizer=chars", "-o", text), "is one of the texts"),
            ((folder / "none", "--tokenizer=chars", "-o", out), "there is no file"),
            ((folder / "empty", "--tokenizer=chars", "-o", out),
             f"no token comes of the text `{folder}/empty`"),
            ((folder / "empty", "--tokenizer=words", "-o", out), "there is nothing to pack"),
            ((text, "--tokenizer", folder / "pipe", "-o", out), "is not a regular file"),
            ((text, "--tokenizer=none", "-o", out), "cannot open data file `none`"),
            ((text, "--tokenizer", text, "-o", out), "is no JSON"),
            ((text, "--tokenizer", folder / "t.json", "-o", out), "has no `pre_tokenizer`"),
            ((text, "--tokenizer=chars", "--end=<end>", "-o", out), "--end <end>: the tokenizer"),
            ((text, "--tokenizer=chars", "-o", folder / "no" / "out"), "no/out")):
        result = pack(*words)
        assert result.returncode == 1 and said in result.stderr, (words, result)
        assert not out.exists()


def test_tokens_that_changed_are_named(folder):
    (folder / "a.txt").write_text(TEXT)
    assert pack(folder / "a.txt", "--tokenizer=chars", "-o", folder / "a").returncode == 0
    program = p.compile_source(folder, PROGRAM % 'data.tokens("a", window = 8)', "prog")
    damaged = bytearray((folder / "a").read_bytes())
    damaged[-2] ^= 1
    (folder / "a").write_bytes(damaged)
    result = p.run(program, "train", "--to", folder / "runs")
    assert result.returncode == 1 and "is damaged: its checksum differs" in result.stderr, result
    (folder / "b.txt").write_text(TEXT.replace("green", "ren"))
    assert pack(folder / "b.txt", "--tokenizer=chars", "-o", folder / "a").returncode == 0
    result = p.run(program, "train", "--to", folder / "runs")
    assert result.returncode == 1 and "samples, the program was compiled for" in result.stderr
    (folder / "a.txt").write_text(TEXT + "Z")
    assert pack(folder / "a.txt", "--tokenizer=chars", "-o", folder / "a").returncode == 0
    result = p.run(program, "train", "--to", folder / "runs")
    assert result.returncode == 1 and "has a vocabulary of" in result.stderr, result


def peak_kilobytes(*command, expect=0):
    """The most memory that a command took."""
    with open(os.devnull, "w") as null:
        process = p.subprocess.Popen([str(c) for c in command], stdout=null, stderr=null)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == expect, process.returncode
    return usage.ru_maxrss


def large_text(folder):
    """60 MB, which are 120 MB of tokens."""
    (folder / "large.txt").write_text("ten green bottles hanging on the wall\n" * 1580000)
    return folder / "large.txt"


def test_large_texts_need_little_memory_to_pack_and_to_train_on(folder):
    text = large_text(folder)
    (folder / "small.txt").write_text(TEXT)
    for kind in ("chars", "words"):
        small = peak_kilobytes(p.BIN / "dlmc", "pack", folder / "small.txt", "--tokenizer", kind,
                               "-o", folder / "small")
        large = peak_kilobytes(p.BIN / "dlmc", "pack", text, "--tokenizer", kind, "-o",
                               folder / f"{kind}.tokens")
        assert large < small + 25000, (kind, small, large)
    sizes = {}
    for name in ("small", "chars.tokens"):
        prog = p.compile_source(folder, PROGRAM % f'data.tokens("{name}", window = 8)', "on-disk")
        sizes[name] = peak_kilobytes(prog, "train", "--steps", 3, "--to", folder / f"run-{name}")
    assert sizes["chars.tokens"] < sizes["small"] + 25000, sizes


def test_data_beyond_the_memory_is_refused_at_the_start(folder):
    large_text(folder)
    prog = p.compile_source(
        folder, PROGRAM % 'data.text("large.txt", tokenizer = data.chars(), window = 8)', "large")
    info = json.loads(p.run(prog, "info", "--json").stdout)
    assert 115e6 < info["data_bytes"] < 125e6, info["data_bytes"]
    assert "samples of `d` that are kept in memory" in p.run(prog, "info").stdout
    limited = ("bash", "-c", 'ulimit -v 100000; exec "$0" "$@"', prog)
    result = p.run(*limited, "train", "--to", folder / "run")
    assert result.returncode == 1, result
    for words in ("115 MiB of it for the samples of `d`, and `ulimit -v` leaves it",
                  "`dlmc pack` makes token files of texts"):
        assert words in result.stderr, (words, result.stderr)
    assert not (folder / "run").exists() or not p.checkpoints(folder / "run")


if __name__ == "__main__":
    p.main(p.tests_of(p.sys.modules[__name__]))
