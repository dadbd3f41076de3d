"""What hurts people who train models elsewhere, where no other test is named after the row."""
import json
import resource
import signal
import struct
import subprocess
import time
import zlib

import program as p

SMALL = """
use nn, optim, schedule, data
let rows = data.csv("%(path)s", target = "y", validation = 8)
train small {
  let net = nn.Linear(1, 1)
  data  = rows
  batch = 16
  fn guess(batch) { sum(net(batch.number), over = -1) }
  fn loss(batch) { (fit = mse(guess(batch), batch.target), seen = 1e-6 * mean(batch.target)) }
  optimizer = optim.Adam(lr = schedule.cosine(1e-2))
  duration  = 1 epochs
  checkpoint { every = 3 steps }
}
"""


def small(folder):
    """64 training samples, 4 steps an epoch; `seen` of a step says which samples it has shown."""
    path = folder / "rows.csv"
    path.write_text("x,y\n" + "".join(f"{i % 7},{2 ** (i % 20)}\n" for i in range(72)))
    return p.compile_source(folder, SMALL % dict(path=path))


def steps(lines):
    return [line for line in lines if "step" in line and "fit" in line]


def test_p15_ids_that_need_more_than_16_bits_get_them(folder):
    words = folder / "words.txt"
    words.write_text(" ".join(f"w{i}" for i in range(70_000)))
    packed = folder / "words.tokens"
    done = p.run(p.BIN / "dlmc", "pack", words, "--tokenizer", "words", "-o", packed)
    assert done.returncode == 0, done.stderr
    head = packed.read_bytes()[:64]
    width, vocab = struct.unpack("<IQ", head[12:24])
    assert width == 4 and vocab > 70_000, (width, vocab)
    ids = struct.pack("<4H", 1, 2, 3, 4)
    head = struct.pack("<8sIIQQQQI8x", b"DLMTOKEN", 1, 2, vocab, 4, 2 ** 64 - 1, 0, zlib.crc32(ids))
    packed.write_bytes(head + struct.pack("<I", zlib.crc32(head)) + ids)
    source = folder / "t.dlm"
    source.write_text(f'use data\nlet t = data.tokens("{packed}", window = 1)\n'
                      'test "t" { expect t.vocab > 0 }\n')
    done = p.run(p.BIN / "dlmc", "test", source)
    assert done.returncode == 1 and "words.tokens" in done.stderr, done
    assert str(vocab) in done.stderr and "2 bytes" in done.stderr, done.stderr


def test_p19_a_run_that_ends_with_an_epoch_goes_on(folder):
    program = small(folder)
    p.train(program, folder / "a")
    more = steps(p.train(program, folder / "a", "--resume", "--duration", "2 epochs"))
    assert [line["step"] for line in more] == [5, 6, 7, 8], more
    again = p.run(program, "train", "--resume", "--to", folder / "a")
    assert again.returncode == 0 and "0 steps are left to do" in again.stderr, again.stderr
    below = p.run(program, "train", "--resume", "--steps", 5, "--to", folder / "a")
    assert below.returncode == 1, below.stdout


def test_p20_a_resume_takes_no_longer_after_more_steps(folder):
    program = small(folder)
    took = []
    for count in (20, 2_000):
        p.run(program, "train", "--steps", count, "--to", folder / str(count))
        began = time.monotonic()
        p.train(program, folder / str(count), "--resume", "--steps", count + 1)
        took.append(time.monotonic() - began)
    assert took[1] < took[0] + 1, took


def test_p21_the_rate_is_that_of_the_step(folder):
    program = small(folder)
    whole = steps(p.train(program, folder / "whole", "--steps", 12))
    p.train(program, folder / "cut", "--steps", 12)
    for path in p.checkpoints(folder / "cut"):  # go on from step 9
        if path.stem > "step-00000009":
            path.unlink()
            path.with_suffix(".json").unlink()
    rest = steps(p.train(program, folder / "cut", "--resume"))
    assert [line["lr"] for line in rest] == [line["lr"] for line in whole[9:]], rest
    longer = p.run(program, "train", "--resume", "--steps", 40, "--to", folder / "cut")
    assert longer.returncode == 0 and "note: lr was" in longer.stderr, longer.stderr


def test_p28_what_a_save_needs_is_tried_before_the_first_step(folder):
    program = small(folder)
    (folder / "file").write_text("")
    failed = p.run(program, "train", "--to", folder / "file" / "run")
    assert failed.returncode == 1 and "step 1" not in failed.stdout, failed.stdout
    few = p.run(program, "train", "--to", folder / "few", preexec_fn=lambda: resource.setrlimit(
        resource.RLIMIT_NOFILE, (6, 6)))
    assert few.returncode == 1 and "step " not in few.stdout, few
    assert "Too many open files" in few.stderr, few.stderr


def test_p30_no_sample_is_seen_twice_in_an_epoch_after_a_kill(folder):
    program = small(folder)
    whole = steps(p.train(program, folder / "whole", "--steps", 400))
    seen = {}
    for _ in range(3):
        command = [program, "train", "--json", "--resume", "--steps", "400", "--to", folder / "cut"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        for line in process.stdout:
            record = json.loads(line)
            if "fit" in record and "step" in record:
                seen[record["step"]] = record["seen"]
            if len(seen) % 50 == 0 and seen:
                process.send_signal(signal.SIGKILL)
        process.wait()
    for record in steps(p.train(program, folder / "cut", "--resume", "--steps", "400")):
        seen[record["step"]] = record["seen"]
    assert [seen[line["step"]] for line in whole] == [line["seen"] for line in whole]
    epochs = [round(sum(seen[4 * e + i] for i in range(1, 5)), 6) for e in range(100)]
    assert max(epochs) - min(epochs) < 1e-5 * max(epochs), (min(epochs), max(epochs))


def test_p56_memory_does_not_grow_with_the_steps(folder):
    program = small(folder)
    process = subprocess.Popen([program, "train", "--json", "--steps", "100000000", "--to",
                                folder / "run"], stdout=subprocess.DEVNULL)
    sizes = []
    for _ in range(2):
        time.sleep(2)
        status = open(f"/proc/{process.pid}/status").read()
        sizes.append(int(status.split("VmRSS:")[1].split()[0]))
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=20) == 128 + signal.SIGTERM
    assert sizes[1] - sizes[0] < 1024, sizes  # kB


if __name__ == "__main__":
    p.main(p.tests_of(p.sys.modules[__name__]))
