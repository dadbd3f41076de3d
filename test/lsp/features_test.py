"""What the editor is told: messages, names, definitions, completion, symbols, formatting."""
import client as c

PROGRAM = """\
use nn, optim, data

option width = 32      /// hidden units
option rate = 1e-3

let fashion = data.idx("/usr/share/datasets/fashion-mnist", validation = 5%)

/// Images, flat and between 0 and 1.
fn flat(image: u8[B, H, W]) { reshape(cast(image, f32) / 255, [B, H * W]) }

/// A network with one hidden layer.
model Net(inputs: int, classes: int) {
  let hidden = nn.Linear(inputs, width)
  let output = nn.Linear(width, classes)
  param scale: f32[classes] = ones
  fn forward(x: f32[B, inputs]) -> f32[B, classes] {
    let h = relu(hidden(x))
    output(h) * scale
  }
}

train small {
  let net = Net(28 * 28, fashion.classes)
  data = fashion
  batch = 64
  fn loss(batch) { cross_entropy(net(flat(batch.image)), batch.label) }
  optimizer = optim.AdamW(lr = rate)
  duration = 2 epochs
  evaluate { every = 1 epochs }
}
"""


def code(text):
    """The first code block of a hover."""
    return text.split("```dlm\n")[1].split("\n```")[0]


def test_a_correct_program_has_no_messages(client):
    client.open("a.dlm", PROGRAM)
    assert client.diagnostics("a.dlm") == []
    assert client.end() == 0


def test_a_message_has_place_kind_and_what_is_related(client):
    client.open("a.dlm", PROGRAM.replace("output(h) * scale", "hidden(h) * scale"))
    (message,) = client.diagnostics("a.dlm")
    assert message["severity"] == 1 and message["source"] == "dlm", message
    assert message["code"] == "shape-mismatch", message
    text = client.texts["a.dlm"].split("\n")
    start = message["range"]["start"]
    assert "hidden(h)" in text[start["line"]], message
    assert message["message"].split("\n")[0].startswith("`x` is declared `f32[..., inputs]`")
    for related in message["relatedInformation"]:
        assert related["location"]["uri"].startswith("file://") and related["message"], message


def test_changes_of_parts_are_counted_in_utf16(client):
    client.open("a.dlm", PROGRAM)
    assert client.diagnostics("a.dlm", 1) == []
    # A comment with characters of one, two, three and four bytes, then a name behind them.
    client.edit("a.dlm", 2, (2, 0), (2, 0), "/* */\n".replace("/* */", "let été𝄞 = 1"))
    assert client.diagnostics("a.dlm", 2), "a clef is no letter"
    client.edit("a.dlm", 3, (2, 4), (2, 9), "n")
    assert client.diagnostics("a.dlm", 3) == []
    client.edit("a.dlm", 4, (2, 8), (2, 9), '"𝄞é" + m')
    (message,) = client.diagnostics("a.dlm", 4)
    assert message["code"] == "unknown-name", message
    assert message["range"] == {"start": c.at((2, 16)), "end": c.at((2, 17))}, message


def test_an_edit_that_would_help_is_an_action(client):
    client.open("a.dlm", PROGRAM.replace("relu(hidden", "relu(hiden"))
    (message,) = client.diagnostics("a.dlm")
    actions = client.ask("textDocument/codeAction", {
        "textDocument": {"uri": client.uri("a.dlm")}, "range": message["range"],
        "context": {"diagnostics": [message]}})
    (action,) = actions
    assert action["kind"] == "quickfix" and action["isPreferred"] in (True, False)
    (edit,) = action["edit"]["changes"][client.uri("a.dlm")]
    assert edit["newText"] == "hidden" and edit["range"] == message["range"], action
    assert action["diagnostics"][0]["code"] == "unknown-name"


def test_an_edit_that_is_certain_is_preferred(client):
    client.open("a.dlm", "let a = true && false\n")
    (message,) = client.diagnostics("a.dlm")
    actions = client.ask("textDocument/codeAction", {
        "textDocument": {"uri": client.uri("a.dlm")}, "range": message["range"],
        "context": {"diagnostics": [message], "only": ["quickfix"]}})
    (action,) = actions
    assert action["isPreferred"] is True, action
    assert action["edit"]["changes"][client.uri("a.dlm")][0]["newText"] == "and", action
    assert client.ask("textDocument/codeAction", {
        "textDocument": {"uri": client.uri("a.dlm")}, "range": message["range"],
        "context": {"diagnostics": [message], "only": ["refactor"]}}) == []


def test_a_loss_without_its_data_is_explained(client):
    client.open("a.dlm", PROGRAM.replace("/usr/share/datasets/fashion-mnist", "nowhere"))
    codes = [message["code"] for message in client.diagnostics("a.dlm")]
    assert codes == ["data-source"], codes
    assert code(client.hover("a.dlm", "fl|at(batch")) == "fn flat(image: u8[B, H, W])"
    assert client.definition("a.dlm", "loss(batch) { cross_entropy(n|et(")[2].startswith("let net")


def test_hover_says_what_a_name_is(client):
    client.open("a.dlm", PROGRAM)
    hover = lambda mark: client.hover("a.dlm", mark)
    assert code(hover("let |h = ")) == "let h: f32[batch, 32]"
    assert code(hover("output(|h)")) == "let h: f32[batch, 32]"
    assert code(hover("cast(|image")) == "parameter image: u8[batch, 28, 28]"
    assert code(hover("nn.Linear(|inputs")) == "parameter inputs = 784"
    assert code(hover("* sc|ale\n")) == "param scale: f32[10]"
    assert code(hover("data = fash|ion")).startswith("let fashion: data source")
    assert "image: u8[28, 28]" in hover("data = fash|ion")
    assert code(hover("batch.|image")) == "image: u8[batch, 28, 28]"
    text = hover("lr = ra|te")
    assert code(text) == "option rate = 1e-3", text
    text = hover("(inputs, |width)")
    assert "hidden units" in text and code(text) == "option width = 32", text


def test_hover_shows_signatures_and_documentation(client):
    client.open("a.dlm", PROGRAM)
    hover = lambda mark: client.hover("a.dlm", mark)
    text = hover("fl|at(batch")
    assert code(text) == "fn flat(image: u8[B, H, W])" and "between 0 and 1" in text, text
    text = hover("= N|et(28")
    assert code(text) == "model Net(inputs: int, classes: int)", text
    assert "one hidden layer" in text
    text = hover("nn.Lin|ear(inputs")
    assert code(text).startswith("model Linear(inputs: int, outputs: int") and "x @ weight" in text
    text = hover("resh|ape(cast")
    assert code(text).startswith("reshape(x,") and "the same elements" in text, text
    client.replace("a.dlm", PROGRAM + 'let layer = "layer." + string(3)\n', 2)
    text = hover("+ str|ing(3)")
    assert code(text).startswith("string(n)") and "as text" in text, text
    text = hover("let n|et =")
    assert "hidden.weight: f32[784, 32]" in text and "scale: f32[10]" in text, text


def test_hover_explains_settings(client):
    client.open("a.dlm", PROGRAM)
    text = client.hover("a.dlm", "dura|tion =")
    assert "setting duration" in text and "needed" in text and "epochs" in text, text
    text = client.hover("a.dlm", "ev|ery = 1")
    assert "setting evaluate.every" in text and "only at the end" in text, text


def test_definitions_are_found(client):
    client.open("a.dlm", PROGRAM)
    definition = lambda mark: client.definition("a.dlm", mark)
    assert definition("output(|h)") == ("a.dlm", 17, "let h = relu(hidden(x))")
    assert definition("fl|at(batch")[1] == 9
    assert definition("= N|et(28")[1] == 12
    assert definition("(inputs, wi|dth)")[1] == 3
    assert definition("* sc|ale\n")[2] == "param scale: f32[classes] = ones"
    file, _, text = definition("nn.Lin|ear(inputs")
    assert (file, text) == ("nn.dlm", "model Linear(inputs: int, outputs: int) {")
    file, _, text = definition("AdamW(l|r = ")
    assert file == "optim.dlm" and text.startswith("optimizer AdamW("), text
    for mark in ("use n|n", "n|n.Linear(inputs"):
        assert definition(mark)[:2] == ("nn.dlm", 1), mark
    assert definition("dura|tion =") is None


def test_modules_are_read_from_the_editor_before_the_disk(client):
    (client.folder / "mine.dlm").write_text("fn other(x) { x }\n")
    use = "use mine\nlet a = mine.|made(3)\n"
    client.open("a.dlm", use.replace("|", ""))
    (message,) = client.diagnostics("a.dlm", 1)
    assert message["code"] == "unknown-member", message
    client.open("mine.dlm", "/// Twice x.\nfn made(x) { 2 * x }\n")
    assert client.diagnostics("a.dlm", 1) == []
    assert client.definition("a.dlm", "mine.|made") == ("mine.dlm", 2, "fn made(x) { 2 * x }")
    assert client.definition("a.dlm", "use mi|ne")[:2] == ("mine.dlm", 1)
    assert "Twice x" in client.hover("a.dlm", "mine.|made")
    client.replace("mine.dlm", "fn made(x) { 2 * y }\n", 2)
    (message,) = client.diagnostics("mine.dlm", 2)
    assert message["code"] == "unknown-name", message
    client.close("mine.dlm")
    (message,) = client.diagnostics("a.dlm", 1)
    assert message["code"] == "unknown-member", message


def test_a_module_without_a_train_block_is_checked(client):
    client.open("m.dlm", "use nn\nmodel M(n: int) {\n  let a = nn.Linear(n, 2 * n)\n"
                "  fn forward(x: f32[B, n]) { a(x) |> reluu }\n}\n")
    (message,) = client.diagnostics("m.dlm")
    assert message["code"] == "unknown-name" and "reluu" in message["message"], message
    assert client.hover("m.dlm", "let |a =") is not None
    assert client.definition("m.dlm", "{ |a(x)")[1] == 3


def test_every_train_block_is_checked(client):
    second = PROGRAM[PROGRAM.index("train small"):].replace("small", "second")
    client.open("a.dlm", PROGRAM + second.replace("batch.label", "batch.lable"))
    (message,) = client.diagnostics("a.dlm")
    assert message["code"] == "unknown-member", message
    line = client.texts["a.dlm"].split("\n")[message["range"]["start"]["line"]]
    assert "lable" in line


def test_an_option_used_by_one_train_block_is_used(client):
    second = PROGRAM[PROGRAM.index("train small"):].replace("small", "second")
    client.open("a.dlm", PROGRAM + second.replace("lr = rate", "lr = 1e-3"))
    assert client.diagnostics("a.dlm") == []


def test_what_is_understood_of_a_broken_text_is_told(client):
    client.open("a.dlm", PROGRAM.replace("let h = relu(hidden(x))", "let h = = relu(hidden(x))"))
    messages = client.diagnostics("a.dlm")
    assert len(messages) == 1 and messages[0]["severity"] == 1, messages
    assert code(client.hover("a.dlm", "fl|at(image")) == "fn flat(image: u8[B, H, W])"
    client.replace("a.dlm", PROGRAM, 2)
    assert client.diagnostics("a.dlm", 2) == []
    client.replace("a.dlm", PROGRAM.replace("cross_entropy(net", "cross_entropy(((net"), 3)
    assert client.diagnostics("a.dlm", 3)
    assert code(client.hover("a.dlm", "output(|h)")) == "let h: f32[batch, 32]"
    assert client.definition("a.dlm", "= N|et(28")[1] == 12


def test_completion_of_members(client):
    at = lambda text, mark: (client.replace("a.dlm", text, 2), client.labels("a.dlm", mark))[1]
    client.open("a.dlm", PROGRAM)
    text = PROGRAM.replace("batch.label)", "batch.)")
    assert at(text, "batch.|)") == ["image", "label", "size"]
    layers = at(PROGRAM.replace("nn.Linear(inputs, width)", "nn."), "nn.|\n")
    assert layers[:2] == ["Attention", "BatchNorm"] and "norms" not in layers
    assert set(at(PROGRAM.replace("net(flat", "net.(flat"), "net.|(")) >= {
        "forward", "hidden", "output", "scale", "inputs", "classes"}
    assert set(at(PROGRAM.replace("relu(hidden(x))", "x."), "x.|\n")) == {"T", "dtype", "rank",
                                                                        "shape"}
    assert "classes" in at(PROGRAM, "fashion.|classes")


def test_completion_of_names_and_arguments(client):
    client.open("a.dlm", PROGRAM)
    labels = client.labels("a.dlm", "* sc|ale\n")
    assert {"h", "x", "scale", "hidden", "width", "relu", "flat", "B", "Net", "nn"} <= set(labels)
    assert "step" in labels and "if" in labels
    client.replace("a.dlm", PROGRAM.replace("lr = rate", ""), 2)
    labels = client.labels("a.dlm", "AdamW(|)")
    assert labels[:2] == ["lr =", "betas ="], labels
    labels = client.labels("a.dlm", "validation| = 5%")
    assert "validation =" in labels, labels
    items = {item["label"]: item for item in client.completion("a.dlm", "output(|h)")}
    assert items["h"]["detail"] == "let h: f32[batch, 32]"
    assert "the same elements" in items["reshape"]["documentation"]["value"]


def test_completion_of_settings_types_and_words(client):
    client.open("a.dlm", PROGRAM.replace("  duration", "  du\n  duration"))
    labels = client.labels("a.dlm", "  du|\n")
    assert {"data", "batch", "duration", "optimizer", "evaluate", "checkpoint", "fn loss",
            "seed", "let"} <= set(labels), labels
    assert client.labels("a.dlm", "evaluate { |every")[0] == "every"
    assert {"f32", "int", "u8"} <= set(client.labels("a.dlm", "inputs: |int"))
    assert "model" in client.labels("a.dlm", "|model Net")
    assert "optim" in client.labels("a.dlm", "use nn, |optim")
    assert client.labels("a.dlm", "/// hid|den") == []
    assert client.labels("a.dlm", "model |Net") == []


def test_functions_of_random_are_those_of_its_table(client):
    client.open("a.dlm", PROGRAM.replace("fn loss(batch) {", "fn loss(batch) {\n"
                                         "    let noise = random.normal([batch.size])\n"))
    text = client.hover("a.dlm", "random.nor|mal")
    assert code(text).startswith("random.normal(shape, mean?, std?)"), text
    assert "of mean 0 and deviation 1" in text and "normally distributed" not in text, text
    items = {i["label"]: i for i in client.completion("a.dlm", "random.|normal")}
    assert {"normal", "uniform", "bernoulli", "categorical", "int", "permutation"} <= set(items)
    missing = [name for name, item in items.items() if "documentation" not in item]
    assert not missing, f"grammar/README.md has no row for {missing} of `random`"


def test_names_in_a_test_are_explained(client):
    test = ('test "flat" {\n  let pixels = flat(cast(zeros([2, 3, 4]), u8))\n'
            "  expect pixels.shape[1] == 12\n}\n")
    client.open("a.dlm", PROGRAM + test)
    assert client.diagnostics("a.dlm") == []
    assert code(client.hover("a.dlm", "expect pix|els")) == "let pixels: f32[2, 12]"
    assert "pixels" in client.labels("a.dlm", "expect |pixels")
    assert "shape" in client.labels("a.dlm", "expect pixels.|shape")


def test_links_within_the_reference_are_shown_as_words(client):
    client.open("a.dlm", PROGRAM)
    items = client.completion("a.dlm", "output(|h)")
    texts = {i["label"]: str(i.get("documentation", "")) for i in items}
    assert "the last state of a loop" in texts["fold"], texts["fold"]
    assert not [name for name, text in texts.items() if "](#" in text]


def test_every_function_of_the_compiler_is_documented(client):
    client.open("a.dlm", PROGRAM)
    items = client.completion("a.dlm", "output(|h)")
    builtin = [i for i in items if i.get("detail", "").startswith(i["label"] + "(")]
    assert len(builtin) > 30
    missing = [i["label"] for i in builtin if "documentation" not in i]
    assert not missing, f"grammar/README.md has no row for {missing}"


def test_symbols_are_the_outline(client):
    client.open("a.dlm", PROGRAM)
    symbols = client.ask("textDocument/documentSymbol",
                         {"textDocument": {"uri": client.uri("a.dlm")}})
    names = [s["name"] for s in symbols]
    assert names == ["width", "rate", "fashion", "flat", "Net", "small"], names
    net = symbols[4]
    assert [s["name"] for s in net["children"]] == ["hidden", "output", "scale", "forward"]
    assert net["kind"] == 5 and net["detail"] == "model Net(inputs: int, classes: int)"
    assert [s["name"] for s in symbols[5]["children"]] == [
        "net", "data", "batch", "loss", "optimizer", "duration", "evaluate"]


def test_formatting_is_that_of_dlmc_fmt(client):
    options = {"textDocument": {"uri": client.uri("a.dlm")}, "options": {"tabSize": 2}}
    client.open("a.dlm", "let  a = 1\nlet b=[1,2]   // two\n", 2)
    (edit,) = client.ask("textDocument/formatting", options)
    lines = client.texts["a.dlm"].split("\n")
    begin, end = edit["range"]["start"], edit["range"]["end"]
    before = "\n".join(lines[:begin["line"]] + [lines[begin["line"]][:begin["character"]]])
    after = "\n".join([lines[end["line"]][end["character"]:]] + lines[end["line"] + 1:])
    result = before + edit["newText"] + after
    assert "let a = 1\nlet b = [1, 2]" in result and "// two" in result, result
    client.replace("a.dlm", result, 3)
    assert client.ask("textDocument/formatting", options) == []
    client.replace("a.dlm", "let a = = 1\n", 4)
    assert client.ask("textDocument/formatting", options) == []


if __name__ == "__main__":
    c.main(c.sys.modules[__name__])
