"""Neovim's own client against the server, set up by the lines of editors/README.md.

Skipped (exit status 77) where there is no Neovim 0.11 or later; `NVIM` names another one.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
BIN = pathlib.Path(os.environ.get("DLM_BIN", ROOT / "build/release/bin")).resolve()
SKIPPED = 77

PROGRAM = """use nn
let width = 64 /// How wide it is.
let wrong = widht + 1
fn twice(x: f32[N]) -> f32[N] { x * 2 }
let y = twice(zeros([width]))
"""

SEEN = """file type dlm
opened: 3 12 17 unknown-name `widht` is not declared
definition 4 3
hover ```dlm fn twice(x: f32[N]) -> f32[N] ```
typed: 6 19 23 syntax `𝄞` is not part of the language
completion has Linear
formatted let z = nn.Linear
library nn.dlm read-only
stopped
"""


def neovim():
    """The path of a Neovim that is new enough, or None."""
    path = os.environ.get("NVIM") or shutil.which("nvim")
    if not path:
        return None
    first = subprocess.run([path, "--version"], capture_output=True, text=True).stdout
    version = re.match(r"NVIM v(\d+)\.(\d+)", first)
    return path if version and tuple(map(int, version.groups())) >= (0, 11) else None


def setup():
    text = (ROOT / "editors/README.md").read_text()
    return re.search(r"\*\*Neovim\*\*.*?```text\n(.*?)```", text, re.S)[1]


def main():
    path = neovim()
    if not path:
        print("there is no Neovim 0.11 or later")
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder).resolve()
        (folder / "a.dlm").write_text(PROGRAM)
        (folder / "setup.lua").write_text(setup())
        environment = dict(os.environ, PATH=f"{BIN}:{os.environ['PATH']}", DLM_SETUP="setup.lua",
                           XDG_STATE_HOME=str(folder / "state"), HOME=str(folder),
                           XDG_CACHE_HOME=str(folder / "cache"))
        script = pathlib.Path(__file__).with_name("neovim.lua")
        result = subprocess.run([path, "--headless", "--clean", "-u", "NONE", "-c",
                                 f"luafile {script}"], cwd=folder, env=environment, text=True,
                                capture_output=True, timeout=120)
        log = "".join(p.read_text() for p in (folder / "state").rglob("lsp.log"))
        assert result.returncode == 0 and result.stdout == SEEN, (result, log)
        assert "ERROR" not in log, log
        assert (folder / "a.dlm").read_text().endswith("let z = nn.Linear\n")
    print("ok")
    return 0


if __name__ == "__main__":
    sys.exit(main())
