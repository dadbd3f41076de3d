"""`dlmc test` as a user runs it."""
import time

import program as p


def dlmc_test(*arguments):
    return p.run(p.BIN / "dlmc", "test", *arguments)


def write(folder, name, text):
    path = folder / name
    path.write_text(text)
    return path


FINE = """
use nn
test "a sum is exact" { expect sum(ones([3])) == 3 }
test "a layer" { expect nn.Linear(3, 2)(zeros([1, 3])) == 0 }
"""


def test_what_passes(folder):
    result = dlmc_test(write(folder, "fine.dlm", FINE))
    assert result.returncode == 0, result.stderr
    assert "2 passed, 0 failed, 0 not run" in result.stdout
    assert result.stderr == ""


VECTORS = """
use nn
test "products of vectors" {
  let q = tensor([1.0, 2.0])
  let m = tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
  expect sum((q @ m) * tensor([1.0, 10.0, 100.0])) == 1629.0
  let c = m @ tensor([1.0, 0.0, 2.0])
  expect sum(c * tensor([1.0, 10.0])) == 167.0
  expect q @ c == 39.0
  let lift = nn.Linear(1, 2)
  let y = lift(tensor([0.0]))
  expect sum(y * y) == 0.0
}
"""


def test_vectors_are_matrices_of_one_row_or_column(folder):
    result = dlmc_test(write(folder, "vectors.dlm", VECTORS))
    assert result.returncode == 0 and "1 passed" in result.stdout, result.stdout + result.stderr


TWINS = """
use nn
test "one" { let a = nn.Linear(3, 2); expect a(zeros([4, 3])).shape == [4, 2]; expect a.bias == 0 }
test "other" { let a = nn.Linear(5, 7); expect a(zeros([4, 5])) == 0; expect a.bias.shape == [7] }
"""


def test_tests_may_give_models_of_other_sizes_the_same_name(folder):
    result = dlmc_test(write(folder, "twins.dlm", TWINS))
    assert result.returncode == 0 and "2 passed" in result.stdout, result.stdout + result.stderr


def test_the_filter_chooses_by_title(folder):
    path = write(folder, "fine.dlm", FINE)
    result = dlmc_test(path, "--filter", "layer")
    assert result.returncode == 0 and "1 passed" in result.stdout, result.stdout
    result = dlmc_test(path, "--filter", "nothing")
    assert result.returncode == 1 and "there is no test" in result.stderr


def test_a_failure_shows_both_sides(folder):
    path = write(folder, "wrong.dlm", """
test "wrong" {
  let x = reshape(cast(iota(6), f32), [2, 3])
  expect x < 4, "small numbers"
  expect close(x, 2 * x)
  expect 1 + 1 == 3
}
test "right" { expect true }
""")
    result = dlmc_test(path)
    assert result.returncode == 1
    assert "1 passed, 1 failed, 0 not run" in result.stdout
    assert "error[expect-failed]: small numbers" in result.stderr
    assert "it fails at 2 of 6 elements, first at [1, 1]: 4 and 4" in result.stderr
    assert "it fails at 5 of 6 elements, first at [0, 1]: 1 and 2" in result.stderr
    assert "farthest apart at [1, 2]: 5 and 10" in result.stderr
    assert "`1 + 1` is 2" in result.stderr


def test_whole_numbers_of_chance_lie_in_their_range(folder):
    path = folder / "drawn.dlm"
    path.write_text("""test "drawn" {
  let n = random.int(-2, 3, [1000])
  expect n >= -2 and n < 3
  expect sum(n == -2) > 150 and sum(n == 0) > 150 and sum(n == 2) > 150
}
test "too many" { expect random.int(0, 100_000_000, [4]) >= 0 }
""")
    result = p.run(p.BIN / "dlmc", "test", path)
    assert "ok       drawn" in result.stdout, result.stdout + result.stderr
    reason = "`random.int` of so many numbers cannot be compiled yet: a draw has 24 bits"
    assert f"not run  too many: {reason}" in result.stdout, result.stdout


def test_what_nothing_computes_yet_is_not_run(folder):
    path = write(folder, "later.dlm", """
test "later" { expect zeros([2], f64) == 0 }
test "now" { expect zeros([2]) == 0 }
""")
    result = dlmc_test(path)
    assert result.returncode == 1
    assert "not run  later: `f64` cannot be compiled yet" in result.stdout, result.stdout
    assert "1 passed, 0 failed, 1 not run" in result.stdout


def test_what_is_too_much_work_is_refused_before_it_runs(folder):
    path = write(folder, "large.dlm", """use nn
test "a tensor" { expect sum(ones([2 ** 39])) == 1 }
test "a product" {
  let x = ones([20000, 20000])
  expect sum(x @ x) > 0
}
test "many" {
  let x = random.uniform([2000, 2000])
  expect sum(MANY) > 0
}
test "in the library" { expect nn.Linear(30000, 30000)(zeros([1, 30000])) == 0 }
test "small" { expect sum(ones([200, 200]) @ ones([200, 200])) == 8e6 }
""".replace("MANY", " + ".join(f"relu(x - {i})" for i in range(40))))
    begin = time.monotonic()
    result = dlmc_test(path)
    assert time.monotonic() - begin < 30, "none of them is begun"
    assert result.returncode == 1
    assert "1 passed, 0 failed, 4 not run" in result.stdout, result.stdout
    assert "not run  a product: it takes 127003125005 steps" in result.stdout, result.stdout
    assert result.stderr.count("error[work-limit]: the test takes ") == 4, result.stderr
    assert "large.dlm:5:14" in result.stderr, result.stderr
    assert " of them are taken here" in result.stderr
    assert "help: test it with smaller sizes" in result.stderr


def test_a_fault_in_one_file_leaves_the_others(folder):
    write(folder, "a.dlm", 'test "a" { expect missing }')
    write(folder, "b.dlm", FINE)
    result = dlmc_test(folder)
    assert result.returncode == 1
    assert "`missing` is not declared" in result.stderr
    assert "not run  a: it has an error, or uses what has one" in result.stdout, result.stdout
    assert "2 passed, 0 failed, 1 not run" in result.stdout


HALF_WRONG = """
let size = 2 + unknown
fn wrong(x) { x + ones([7]) }
fn right(x) { 2 * x }
test "of the wrong let" { expect ones([size]) == 1 }
test "of the wrong function" { expect wrong(ones([3])) == 2 }
test "of the wrong function, said before" { expect wrong(ones([3])) == 3 }
test "of the right one" { expect right(ones([3])) == 2 }
test "of nothing" { expect 1 == 2 }
"""


def test_an_error_leaves_the_tests_that_it_does_not_reach(folder):
    result = dlmc_test(write(folder, "half.dlm", HALF_WRONG))
    assert result.returncode == 1
    for title in ("let", "function", "function, said before"):
        assert f"not run  of the wrong {title}: it has an error" in result.stdout, result.stdout
    assert "ok       of the right one" in result.stdout, result.stdout
    assert "FAILED   of nothing" in result.stdout, result.stdout
    assert "1 passed, 1 failed, 3 not run" in result.stdout
    assert result.stderr.count("`unknown` is not declared") == 1
    assert result.stderr.count("error[expect-failed]") == 1


def test_tests_that_pass_do_not_hide_an_error(folder):
    path = write(folder, "half.dlm", HALF_WRONG)
    result = dlmc_test(path, "--filter", "right one")
    assert result.returncode == 1 and "1 passed, 0 failed, 0 not run" in result.stdout


def test_no_test_is_run_with_a_module_that_cannot_be_read(folder):
    write(folder, "broken.dlm", "fn f( {")
    path = write(folder, "user.dlm", """
use broken
test "of the module" { expect broken.f(1) == 1 }
test "of nothing" { expect 1 == 1 }
""")
    result = dlmc_test(path)
    assert result.returncode == 1
    assert "0 passed, 0 failed, 2 not run" in result.stdout, result.stdout


def test_flags_that_do_nothing_are_refused(folder):
    path = write(folder, "fine.dlm", FINE)
    for flag in (["--target=cuda"], ["-o", "x"], ["--emit=pin"]):
        result = dlmc_test(path, *flag)
        assert result.returncode == 1 and result.stdout == "", flag
    result = p.run(p.BIN / "dlmc", "check", path, "--filter", "x")
    assert result.returncode == 1 and "--filter" in result.stderr


def test_the_library(folder):
    files = sorted((p.ROOT / "stdlib").rglob("*.dlm"))
    result = dlmc_test(*files)
    assert result.returncode == 0, result.stdout + result.stderr


def test_what_the_library_computes(folder):
    """As far as the interpreter can: what it cannot says so, and nothing else is wrong."""
    result = dlmc_test(p.ROOT / "test/e2e/library")
    assert "error[" not in result.stderr and " 0 failed" in result.stdout, result.stderr
    for line in result.stdout.splitlines():
        assert "not run  " not in line or "cannot be compiled yet" in line, line


if __name__ == "__main__":
    p.main(p.tests_of(p.sys.modules[__name__]))
