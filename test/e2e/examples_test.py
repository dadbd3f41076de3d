"""The programs of examples/ in quick forms: 30 steps on a part of their data, in which the loss
falls; and what their headers promise is a number that they report.

`tools/test --examples` runs them as they are.
"""
import example as x
import program as p

STEPS = 30


def quick_form(example):
    def test(folder):
        example.make_data(folder, quick=True)
        compiling, running = example.flags(example.quick)
        text = x.quick_source(example, folder)
        example.train_before(folder, text, example.quick, "--steps", 5 * STEPS)  # it has learned
        program = p.compile_source(folder, text, example.name, compiling)
        lines = p.train(program, folder / "run", "--steps", STEPS, *running)
        losses = [line["loss"] for line in lines if "attempt" in line]
        assert len(losses) == STEPS, losses
        assert sum(losses[-5:]) / 5 < 0.97 * losses[0], (losses[0], losses[-5:])
        for limit in example.limits:
            if limit.step is None:
                assert limit.value(lines, 0) is not None, f"a run does not report {limit.name}"
    return test


def test_every_example_is_listed(folder):
    page = (p.ROOT / "examples/README.md").read_text()
    for example in x.examples():
        assert f"| `{example.name}.dlm` |" in page, f"examples/README.md lacks {example.name}.dlm"


def test_laid_out(folder):
    result = p.run(p.BIN / "dlmc", "fmt", "--check", *[e.path for e in x.examples()])
    assert result.returncode == 0, result.stdout + result.stderr


def test_counts_of_parameters(folder):
    """An example that promises a number of parameters is compiled as it is, and asked."""
    counted = [e for e in x.examples() if any(limit.name == "parameters" for limit in e.limits)]
    for example in counted:
        example.make_data(folder, quick=True)
        example.train_before(folder, example.text, [], "--steps", 1)
        program = p.compile_source(folder, example.text, example.name, example.flags([])[0])
        info = p.json.loads(p.run(program, "info", "--json").stdout)
        for limit in example.limits:
            if limit.name == "parameters":
                assert limit.holds(info["parameter_count"]), info["parameter_count"]


if __name__ == "__main__":
    tests = p.tests_of(p.sys.modules[__name__])
    tests |= {e.name: quick_form(e) for e in x.examples()}
    p.main({name: x.or_say_why(test) for name, test in tests.items()})
