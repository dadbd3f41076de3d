"""A client for the language server: starts it, sends messages, sorts what comes back."""
import json
import os
import pathlib
import queue
import subprocess
import sys
import threading

ROOT = pathlib.Path(__file__).resolve().parents[2]
BIN = pathlib.Path(os.environ.get("DLM_BIN", ROOT / "build/release/bin"))


class Client:
    """One server. Requests wait for their answers; notifications of the server are kept."""

    def __init__(self, folder, initialize=True):
        environment = dict(os.environ, XDG_CACHE_HOME=str(pathlib.Path(folder) / "cache"))
        self.process = subprocess.Popen([BIN / "dlm-lsp", "--stdio"], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, env=environment)
        self.folder = pathlib.Path(folder)
        self.messages = queue.Queue()
        self.published = []  # parameters of all publishDiagnostics so far
        self.texts = {}
        self.count = 0
        threading.Thread(target=self._read, daemon=True).start()
        if initialize:
            self.capabilities = self.ask("initialize", {"processId": None, "rootUri": None,
                                                        "capabilities": {}})["capabilities"]
            self.tell("initialized", {})

    def _read(self):
        out = self.process.stdout
        while True:
            length = None
            while (line := out.readline()) not in (b"\r\n", b""):
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            if length is None:
                self.messages.put(None)
                return
            self.messages.put(json.loads(out.read(length)))

    def send_bytes(self, body, header=None):
        header = header or b"Content-Length: %d\r\n\r\n" % len(body)
        self.process.stdin.write(header + body)
        self.process.stdin.flush()

    def send(self, message):
        self.send_bytes(json.dumps(message).encode())

    def tell(self, method, params):
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def receive(self, timeout=60):
        message = self.messages.get(timeout=timeout)
        if message and message.get("method") == "textDocument/publishDiagnostics":
            self.published.append(message["params"])
        return message

    def ask_whole(self, method, params):
        """The whole answer to a request, with `result` or `error`."""
        self.count += 1
        self.send({"jsonrpc": "2.0", "id": self.count, "method": method, "params": params})
        while True:
            message = self.receive()
            assert message is not None, "the server ended"
            if message.get("id") == self.count:
                return message

    def ask(self, method, params):
        answer = self.ask_whole(method, params)
        assert "error" not in answer, answer
        return answer["result"]

    # Documents. A name is a file of the folder; a place is given by text with `|` in it.

    def uri(self, name):
        return (self.folder / name).as_uri()

    def open(self, name, text, version=1):
        self.texts[name] = text
        self.tell("textDocument/didOpen", {"textDocument": {
            "uri": self.uri(name), "languageId": "dlm", "version": version, "text": text}})

    def replace(self, name, text, version):
        """The whole text is new."""
        self.texts[name] = text
        self.tell("textDocument/didChange", {
            "textDocument": {"uri": self.uri(name), "version": version},
            "contentChanges": [{"text": text}]})

    def edit(self, name, version, begin, end, text):
        """A part of the text is new; places are (line, UTF-16 unit)."""
        self.tell("textDocument/didChange", {
            "textDocument": {"uri": self.uri(name), "version": version},
            "contentChanges": [{"range": {"start": at(begin), "end": at(end)}, "text": text}]})

    def close(self, name):
        self.tell("textDocument/didClose", {"textDocument": {"uri": self.uri(name)}})

    def diagnostics(self, name, version=None):
        """Waits for the messages about a file, of this version if one is given."""
        uri = self.uri(name)
        while True:
            for params in self.published:
                if params["uri"] == uri and (version is None or params.get("version") == version):
                    self.published.remove(params)
                    return params["diagnostics"]
            assert self.receive() is not None, "the server ended"

    def place(self, name, mark):
        """The position of `|` in `mark`, the rest of which is a part of the text."""
        index = mark.index("|")
        text = self.texts[name]
        begin = text.index(mark.replace("|", "", 1))
        before = text[:begin + index]
        line = before.count("\n")
        column = len(before.rsplit("\n", 1)[-1].encode("utf-16-le")) // 2
        return {"line": line, "character": column}

    def at(self, name, mark):
        return {"textDocument": {"uri": self.uri(name)}, "position": self.place(name, mark)}

    def hover(self, name, mark):
        result = self.ask("textDocument/hover", self.at(name, mark))
        return result and result["contents"]["value"]

    def definition(self, name, mark):
        """The place of a definition as (file name, line from 1, the line's text)."""
        result = self.ask("textDocument/definition", self.at(name, mark))
        if result is None:
            return None
        path = pathlib.Path(result["uri"].removeprefix("file://"))
        text = self.texts.get(path.name) if path.parent == self.folder else path.read_text()
        line = result["range"]["start"]["line"]
        return path.name, line + 1, text.split("\n")[line].strip()

    def completion(self, name, mark):
        return self.ask("textDocument/completion", self.at(name, mark))

    def labels(self, name, mark):
        return [item["label"] for item in self.completion(name, mark)]

    def end(self):
        """Shuts the server down as an editor does; its exit status."""
        self.ask("shutdown", None)
        self.tell("exit", None)
        return self.process.wait(timeout=60)


def at(place):
    return {"line": place[0], "character": place[1]}


def main(module):
    """Runs the tests of a module in the order written, each with a folder and a server."""
    import tempfile
    chosen = sys.argv[1:]
    failures = 0
    for name, test in list(vars(module).items()):
        if not name.startswith("test_") or (chosen and name not in chosen):
            continue
        with tempfile.TemporaryDirectory() as folder:
            folder = str(pathlib.Path(folder).resolve())
            client = Client(folder)
            try:
                test(client)
                print("ok  ", name)
            except Exception as error:
                failures += 1
                print("FAIL", name, "-", type(error).__name__, error)
            finally:
                client.process.kill()
                client.process.wait()
    sys.exit(1 if failures else 0)
