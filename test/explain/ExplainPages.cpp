// Keeps the pages of `dlmc explain` true: every kind has one, its wrong program gives that kind
// first and exactly the messages shown, its right program gives no message at all.
//
//   dlm-explain-test FOLDER           compares
//   dlm-explain-test --write FOLDER   writes today's messages into the pages, to be read afterwards
//
// In a train block the line `// ...` stands for what the page is not about: the data, the batch,
// the optimizer, the duration, the loss. A program without a train block gets one. `<FF>` is a byte
// that is not UTF-8, `(...)` 300 brackets.

#include "test/sema/TinyData.h"

#include "compiler/diagnostics/Render.h"
#include "compiler/sema/Check.h"
#include "compiler/syntax/Parser.h"

#include <cstdio>
#include <sstream>

namespace dlm {

namespace {

namespace fs = std::filesystem;

/// Kinds that no program shows, or none that stays wrong for long.
bool needsNoProgram(std::string_view word) {
  return word == "constant-column" || word == "missing-file" || word == "module-cycle" ||
         word == "not-yet";
}

std::string readText(const fs::path &path) {
  std::ifstream stream(path);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

struct Fence {
  std::string name; // what follows the three back quotes
  std::string text;
};

std::vector<Fence> readFences(const std::string &page) {
  std::istringstream lines(page);
  std::vector<Fence> fences;
  bool isInside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.compare(0, 3, "```") == 0) {
      if (!isInside) fences.push_back({line.substr(3), ""});
      isInside = !isInside;
    } else if (isInside) {
      fences.back().text += line + "\n";
    }
  }
  return fences;
}

const Fence *findFence(const std::vector<Fence> &fences, const std::string &name) {
  for (const Fence &fence : fences)
    if (fence.name == name) return &fence;
  return nullptr;
}

void replaceAll(std::string &text, const std::string &from, const std::string &to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

/// The settings and hooks of a train block that a snippet does not give itself.
std::string restOf(const std::string &text) {
  static const std::pair<const char *, const char *> parts[] = {
      {"  data =", "data = rest_data.idx(\"tiny\")"},
      {"  batch =", "batch = 2"},
      {"  optimizer =", "optimizer = rest_optim.SGD(lr = 0.1)"},
      {"  duration =", "duration = 2 steps"},
      {"fn loss(", "let rest_net = rest_nn.Linear(6, 3); fn loss(batch) { mean(rest_net(reshape("
                   "cast(batch.image, f32), [batch.size, 6]))) }"},
  };
  std::string rest;
  bool hasOptimizer = text.find("fn optimizer(") != std::string::npos;
  for (const auto &[mark, part] : parts)
    if (text.find(mark) == std::string::npos && !(hasOptimizer && part[0] == 'o'))
      rest += std::string(rest.empty() ? "" : "; ") + part;
  return rest;
}

/// The program that a snippet stands for.
std::string completed(std::string text) {
  bool hasRest = text.find("// ...\n") != std::string::npos;
  bool hasTrain = text.find("train ") != std::string::npos;
  std::string rest = restOf(text);
  replaceAll(text, "// ...\n", rest + "\n");
  replaceAll(text, "<FF>", "\xFF");
  replaceAll(text, "(...)", std::string(300, '(') + "1" + std::string(300, ')'));
  if (!hasTrain) text += "train rest {\n  " + rest + "\n}\n";
  if (hasRest || !hasTrain) text += "use nn as rest_nn, optim as rest_optim, data as rest_data\n";
  return text;
}

sema::CheckOptions flagsOf(const std::string &program) {
  sema::CheckOptions options;
  const std::string mark = "// flags:";
  if (program.compare(0, mark.size(), mark) != 0) return options;
  std::istringstream words(program.substr(mark.size(), program.find('\n') - mark.size()));
  for (std::string word; words >> word;) {
    size_t equals = word.find('=');
    if (word.rfind("--train=", 0) == 0)
      options.train = word.substr(equals + 1);
    else
      options.definitions.emplace_back(word.substr(2, equals - 2), word.substr(equals + 1));
  }
  return options;
}

/// All that is said about a snippet; sets the kind of the first message.
std::string saidAbout(const Fence &snippet, const std::vector<Fence> &fences, std::string &kind) {
  sema::TinyData data;
  data.writeText("text.schema.json", "{ \"train\": 1000, \"vocab\": 11 }");
  for (const Fence &fence : fences)
    if (fence.name.size() > 8 && fence.name[fence.name.size() - 4] == '.') // a module, or a table
      data.writeText(fence.name.substr(4), fence.text);
  SourceManager sources;
  DiagnosticEngine diagnostics(sources);
  FileId file = sources.addFile(snippet.name.substr(4) + ".dlm", completed(snippet.text));
  std::unique_ptr<ast::File> tree = parseFile(sources, file, diagnostics);
  if (tree) sema::check(*tree, sources, diagnostics, flagsOf(snippet.text));
  std::vector<const Diagnostic *> all = diagnostics.sorted();
  kind = all.empty() ? "" : std::string(kindInfo(all[0]->kind).word);
  std::string said = renderText(diagnostics);
  replaceAll(said, data.folder(), "FOLDER");
  return said;
}

class PageTest {
public:
  PageTest(const fs::path &folder, bool isWriting) : folder(folder), isWriting(isWriting) {}

  void run(const KindInfo &info) {
    word = std::string(info.word);
    fs::path path = folder / (word + ".md");
    std::string page = readText(path);
    if (page.compare(0, word.size() + 3, "# " + word + "\n") != 0)
      return fault("a page " + word + ".md that begins with `# " + word + "` is needed");
    if (needsNoProgram(word)) return;
    std::vector<Fence> fences = readFences(page);
    const Fence *wrong = findFence(fences, "dlm wrong");
    const Fence *right = findFence(fences, "dlm right");
    const Fence *text = findFence(fences, "text");
    if (!wrong || !right || !text)
      return fault("the page needs the parts `dlm wrong`, `text` and `dlm right`");
    std::string kind;
    std::string said = saidAbout(*wrong, fences, kind);
    if (kind != word) fault("the wrong program gives [" + kind + "] first:\n" + said);
    if (isWriting)
      write(path, page, *text, said);
    else if (said != text->text)
      fault("the wrong program gives other messages:\n" + said);
    said = saidAbout(*right, fences, kind);
    if (!said.empty()) fault("the right program gives messages:\n" + said);
  }

  /// A page that belongs to no kind is never seen.
  void checkNames() {
    for (const auto &entry : fs::directory_iterator(folder)) {
      word = entry.path().stem().string();
      if (word != "README" && !findKind(word)) fault("there is no kind of this name");
    }
  }

  int faults = 0;

private:
  void fault(const std::string &text) {
    std::printf("%s: %s\n", word.c_str(), text.c_str());
    ++faults;
  }

  static void write(const fs::path &path, std::string page, const Fence &text,
                    const std::string &said) {
    size_t at = page.find("```text\n") + 8;
    page.replace(at, text.text.size(), said);
    std::ofstream(path) << page;
  }

  fs::path folder;
  bool isWriting;
  std::string word;
};

} // namespace

} // namespace dlm

int main(int argumentCount, char **arguments) {
  bool isWriting = argumentCount == 3 && std::string(arguments[1]) == "--write";
  if (argumentCount != 2 && !isWriting) {
    std::fprintf(stderr, "usage: dlm-explain-test [--write] FOLDER\n");
    return 2;
  }
  dlm::PageTest test(std::filesystem::absolute(arguments[argumentCount - 1]), isWriting);
  for (const dlm::KindInfo &info : dlm::allKinds())
    test.run(info);
  test.checkNames();
  std::printf("%zu kinds, %d faults\n", dlm::allKinds().size(), test.faults);
  return test.faults == 0 ? 0 : 1;
}
