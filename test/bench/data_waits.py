"""Whether data keeps ahead of training: of each example, and of small models for whom reading is
most of the work.

    DLM_BIN=build/release/bin python3 test/bench/data_waits.py [STEPS] [EXTRA FLAGS OF train...]

Prints the rate, how often training found no batch ready (the start apart), and how many were ready
after a step: the least, and the mean. Training waits only if making a batch takes longer than a
step; then more `--loader-threads` help.
"""
import pathlib
import random
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))
import example  # noqa: E402
import program as p  # noqa: E402

HEAD = "use nn, optim, data\n"
TAIL = """
  optimizer = optim.SGD(lr = 0.01)
  duration  = 100 steps
}
"""
TABLE = HEAD + """
let d = data.csv("rows.csv", label = "label")
train table {
  let net = nn.Linear(8, 2)
  data  = d
  batch = 32
  fn loss(batch) { cross_entropy(net(batch.number), batch.label) }""" + TAIL
WORDS = HEAD + """
let d = data.%s
train bigrams {
  let net = nn.Linear(d.vocab, d.vocab)
  data  = d
  batch = 8
  fn loss(batch) {
    let seen = mean(cast(one_hot(batch.ids, d.vocab), f32), over = 1)
    mse(net(seen), mean(cast(one_hot(batch.next, d.vocab), f32), over = 1))
  }""" + TAIL
DIGITS = HEAD + """
let d = data.idx("%s")
train linear {
  let net = nn.Linear(28 * 28, 10)
  data  = d
  batch = %d
  fn loss(batch) {
    cross_entropy(net(reshape(cast(batch.image, f32) / 255, [batch.size, 28 * 28])), batch.label)
  }""" + TAIL


def small_programs(folder):
    chance = random.Random(1)
    rows = "".join(",".join(f"{chance.gauss(0, 1):.4f}" for _ in range(8)) + f",{i % 2}\n"
                   for i in range(20000))
    (folder / "rows.csv").write_text("a,b,c,d,e,f,g,h,label\n" + rows)
    (folder / "text.txt").write_text("".join(chance.choice("abcdefgh \n") for _ in range(2000000)))
    packed = p.run(p.BIN / "dlmc", "pack", folder / "text.txt", "--tokenizer", "chars", "-o",
                   folder / "small.tokens")
    assert packed.returncode == 0, packed.stderr
    (folder / "large.txt").write_text((folder / "text.txt").read_text() * 20)
    packed = p.run(p.BIN / "dlmc", "pack", folder / "large.txt", "--tokenizer", "chars", "-o",
                   folder / "large.tokens")
    assert packed.returncode == 0, packed.stderr
    return {"table, linear": TABLE,
            "text, bigrams": WORDS % 'text("text.txt", data.chars(), window = 64)',
            "tokens, bigrams": WORDS % 'tokens("small.tokens", window = 64)',
            "tokens on disk, bigrams": WORDS % 'tokens("large.tokens", window = 64)',
            "images, linear, batch 1": DIGITS % (p.FASHION, 1),
            "images, linear, batch 64": DIGITS % (p.FASHION, 64)}


def main():
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        programs = {}
        for each in example.examples():
            each.make_data(folder, quick=True)
            programs[each.path.name] = each.text, each.flags(each.quick)[0]
        programs.update({name: (text, ()) for name, text in small_programs(folder).items()})
        print(f"{'program':28}{'steps/s':>10}{'waits':>8}{'least ready':>13}{'mean':>7}")
        for index, (title, (text, flags)) in enumerate(programs.items()):
            program = p.compile_source(folder, text, f"p{index}", flags)
            lines = p.train(program, folder / f"run{index}", "--steps", steps, *sys.argv[2:])
            ready = [line["batches_ready"] for line in lines if "batches_ready" in line][1:]
            final = lines[-1]["final"]
            rate = steps / max(final["seconds"], 1e-9)
            print(f"{title:28}{rate:10.0f}{final['waits']:8}{min(ready):13}"
                  f"{sum(ready) / len(ready):7.1f}", flush=True)


main()
