"""The library against NumPy: each layer, function, loss and metric with its gradient, each
optimizer and schedule step by step. `peers/` holds the formulas in float64; what DLM computes in
f32 may be as many roundings off as is said there. What stands in stdlib/ and not there fails.

NumPy is in an environment of its own, which `tools/setup --peers` makes."""
import json
import os
import pathlib
import re
import sys

import program as p

PYTHON = p.ROOT / "build/peers/bin/python"
if PYTHON.exists() and pathlib.Path(sys.prefix).resolve() != PYTHON.parents[1].resolve():
    os.execv(PYTHON, [str(PYTHON), *sys.argv])
try:
    import numpy as np
except ImportError:
    print("skipped: NumPy is not installed; `tools/setup --peers` makes an environment with it")
    sys.exit(77)

import rules_test
from peers import cases, functions, reference, rules

ROUNDING = 2.0 ** -24
STEPS = 24

EXCEPTIONS = {}  # what has no reference value, and why
# What differs while training, where chance has a part in it; `ref` is what it is elsewhere.
DROPOUTS = {
    "dropout": cases.Case("dropout", "dropout", lambda x: x, {"x": np.ones((40, 50))},
                          dlm="dropout(x, 0.25)"),
    "dropout_layer": cases.Case("dropout_layer", "nn.Dropout", lambda p, x: x,
                                {"x": np.ones((40, 50))}, layer="nn.Dropout(0.25)"),
}
UNLIKE_TRAINING = DROPOUTS | {
    "imagenet": cases.Case(
        "imagenet", "image.imagenet", lambda x: functions.normalize(
            reference.center_crop(x, 4, 5) / 255), {"x": (6, 7, 3)},
        dlm="image.imagenet(size = 4)((image = x, label = 1)).image"),
    "batch_norm_kept": cases.Case(
        "batch_norm_kept", "nn.BatchNorm", reference.batch_norm_kept, {"x": (4, 3, 5)},
        layer="nn.BatchNorm(5, group = 2)", held=cases.norm(5)),
}
CASES = [*cases.SIMPLE, *cases.CONVOLUTIONS, *cases.ATTENTION, *functions.POINTWISE,
         *functions.LOSSES, *functions.METRICS, *functions.IMAGES]

PROGRAM = """
use nn, optim, schedule, data, image
let nothing = data.npy("nothing.npz")
%(declared)s
fn last_cell(layer, x, h, c) {
  let (last, ys) = layer.run(x, (h = h, c = c))
  last.c
}
model Cases() {
%(members)s
}
train peers {
  let cases = weights(Cases(), "weights.safetensors")
  data = nothing
  batch = 4
  fn loss(batch) {
    (
%(terms)s
    )
  }
%(more)s
  duration = %(steps)d steps
  checkpoint { every = 1 steps; keep = %(steps)d }
}
"""
MODEL = """
model %(title)s() {
%(members)s
  fn of() { %(dlm)s }
  fn value() -> f32[] { %(value)s }
}
"""


def title(name):
    return "".join(word.capitalize() for word in name.split("_")) + "Case"


def shape_text(shape):
    return f"f32[{', '.join(map(str, shape))}]"


def model_text(case, values, shape):
    members = [f"  let layer = {case.layer}"] if case.layer else []
    members += [f"  param {name}: {shape_text(v.shape)} = zeros"
                for name, v in values.items() if "." not in name]
    value = "sum(cotangent * of())" if shape else "cotangent * of()"
    return MODEL % dict(title=title(case.name), members="\n".join(members), dlm=case.dlm,
                        value=value)


def compiled(folder, models, stored, terms, more, steps=1):
    """A program whose models are `models` (name: text) and start from the values `stored`."""
    np.savez(folder / "nothing.npz", x=np.zeros((8, 2), np.float32))
    rules_test.write_safetensors(folder / "weights.safetensors", [
        (name, "F32", list(v.shape), v.tobytes()) for name, v in stored.items()])
    text = PROGRAM % dict(declared="".join(models.values()), more=more, steps=steps,
                          members="\n".join(f"  let {n} = {title(n)}()" for n in models),
                          terms="\n".join(f"      {n} = {term}," for n, term in terms.items()))
    return p.compile_source(folder, text)


def read(path, name, shape, kind=np.float32):
    return np.frombuffer(path[name], kind).reshape(shape).astype(np.float64)


def started(case, shape):
    """The values of a case, and what its result is multiplied with."""
    values = case.values()
    draw = np.random.default_rng(len(case.name))
    return values | {"cotangent": draw.uniform(0.5, 1.5, shape).astype(np.float32)}


def in_f64(values):
    return {name: np.array(v, np.float64) for name, v in values.items()}


def differences(case, values):
    """The gradient of a case by central differences."""
    exact = in_f64(values)
    cotangent = exact.pop("cotangent")
    slopes = {}
    for name, value in exact.items():
        slope = np.zeros(value.shape)
        for place in np.ndindex(value.shape):
            was, ends = value[place], []
            reach = 1e-6 * max(1, abs(was))
            for end in (was + reach, was - reach):
                value[place] = end
                ends.append((cotangent * case.wanted(exact)).sum())
            value[place] = was
            slope[place] = (ends[0] - ends[1]) / (2 * reach)
        slopes[name] = slope
    return slopes


def compare(what, got, want, bound, faults):
    """Notes what is further off than `bound` roundings; the largest error in roundings."""
    off = np.abs(got - want)
    error = off.max(initial=0) / (ROUNDING * max(1, np.abs(want).max(initial=0)))
    if not error <= bound:
        place = tuple(int(i) for i in np.unravel_index(np.nanargmax(off), off.shape))
        faults.append(f"{what}{list(place)} is {got[place]:.9g} and not {want[place]:.9g}: "
                      f"{error:.0f} roundings, at most {bound}")
    return error


def check_cases(folder, chosen, also=()):
    """Trains one step of all cases; the program, the checkpoint, and what is further off. Those of
    `also` have a command instead, which gives their values outside of training."""
    values, shapes, models, results = {}, {}, {}, {}
    for case in [*chosen, *also]:
        first = in_f64(case.values()) | {"layer.running_mean": 0, "layer.running_var": 1}
        shapes[case.name] = np.shape(case.wanted(first))
        values[case.name] = started(case, shapes[case.name])
        models[case.name] = model_text(case, values[case.name], shapes[case.name])
    for case in also:
        results[f"{case.name}: {shape_text(shapes[case.name])}"] = (
            f"{case.name} = cases.{case.name}.of()")
    more = "  optimizer = optim.SGD(lr = 0.25)"
    if also:
        more += (f"\n  command evaluated() -> ({', '.join(results)}) "
                 f"{{ ({', '.join(results.values())}) }}")
    stored = {f"{n}.{name}": v for n, held in values.items() for name, v in held.items()}
    program = compiled(folder, models, stored, {n: f"cases.{n}.value()" for n in models}, more)
    p.train(program, folder / "runs", "--threads", "1")
    after = p.tensors(p.checkpoints(folder / "runs")[-1])
    faults = []
    for case in chosen:
        check_case(case, values[case.name], shapes[case.name], after, faults)
    return program, after, faults


def check_case(case, values, shape, after, faults):
    def gradient(name):
        return read(after, f"opt.velocity.cases.{case.name}.{name}", np.shape(values[name]))
    want = case.wanted({n: v for n, v in in_f64(values).items() if n != "cotangent"})
    errors = [compare(case.name, gradient("cotangent"), want, case.bound, faults)]
    if case.has_slope:
        for name, slope in differences(case, values).items():
            errors.append(compare(f"gradient of {case.name} by {name}", gradient(name), slope,
                                  case.bound, faults))
    if os.environ.get("DLM_PEERS_ERRORS"):
        print(f"{case.name}: {max(errors):.1f} of {case.bound} roundings")


def public_names():
    """What programs can use of stdlib/: `nn.Linear`, and of the prelude `gelu`."""
    found = set()
    for path in sorted((p.ROOT / "stdlib").glob("*.dlm")):
        declared = re.findall(r"^(?:model|fn|optimizer|let) (\w+)", path.read_text(), re.M)
        module = "" if path.stem in ("prelude", "metric") else path.stem + "."
        found |= {module + name for name in declared}
    return found


def rules_here():
    names = public_names()
    return [*rules.RULES, *(rule for rule in rules.COMING if rule.of in names)]


def test_everything_in_the_library_has_a_reference_value(folder):
    compared = {case.of for case in [*CASES, *cases.LOOPS, *UNLIKE_TRAINING.values()]}
    compared |= {rule.of for rule in rules_here()}
    compared |= {f"schedule.{text.split('(')[0]}" for text, _ in rules.SCHEDULES.values()}
    names = public_names()
    assert len(names) > 50, names
    missing = names - compared - EXCEPTIONS.keys()
    assert not missing, f"add a case to test/e2e/peers for {sorted(missing)}"
    gone = (compared | EXCEPTIONS.keys()) - names
    assert not gone, f"no longer in stdlib: {sorted(gone)}"
    assert not compared & EXCEPTIONS.keys(), compared & EXCEPTIONS.keys()


def test_values_and_gradients(folder):
    program, after, faults = check_cases(folder, CASES, UNLIKE_TRAINING.values())
    for case in CASES:
        if case.of == "nn.BatchNorm":
            check_statistics(case, after, faults)
    check_dropout(after)
    told = p.run(program, "evaluated", "--json", "--from", p.checkpoints(folder / "runs")[-1])
    check_evaluated(json.loads(told.stdout), after, faults)
    assert not faults, "\n".join(faults[:30])


def check_statistics(case, after, faults):
    """A step moves the running mean and variance."""
    x = case.values()["x"].astype(np.float64)
    group = 2 if case.name.endswith("group") else None
    for kept, want in zip(("mean", "var"), reference.moved_statistics(x, group)):
        got = read(after, f"cases.{case.name}.layer.running_{kept}", want.shape)
        compare(f"running {kept} of {case.name}", got, want, case.bound, faults)


def check_dropout(after):
    """A quarter is 0 and the rest 4 / 3; gradients go where values do."""
    for name in DROPOUTS:
        y = read(after, f"opt.velocity.cases.{name}.cotangent", (40, 50))
        assert set(np.unique(y)) == {0, float(np.float32(4 / 3))}, np.unique(y)
        assert abs((y == 0).mean() - 0.25) < 5 * (0.25 * 0.75 / y.size) ** 0.5, (y == 0).mean()
        slope = read(after, f"opt.velocity.cases.{name}.x", (40, 50))
        cotangent = started(DROPOUTS[name], (40, 50))["cotangent"]
        assert np.abs(slope - y * cotangent).max() < 4 * ROUNDING


def check_evaluated(told, after, faults):
    """Outside of training BatchNorm goes by what it kept, nothing is dropped, and images are cut
    from the middle. Parameters are those after the step."""
    for name, case in UNLIKE_TRAINING.items():
        path = f"cases.{name}."
        shapes = {n: np.shape(v) for n, v in case.values().items()}
        if name == "batch_norm_kept":
            shapes |= {f"layer.running_{kept}": (5,) for kept in ("mean", "var")}
        held = {n: read(after, path + n, shape) for n, shape in shapes.items()}
        compare(f"{name}, evaluated", np.array(told[name]), case.wanted(held), case.bound, faults)


def test_recurrent_layers(folder):
    _, _, faults = check_cases(folder, cases.LOOPS)
    assert not faults, "\n".join(faults[:30])


def test_optimizers_and_schedules_step_by_step(folder):
    chosen = rules_here()
    draw = np.random.default_rng(7)
    start = {r.name: draw.standard_normal(r.shape).astype(np.float32) for r in chosen}
    curve = {r.name: draw.uniform(0.5, 1.5, r.shape).astype(np.float32) for r in chosen}
    models = {r.name: f"""
model {title(r.name)}() {{
  param p: {shape_text(r.shape)} = zeros
  fn value() -> f32[] {{
    let curve = tensor({curve[r.name].tolist()}, f32)
    sum(0.5 * curve * p * p - p)
  }}
}}
""" for r in chosen}
    choice = " else ".join(f'if p.path == "cases.{r.name}.p" {{ {r.dlm()} }}' for r in chosen)
    terms = {r.name: f"cases.{r.name}.value()" for r in chosen}
    terms |= {f"at_{n}": f"schedule.{text}" for n, (text, _) in rules.SCHEDULES.items()}
    program = compiled(folder, models, {f"{n}.p": v for n, v in start.items()}, terms,
                       f"  fn optimizer(p) {{ {choice} else {{ none }} }}\n", STEPS)
    lines = [e for e in p.train(program, folder / "runs", "--threads", "1") if "step" in e]
    saved = [p.tensors(path) for path in p.checkpoints(folder / "runs")]
    assert len(lines) == len(saved) == STEPS, (len(lines), len(saved))
    faults = []
    for name, (_, value) in rules.SCHEDULES.items():
        got = np.array([line[f"at_{name}"] for line in lines])
        want = np.array([value(t, STEPS) for t in range(STEPS)])
        compare(f"schedule {name} at step ", got, want, 8, faults)
    for rule in chosen:
        check_rule(rule, start[rule.name], curve[rule.name], saved, faults)
    assert not faults, "\n".join(faults[:30])


def check_rule(rule, start, curve, saved, faults):
    """Steps go by the parameter in float64, so that small errors may add up."""
    value, curve = start.astype(np.float64), curve.astype(np.float64)
    states = {name: np.zeros(shape) for name, shape in rule.states.items()}
    for t, after in enumerate(saved[:8], 1):
        value = rule.ref(value, curve * value - 1, states, t, **rule.given)
        path = f"cases.{rule.name}.p"
        error = compare(f"{rule.name} at step {t}: ", read(after, path, rule.shape), value,
                        rule.bound * t, faults)
        for name, state in states.items():
            kind = np.int32 if name in rule.counts else np.float32
            got = read(after, f"opt.{name}.{path}", np.shape(state), kind)
            error = max(error, compare(f"{name} of {rule.name} at step {t}: ", got, state,
                                       rule.bound * t, faults))
    if os.environ.get("DLM_PEERS_ERRORS"):
        print(f"{rule.name}: {error:.1f} of {rule.bound * t} roundings")


if __name__ == "__main__":
    p.main(p.tests_of(p.sys.modules[__name__]))
