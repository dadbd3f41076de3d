// See Reference.h. Tables are told apart by the words in their heads.
#include "compiler/lsp/Reference.h"

#include <cctype>

namespace dlm::lsp {

extern const char *const referenceText; // generated from grammar/README.md

namespace {

struct Tables {
  std::vector<ReferenceEntry> functions, settings, ambient;
};

using Cells = std::vector<std::string>;

std::string trimmed(const std::string &text) {
  size_t begin = text.find_first_not_of(' '), end = text.find_last_not_of(' ');
  return begin == std::string::npos ? "" : text.substr(begin, end - begin + 1);
}

/// The cells of a line `| a | b |`; empty if it is none. `\|` is no border.
Cells cellsOf(const std::string &line) {
  Cells result;
  if (line.empty() || line[0] != '|') return result;
  std::string cell;
  for (size_t i = 1; i < line.size(); ++i) {
    if (line[i] == '\\' && i + 1 < line.size() && line[i + 1] == '|') {
      cell += line[++i];
    } else if (line[i] == '|') {
      result.push_back(trimmed(cell));
      cell.clear();
    } else {
      cell += line[i];
    }
  }
  return result;
}

std::string withoutTicks(const std::string &text) {
  std::string result;
  for (char c : text)
    if (c != '`') result += c;
  return result;
}

/// `[words](#place)` by its words: a place of the reference is none in an editor.
std::string withoutLinks(std::string text) {
  for (size_t middle; (middle = text.find("](#")) != std::string::npos;) {
    size_t end = text.find(')', middle);
    size_t begin = text.rfind('[', middle);
    if (end == std::string::npos || begin == std::string::npos) break;
    text.erase(middle, end + 1 - middle).erase(begin, 1);
  }
  return text;
}

bool isWordChar(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// The words of a text outside of brackets, with `.` in them: "max(a, b), min(a, b)" has two.
std::vector<std::string> wordsOutside(const std::string &text) {
  std::vector<std::string> result;
  std::string word;
  int depth = 0;
  for (char c : text + " ") {
    bool isPart = depth == 0 && (isWordChar(c) || (c == '.' && !word.empty()));
    if (isPart) {
      word += c;
      continue;
    }
    if (!word.empty()) result.push_back(word);
    word.clear();
    depth += (c == '(' || c == '[' || c == '{') - (c == ')' || c == ']' || c == '}');
  }
  return result;
}

/// The code of a cell: what stands between backticks, each a text.
std::vector<std::string> codesOf(const std::string &cell) {
  std::vector<std::string> result;
  for (size_t begin = cell.find('`'); begin != std::string::npos;) {
    size_t end = cell.find('`', begin + 1);
    if (end == std::string::npos) break;
    result.push_back(cell.substr(begin + 1, end - begin - 1));
    begin = cell.find('`', end + 1);
  }
  return result;
}

/// `module`: what stands in front of the names, as "random.".
void addFunctions(std::vector<ReferenceEntry> &out, const Cells &cells,
                  const std::string &module = "") {
  std::string written = withoutTicks(cells[0]);
  for (const std::string &name : wordsOutside(written))
    out.push_back({module + name, "", module + written, "", cells[1]});
}

/// "evaluate { every = d }", "batch = n", "fn loss(batch)", "let".
void addSettings(std::vector<ReferenceEntry> &out, const Cells &cells) {
  for (const std::string &code : codesOf(cells[0])) {
    size_t brace = code.find('{');
    std::string head = trimmed(code.substr(0, brace));
    if (brace == std::string::npos) {
      std::vector<std::string> words = wordsOutside(head);
      if (words.empty()) continue;
      bool isHook = words[0] == "fn" && words.size() > 1;
      out.push_back({isHook ? words[1] : words[0], "", code, cells[1], cells[2]});
      continue;
    }
    std::string section = head.substr(0, head.find(' '));
    out.push_back({section, "", code, cells[1], cells[2]});
    std::string inside = code.substr(brace + 1);
    bool isName = true;
    std::string word;
    for (char c : inside) { // a name stands at the begin and behind `;` and `,`
      if (isName && isWordChar(c)) {
        word += c;
        continue;
      }
      if (!word.empty()) out.push_back({word, section, code, cells[1], cells[2]});
      word.clear();
      if (c != ' ') isName = c == ';' || c == ',';
    }
  }
}

bool listsFunctions(const std::string &head) {
  for (const char *known : {"function", "reduction", "shapes and places", "windows",
                            "made of numbers", "made of a model", "initialiser", "data source"})
    if (head == known) return true;
  return false;
}

Tables readTables() {
  Tables result;
  Cells head;
  std::string line;
  for (const char *at = referenceText; *at; ++at) {
    if (*at != '\n') {
      line += *at;
      continue;
    }
    Cells cells = cellsOf(withoutLinks(std::move(line)));
    line.clear();
    if (cells.size() < 2) {
      head.clear();
      continue;
    }
    if (head.empty()) head = cells;
    bool isBorder = cells[0].find_first_not_of("-: ") == std::string::npos;
    if (&cells == &head || cells == head || isBorder) continue;
    if (listsFunctions(head[0])) addFunctions(result.functions, cells);
    if (head[0] == "`random.`") addFunctions(result.functions, cells, "random.");
    if (head[0] == "in a train block" && cells.size() > 2) addSettings(result.settings, cells);
    if (head[0] == "name" && head.back() == "meaning")
      for (const std::string &name : codesOf(cells[0]))
        result.ambient.push_back({name, "", name, "", cells.back()});
  }
  return result;
}

const Tables &tables() {
  static const Tables result = readTables();
  return result;
}

} // namespace

const std::vector<ReferenceEntry> &referenceFunctions() { return tables().functions; }
const std::vector<ReferenceEntry> &referenceSettings() { return tables().settings; }
const std::vector<ReferenceEntry> &referenceAmbient() { return tables().ambient; }

std::string meaningOf(const std::vector<ReferenceEntry> &entries, const std::string &name,
                      const std::string &section) {
  std::string result;
  for (const ReferenceEntry &entry : entries) {
    if (entry.name != name || entry.section != section || entry.meaning.empty()) continue;
    bool isHook = entry.written.rfind("fn ", 0) == 0;
    bool isPlain = entry.byDefault.empty() || isHook;
    if (!result.empty()) result += "\n\n";
    result += "`" + entry.written + "`: " + entry.meaning;
    if (!isPlain)
      result += entry.byDefault == "needed" ? " (needed)" : " (default: " + entry.byDefault + ")";
  }
  return result;
}

} // namespace dlm::lsp
