"""Buffers over the batch: what each row of a batch hands on to that row of the next."""
import struct

import program as p

TEXT = "".join(f"{i} bottles of {i * 7 % 13}.\n" for i in range(60))

SOURCE = """
use nn, optim, data
let text = data.text("a.txt", tokenizer = data.chars(), window = 8, validation = 6, order = streams)

/// Remembers a state of its own, and how often it has seen the first character.
model Memory(vocab: int, width: int) {
  param tok: f32[vocab, width] = normal(std = 0.5)
  param turn: f32[width, width] = xavier
  param out: f32[width, vocab] = xavier
  buffer h: f32[batch, width] = zeros
  buffer firsts: i32[batch] = zeros
  buffer steps: i32[] = 0
  fn forward(ids: i32[B, T]) -> f32[B, vocab] {
    let y = tanh(mean(tok[ids], over = T) + h @ turn)
    next h = y
    next firsts = firsts + ids[:, 0]
    next steps = steps + 1
    y @ out
  }
}

train t {
  let net = Memory(text.vocab, 5)
  data = text
  batch = 12
  micro = %(micro)s
  seed = 3
  fn loss(batch) { cross_entropy(net(batch.ids), batch.next[:, -1]) }
  fn metrics(batch) { (right = mean(argmax(net(batch.ids), over = -1) == batch.next[:, -1])) }
  %(optimizer)s
  duration = 40 steps
}
"""


ALL = "optimizer = optim.Adam(lr = 1e-2)"
#: What is carried does not depend on what this trains, so how gradients are added up is no matter.
LAST = 'fn optimizer(p) { if p.name == "out" { optim.Adam(lr = 1e-2) } else { none } }'


def text_of(micro="auto", optimizer=ALL):
    return SOURCE % dict(micro=micro, optimizer=optimizer)


def compiled(folder, *settings, name="prog"):
    (folder / "a.txt").write_text(TEXT)
    return p.compile_source(folder, text_of(*settings), name)


def state(folder):
    return p.tensors(p.checkpoints(folder)[-1])


def test_rows_are_carried(folder):
    prog = compiled(folder)
    letters = sorted(set(TEXT))
    samples = (len(TEXT) - 1) // 8 - 6
    length = samples // 12
    for steps in (1, 3, length + 2):
        p.train(prog, folder / f"run{steps}", "--steps", steps)
        got = struct.unpack("<12i", state(folder / f"run{steps}")["net.firsts"])
        wanted = [sum(letters.index(TEXT[8 * (row * length + step % length)])
                      for step in range(steps)) for row in range(12)]
        assert list(got) == wanted, (steps, got, wanted)


def test_micro_batches_change_nothing(folder):
    p.train(compiled(folder, "auto", LAST, name="whole"), folder / "run")
    last = state(folder / "run")
    carried = [name for name in last if name.startswith("net.") and name != "net.out"]
    assert len(set(struct.unpack("<60f", last["net.h"]))) > 30
    for micro in (1, 4, 6):
        p.train(compiled(folder, micro, LAST, name=f"micro{micro}"), folder / f"run{micro}")
        got = state(folder / f"run{micro}")
        assert [got[name] == last[name] for name in carried] == [True] * 5, (micro, carried)


def test_resumed_gives_the_same_bits(folder):
    for micro in ("auto", 4):
        prog = compiled(folder, micro)
        p.train(prog, folder / f"whole{micro}")
        for steps in (7, 40):
            p.train(prog, folder / f"parts{micro}", "--steps", steps,
                    *(["--resume"] if steps > 7 else []))
        assert state(folder / f"parts{micro}") == state(folder / f"whole{micro}"), micro


def test_an_evaluation_begins_anew(folder):
    prog = compiled(folder)
    p.train(prog, folder / "run")
    result = p.run(prog, "eval", "--json", "--from", folder / "run")
    assert result.returncode == 0, result.stderr
    again = p.run(prog, "eval", "--json", "--from", folder / "run", "--threads", 3)
    assert result.stdout == again.stdout


def test_what_waits(folder):
    (folder / "a.txt").write_text(TEXT)
    for source, words in (
            ("option rows = 12\n" + text_of(4).replace("batch = 12", "batch = rows"),
             "an option leaves open how many"),
            (text_of().replace("argmax(net(", "argmax(ema(net, decay = 0.5)("),
             "a copy or an average of a buffer over the batch")):
        (folder / "prog.dlm").write_text(source)
        result = p.run(p.BIN / "dlmc", folder / "prog.dlm", "-o", folder / "prog")
        assert result.returncode == 1 and words in result.stderr, (words, result.stderr)


if __name__ == "__main__":
    p.main(p.tests_of(p.sys.modules[__name__]))
