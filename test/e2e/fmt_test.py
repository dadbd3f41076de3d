"""`dlmc fmt` on files, folders, links and standard input."""
import os
import subprocess

import program as p

UGLY = "let  a=1\nlet b = [1,2]\n"
GOOD = "let a = 1\nlet b = [1, 2]\n"


def fmt(*words, **options):
    return p.run(p.BIN / "dlmc", "fmt", *words, **options)


def test_a_file_is_replaced_and_keeps_its_permissions(folder):
    file = folder / "a.dlm"
    file.write_text(UGLY)
    file.chmod(0o640)
    result = fmt(file)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    assert file.read_text() == GOOD
    assert file.stat().st_mode & 0o777 == 0o640
    assert os.listdir(folder) == ["a.dlm"]


def test_what_is_formatted_is_not_touched(folder):
    file = folder / "a.dlm"
    file.write_text(GOOD)
    before = file.stat()
    assert fmt(file).returncode == 0
    after = file.stat()
    assert (before.st_mtime_ns, before.st_ino) == (after.st_mtime_ns, after.st_ino)


def test_line_ends_and_a_byte_order_mark_go(folder):
    file = folder / "a.dlm"
    file.write_bytes(b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode())
    assert fmt("--check", file).returncode == 1
    assert fmt(file).returncode == 0
    assert file.read_bytes() == GOOD.encode()


def test_line_ends_of_any_system_mean_the_same(folder):
    """A carriage return alone ended lines on old Macs: comments and statements end there."""
    file = folder / "a.dlm"
    for end in ("\n", "\r\n", "\r"):
        file.write_bytes("let a = 1 // one\nlet b = [\n  a, // two\n]\nlet c = = 1\n"
                         .replace("\n", end).encode())
        result = p.run(p.BIN / "dlmc", "check", file)
        assert "a.dlm:5:9" in result.stderr and "5 | let c = = 1" in result.stderr, result.stderr
        file.write_bytes(GOOD.replace("\n", end).encode())
        assert fmt(file).returncode == 0
        assert file.read_bytes() == GOOD.encode(), end


def test_check_lists_and_changes_nothing(folder):
    (folder / "a.dlm").write_text(UGLY)
    (folder / "b.dlm").write_text(GOOD)
    result = fmt("--check", folder / "a.dlm", folder / "b.dlm")
    assert (result.returncode, result.stdout) == (1, f"{folder / 'a.dlm'}\n")
    assert (folder / "a.dlm").read_text() == UGLY
    assert fmt("--check", folder / "b.dlm").returncode == 0


def test_standard_input_goes_to_standard_output(folder):
    def piped(text, *words):
        return subprocess.run([p.BIN / "dlmc", "fmt", *words], input=text, text=True,
                              capture_output=True, timeout=60)
    result = piped(UGLY, "-")
    assert (result.returncode, result.stdout, result.stderr) == (0, GOOD, "")
    result = piped("let a = (1\n", "-")
    assert (result.returncode, result.stdout) == (1, "")
    assert "error[unclosed-bracket]" in result.stderr and "<stdin>:1:9" in result.stderr
    assert piped(UGLY, "-", "--check").returncode == 1


def test_errors_leave_the_file_and_the_others_are_done(folder):
    (folder / "bad.dlm").write_text("let a = = 1\n")
    (folder / "a.dlm").write_text(UGLY)
    result = fmt(folder / "bad.dlm", folder / "missing.dlm", folder / "a.dlm")
    assert result.returncode == 1
    assert "error[syntax]" in result.stderr and "bad.dlm:1:9" in result.stderr
    assert "error[missing-file]: `" in result.stderr
    assert "missing.dlm` cannot be read: no such file" in result.stderr
    assert (folder / "bad.dlm").read_text() == "let a = = 1\n"
    assert (folder / "a.dlm").read_text() == GOOD
    result = fmt("--diagnostics=json", folder / "bad.dlm")
    assert result.stderr.startswith("{")


def test_a_folder_is_all_programs_in_it(folder):
    for name in ("a.dlm", "sub/b.dlm", "sub/c.txt", ".hidden/d.dlm"):
        path = folder / "tree" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(UGLY)
    result = fmt("--check", folder / "tree")
    names = [line[len(str(folder / "tree")) + 1:] for line in result.stdout.splitlines()]
    assert names == ["a.dlm", "sub/b.dlm"]
    assert fmt(folder / "tree").returncode == 0
    assert (folder / "tree/sub/b.dlm").read_text() == GOOD
    assert (folder / "tree/.hidden/d.dlm").read_text() == UGLY
    (folder / "empty").mkdir()
    assert "no .dlm file" in fmt(folder / "empty").stderr


def test_a_link_stays_a_link(folder):
    (folder / "real").mkdir()
    (folder / "real/a.dlm").write_text(UGLY)
    (folder / "link.dlm").symlink_to(folder / "real/a.dlm")
    assert fmt(folder / "link.dlm").returncode == 0
    assert (folder / "link.dlm").is_symlink()
    assert (folder / "real/a.dlm").read_text() == GOOD


def test_a_read_only_file_is_refused(folder):
    file = folder / "a.dlm"
    file.write_text(UGLY)
    file.chmod(0o444)
    result = fmt(file)
    assert result.returncode == 1
    assert result.stderr == f"error: cannot write {file}: it is read-only\n"
    assert file.read_text() == UGLY


def test_wrong_words_are_explained(folder):
    assert "no file was given" in fmt().stderr
    result = fmt("--chek", folder / "a.dlm")
    assert result.returncode == 1 and "there is no flag `--chek`" in result.stderr


if __name__ == "__main__":
    p.main(p.tests_of(p.sys.modules[__name__]))
