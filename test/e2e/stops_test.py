"""A run that is stopped: once it ends well, twice at once, wherever it is."""
import fcntl
import signal
import struct
import subprocess
import termios
import time

import program as p


def begin(program, *flags):
    return subprocess.Popen([program, "train", *map(str, flags)], stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True)


def ends(process, *signals, within=20):
    """Sends signals, a moment apart; the exit status and what was printed."""
    for number in signals:
        process.send_signal(number)
        time.sleep(0.3)
    try:
        text, _ = process.communicate(timeout=within)
    except subprocess.TimeoutExpired:
        process.kill()
        raise AssertionError("it goes on: " + process.communicate()[0])
    return process.returncode, text


def huge(folder):
    """A program, and flags by which its step takes hours."""
    program = p.compile_source(folder, p.source(batch=64, micro=32))
    return program, ["--batch_size", 1_600_000_000, "--to", folder / "run"]


def test_a_step_of_hours_is_left_at_once(folder):
    program, flags = huge(folder)
    for number in (signal.SIGINT, signal.SIGTERM):
        process = begin(program, *flags)
        time.sleep(1.5)
        status, text = ends(process, number)
        assert status == 128 + number, (status, text)
        assert "a step computes 50000000 parts of 32" in text, text
        assert f"stopping; {signal.Signals(number).name} once more stops at once" in text, text
        assert "with a checkpoint" not in text, text # there is none to come
        assert "before the first step; there is no checkpoint to go on from" in text, text
        assert not (folder / "run").exists(), "an empty folder stays"


def waits_for_a_reader(process):
    """Whether a process prints more than its pipe holds."""
    def held():
        return struct.unpack("i", fcntl.ioctl(process.stdout, termios.FIONREAD, b"    "))[0]
    before = -1
    while held() != before or before == 0:
        before = held()
        time.sleep(0.5)
        assert process.poll() is None
    return before >= 60000


def test_a_second_signal_ends_it_wherever_it_is(folder):
    program = p.compile_source(folder, p.source(data=p.small_data(folder)))
    process = begin(program, "--json", "--steps", 1_000_000, "--to", folder / "run")
    assert waits_for_a_reader(process) # so a step cannot end, and the run looks at no signal
    process.send_signal(signal.SIGINT)
    time.sleep(1)
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    assert process.wait(20) == -signal.SIGINT
    process.stdout.close()


def test_between_steps_and_in_evaluations_one_ends_it_well(folder):
    program = p.compile_source(folder, p.source().replace("every = 1 epochs", "every = 1 steps"))
    process = begin(program, "--steps", 1_000_000, "--to", folder / "run")
    while not process.stdout.readline().startswith("step "):
        pass
    status, text = ends(process, signal.SIGTERM)
    assert status == 128 + signal.SIGTERM, (status, text)
    assert "stopping, with a checkpoint of the last whole step; SIGTERM once more" in text, text
    assert "train --resume goes on" in text, text
    process = begin(program, "--resume", "--to", folder / "run")
    time.sleep(2)
    status, text = ends(process, signal.SIGINT)
    assert status == 128 + signal.SIGINT, (status, text)


if __name__ == "__main__":
    p.main(p.tests_of(p.sys.modules[__name__]))
