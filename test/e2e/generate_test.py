"""Commands that go on with a text: what `generate` makes, token by token."""
import program as p

BOTTLES = "".join(f"{i} grüne bottles, {i} grüne 🍾.\n" for i in range(40, 9, -1))

SOURCE = """
use nn, optim, data
let text = data.%s
model GPT(vocab: int, width: int, context: int) {
  param tok: f32[vocab, width]   = normal(std = 0.1)
  param pos: f32[context, width] = normal(std = 0.1)
  let block = nn.Block(width, 2, causal = true)
  fn forward(ids: i32[B, T]) -> f32[B, T, vocab] {
    require T <= context
    (tok[ids] + pos[:T] |> block) @ tok.T
  }
}

/// Looks at all places, also at those behind.
model Bag(vocab: int, width: int) {
  param tok: f32[vocab, width] = normal(std = 0.5)
  let norm = nn.LayerNorm(width)
  buffer calls: i32[] = 0
  fn forward(ids: i32[B, T]) -> f32[B, T, vocab] {
    let x = tok[ids]
    next calls = calls + 1
    norm(x + mean(x, over = T, keep = true) + max(x, over = T, keep = true)) @ tok.T
  }
}

/// Wants to be told where it is.
model Told(vocab: int, width: int, context: int) {
  param tok: f32[vocab, width]   = normal(std = 0.5)
  param pos: f32[context, width] = normal(std = 0.5)
  fn forward(ids: i32[B, T], at: i32[B, T]) -> f32[B, T, vocab] { (tok[ids] * pos[at]) @ tok.T }
}

train t {
  let net = GPT(text.vocab, 32, 16)
  let bag = Bag(text.vocab, 8)
  let told = Told(text.vocab, 8, 16)
  data = text
  batch = 8
  seed = 3
  fn loss(batch) {
    let at = expand(iota(16), [batch.size, 16])
    (
      net = cross_entropy(net(batch.ids), batch.next),
      bag = 0.01 * cross_entropy(bag(batch.ids), batch.next),
      told = 0.01 * cross_entropy(told(batch.ids, at), batch.next),
    )
  }
  optimizer = optim.Adam(lr = 1e-2)
  duration = 60 steps

  command sample(prompt: string = "1", limit: int = 20, temperature: f32 = 1) -> string {
    require limit <= 40
    let ids = generate(net, text.encode(prompt), limit = limit, pick = fn(logits) {
      random.categorical(logits / temperature)
    })
    text.decode(ids)
  }
  command line(prompt: string, limit: int = 40) {
    require limit <= 40
    let ids = text.encode(prompt)
    let more = generate(net, ids, limit = limit, until = fn(ids) { any(ids == 0, over = -1) })
    (text = text.decode(more), count = more.shape[0], ids = more, sum = sum(more))
  }
  command behind(prompt: string) {
    let ids = concat([zeros([1], i32), text.encode(prompt)], over = 0)
    (ids = generate(net, ids, limit = 20))
  }
  command greedy(prompt: string) { (ids = generate(net, text.encode(prompt), limit = 20)) }
  command bagged(prompt: string) { (ids = generate(bag, text.encode(prompt), limit = 20)) }
  command told_where(prompt: string) { (ids = generate(told, text.encode(prompt), limit = 20)) }
  command first(limit: int = 3) {
    require limit <= 9
    (ids = generate(net, zeros([1, 1], i32), limit = limit))
  }
  command short(prompt: string) -> string {
    let ids = text.encode(prompt)
    require ids.shape[0] <= 3 and ids.shape[0] >= 1
    text.decode(generate(net, ids, limit = 2))
  }

  command net_says(prompt: string) {
    let ids = text.encode(prompt)
    (next = argmax(net(ids[new, :]), over = -1))
  }
  command bag_says(prompt: string) { (next = argmax(bag(text.encode(prompt)[new, :]), over = -1)) }
  command told_says(prompt: string) {
    let ids = text.encode(prompt)
    let at = iota(ids.shape[0])
    (next = argmax(told(ids[new, :], at[new, :]), over = -1))
  }
}
"""


def trained(folder, name="prog", source='text("a.txt", tokenizer = data.chars(), window = 16)'):
    (folder / "a.txt").write_text(BOTTLES)
    prog = p.compile_source(folder, SOURCE % source, name)
    run = folder / f"run-{name}"
    p.train(prog, run)
    return prog, run


def call(prog, run, command, *flags):
    result = p.run(prog, command, "--json", "--from", run, *flags)
    assert result.returncode == 0, (command, flags, result.stdout, result.stderr)
    return p.json.loads(result.stdout)


def letters():
    return sorted(set(BOTTLES))


def step_by_step(prog, run, says, prompt, count):
    """What the model says is likeliest, of the last 16 tokens each time."""
    text, made = prompt, []
    for _ in range(count):
        got = call(prog, run, says, "--prompt", text[-16:])["next"]
        made.append(got[0][-1])
        text += letters()[made[-1]]
    return made


def test_the_likeliest_one_after_another(folder):
    prog, run = trained(folder)
    for prompt in ("1", "40 grüne bott", BOTTLES[:16]):
        for command, says in (("greedy", "net_says"), ("bagged", "bag_says"),
                              ("told_where", "told_says")):
            got = call(prog, run, command, "--prompt", prompt)["ids"]
            assert got == step_by_step(prog, run, says, prompt, 20), (prompt, command, got)
    first = call(prog, run, "first")["ids"]
    assert first == [step_by_step(prog, run, "net_says", letters()[0], 3)], first
    assert call(prog, run, "first", "--limit", 9)["ids"][0][:3] == first[0]


def test_a_text_behind_another(folder):
    """The window is that of the source, wherever its tokens went."""
    prog, run = trained(folder)
    for prompt in ("1", "40 grüne bott", BOTTLES[:16]):
        got = call(prog, run, "behind", "--prompt", prompt)["ids"]
        wanted = step_by_step(prog, run, "net_says", letters()[0] + prompt, 20)
        assert got == wanted, (prompt, got, wanted)


def test_draws_follow_from_the_seed(folder):
    prog, run = trained(folder)
    texts = [p.run(prog, "sample", "--from", run, *flags).stdout
             for flags in ([], [], ["--seed", 3], ["--seed", 4], ["--threads", 3])]
    assert len(texts[0]) == 21 and texts[0] == texts[1] == texts[2] == texts[4], texts
    assert texts[3] != texts[0] and len(texts[3]) == 21, texts
    assert len(set(texts[0][:-1])) > 2, texts  # each is drawn anew
    cold = call(prog, run, "sample", "--temperature", "1e-3", "--prompt", "40 grüne")["value"]
    ids = call(prog, run, "greedy", "--prompt", "40 grüne")["ids"]
    assert cold == "".join(letters()[i] for i in ids), (cold, ids)
    shorter = call(prog, run, "sample", "--limit", 7)["value"]
    assert shorter == texts[0][:7], (shorter, texts[0])


def test_a_text_may_end_early(folder):
    prog, run = trained(folder)
    for prompt in ("40", "11 grüne 🍾"):
        ids = call(prog, run, "line", "--prompt", prompt)
        free = step_by_step(prog, run, "net_says", prompt, 40)
        end = free.index(0) + 1 if 0 in free else 40
        wanted = free[:end]
        assert ids == {"text": "".join(letters()[i] for i in wanted), "count": end,
                       "ids": wanted, "sum": sum(wanted)}, (ids, wanted)
        assert end < 40 and ids["text"].endswith("\n"), ids
    assert call(prog, run, "line", "--prompt", "40", "--limit", 3)["count"] == 3


def test_what_is_no_text_to_go_on_with(folder):
    prog, run = trained(folder)
    for flags, words in (
            (["sample", "--prompt="], "has to be >= 1, and this is 0"),
            (["short", "--prompt="], "has to be >= 1, and this is 0"),
            (["short", "--prompt", "4444"], "has to be <= 3, and this is 4"),
            (["sample", "--prompt", "4" * 17],
             "--prompt has 17 tokens, and `sample` takes up to 16"),
            (["sample", "--limit", "41"], "from 1 to 40"),
            (["sample", "--limit", "0"], "from 1 to 40"),
            (["sample", "--prompt", "x"], "the character `x`")):
        result = p.run(prog, *flags, "--from", run)
        assert result.returncode == 1 and words in result.stderr, (flags, result.stderr)
    assert len(p.run(prog, "short", "--prompt", "444", "--from", run).stdout) == 3
    text = p.run(prog, "sample", "--help").stdout
    assert "generate" not in text and "--seed N" in text, text
    assert "--seed" not in p.run(prog, "greedy", "--help").stdout
    said = p.run(prog, "greedy", "--prompt", "4", "--seed", 3, "--from", run).stderr
    assert "nothing that `greedy` computes is random, so it does not take --seed" in said, said


def test_what_waits(folder):
    (folder / "a.txt").write_text(BOTTLES)
    source = SOURCE % 'text("a.txt", tokenizer = data.chars(), window = 16)'
    for body, words in (
            ("(a = generate(net, zeros([2, 3], i32), limit = 2))", "several texts at once"),
            ("(a = generate(net, zeros([3], i32), limit = 2), b = "
             "generate(net, zeros([2], i32), limit = 2))", "a second `generate`")):
        (folder / "prog.dlm").write_text(source.replace(
            "  command first", "  command waits() { %s }\n  command first" % body))
        result = p.run(p.BIN / "dlmc", folder / "prog.dlm", "-o", folder / "prog")
        assert result.returncode == 1 and words in result.stderr, (body, result.stderr)
        assert "cannot be compiled yet" in result.stderr, (body, result.stderr)


if __name__ == "__main__":
    p.main(p.tests_of(p.sys.modules[__name__]))
