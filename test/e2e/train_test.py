"""Training end to end: accuracy, the same bits however a run is executed, exact counts."""
import struct
import time

import program as p


def test_fashion_mlp_reaches_88_percent(folder):
    prog = folder / "fashion_mlp"
    result = p.run(p.BIN / "dlmc", p.ROOT / "examples/fashion_mlp.dlm", "-o", prog)
    assert result.returncode == 0, result.stderr
    lines = p.train(prog, folder / "run")
    final = lines[-1]["final"]
    assert final["test"]["accuracy"] >= 0.88, final
    assert final["step"] == -(-10 * 57000 // 64), final  # epochs are counted in samples
    steps = [line for line in lines if "step" in line]
    assert steps[-1]["loss"] < steps[0]["loss"] / 2, (steps[0], steps[-1])


def final_bits(prog, to, *flags):
    p.train(prog, to, *flags)
    return p.tensors(p.checkpoints(to)[-1])


def test_threads_and_repetition_do_not_change_a_bit(folder):
    prog = p.compile_source(folder, p.source())
    first = final_bits(prog, folder / "a", "--steps", 120, "--threads", 1)
    for name, threads in [("b", 1), ("c", 2), ("d", 3)]:
        other = final_bits(prog, folder / name, "--steps", 120, "--threads", threads)
        assert first == other, name


def test_averages_settle_at_zero(folder):
    """Denormal numbers in the state of the optimizer once made every later step twice as slow."""
    prog = p.compile_source(folder, p.source())
    for name, raw in final_bits(prog, folder / "a", "--steps", 1000).items():
        if name.startswith("opt."):
            words = struct.unpack(f"<{len(raw) // 4}I", raw)
            assert not any(0 < word & 0x7fffffff < 0x00800000 for word in words), name


def test_another_seed_changes_bits(folder):
    prog = p.compile_source(folder, p.source())
    first = final_bits(prog, folder / "a", "--steps", 20)
    assert first != final_bits(prog, folder / "b", "--steps", 20, "--seed", 2)


def test_vector_width_and_cpu_do_not_change_a_bit(folder):
    results = []
    for width in (16, 32, 64):
        for cpu in ("x86-64-v3", "native"):
            name = f"p{width}{cpu}"
            flags = (f"--vector-width={width}", f"--cpu={cpu}")
            prog = p.compile_source(folder, p.source(), name, flags)
            results.append(final_bits(prog, folder / f"run-{name}", "--steps", 60))
    assert all(r == results[0] for r in results)


def test_killed_and_resumed_gives_the_same_bits(folder):
    prog = p.compile_source(folder, p.source(every="50 steps"))
    whole = final_bits(prog, folder / "whole", "--steps", 2000)
    killed = folder / "killed"
    interrupted = 0  # 2,000 lines do not fit the pipe: a run that is not read on cannot end
    for round_ in range(3):
        process = p.subprocess.Popen(
            [str(prog), "train", "--json", "--to", str(killed), "--steps", "2000"] +
            (["--resume"] if round_ else []), stdout=p.subprocess.PIPE, text=True)
        for _ in process.stdout:
            if p.checkpoints(killed):
                break
        process.send_signal(p.signal.SIGKILL)
        interrupted += process.wait() == -p.signal.SIGKILL
        process.stdout.close()
    assert interrupted and not (killed / "step-00002000.safetensors").exists()
    resumed = p.train(prog, killed, "--steps", 2000, "--resume")
    assert resumed[-1]["final"]["step"] == 2000
    assert p.tensors(p.checkpoints(killed)[-1]) == whole


def test_micro_batches_give_the_same_loss_and_counts(folder):
    losses = []
    for micro in (64, 16, 1):
        prog = p.compile_source(folder, p.source(micro=micro), f"m{micro}")
        lines = p.train(prog, folder / f"run{micro}", "--steps", 30)
        final = lines[-1]["final"]
        assert final["step"] == 30
        losses.append((final["test"]["loss"], final["test"]["accuracy"]))
        saved = p.tensors(p.checkpoints(folder / f"run{micro}")[-1])
        assert struct.unpack("<q", saved["state.attempt"]) == (30,)
    for loss, accuracy in losses[1:]:
        assert abs(loss - losses[0][0]) < 1e-4 * losses[0][0], losses
        assert abs(accuracy - losses[0][1]) < 0.005, losses


def test_one_binary_serves_every_multiple_of_the_micro_batch(folder):
    prog = p.compile_source(folder, p.source(micro=16))
    for batch in (16, 32, 96):
        lines = p.train(prog, folder / f"b{batch}", "--steps", 5, "--batch_size", batch)
        assert lines[-1]["final"]["step"] == 5
    result = p.run(prog, "train", "--to", folder / "odd", "--steps", 5, "--batch_size", 20)
    assert result.returncode == 1 and "16" in result.stderr, result.stderr


def test_epochs_are_exact_for_odd_sizes(folder):
    data = p.small_data(folder, 1009, 101)  # primes: the last batches cross epochs
    prog = p.compile_source(folder, p.source(data=data, duration="3 epochs", batch=32))
    lines = p.train(prog, folder / "run")
    trained = 1009 - round(1009 * 0.05)
    assert lines[-1]["final"]["step"] in (trained * 3 // 32, -(-trained * 3 // 32)), lines[-1]
    assert lines[-1]["final"]["test"]["accuracy"] > 0.9, lines[-1]


def test_eval_of_the_checkpoint_gives_the_final_numbers(folder):
    prog = p.compile_source(folder, p.source(data=p.small_data(folder)))
    final = p.train(prog, folder / "run", "--steps", 50)[-1]["final"]
    result = p.run(prog, "eval", "--from", folder / "run", "--json")
    assert result.returncode == 0, result.stderr
    assert p.json.loads(result.stdout.splitlines()[-1])["final"]["test"] == final["test"]


def test_run_in_process_gives_the_bits_of_the_executable(folder):
    prog = p.compile_source(folder, p.source(data=p.small_data(folder)))
    bits = final_bits(prog, folder / "a", "--steps", 40)
    result = p.run(p.BIN / "dlmc", "run", folder / "prog.dlm", "--", "train", "--to",
                   folder / "b", "--steps", 40)
    assert result.returncode == 0, result.stderr
    assert p.tensors(p.checkpoints(folder / "b")[-1]) == bits


if __name__ == "__main__":
    p.main(p.tests_of(p.sys.modules[__name__]))
