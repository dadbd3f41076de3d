// See CursorContext.h. The words of each open bracket's statement are remembered, but for those
// that stand in brackets which are closed again.
#include "compiler/lsp/CursorContext.h"

#include <algorithm>
#include <cctype>
#include <vector>

namespace dlm::lsp {

namespace {

bool isNameChar(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// An open bracket, or the file: the words of the statement that is being written in it.
struct Frame {
  char bracket = 0; // ( [ { or 0 for the file
  std::vector<std::string> words;
};

class TextScan {
public:
  explicit TextScan(std::string_view text) : text(text) {}

  /// Reads all of the text; false if it ends in a comment or a string.
  bool run() {
    while (at < text.size())
      if (!step()) return false;
    return true;
  }

  std::vector<Frame> frames{1};

private:
  bool step() {
    char c = text[at];
    if (text.substr(at, 2) == "//") {
      at = text.find('\n', at);
      return at != std::string_view::npos;
    }
    if (c == '"') return skipString();
    if (c == '\n' || c == ';') {
      endStatement(c);
      ++at;
    } else if (std::isspace(static_cast<unsigned char>(c))) {
      ++at;
    } else if (isNameChar(c)) {
      size_t end = at;
      while (end < text.size() && (isNameChar(text[end]) || isPoint(end)))
        ++end;
      add(std::string(text.substr(at, end - at)));
      at = end;
    } else {
      addSign(c);
    }
    return true;
  }

  /// Whether a point is part of a number.
  bool isPoint(size_t index) const {
    return text[index] == '.' && std::isdigit(static_cast<unsigned char>(text[at])) &&
           text.substr(index, 2) != "..";
  }

  bool skipString() {
    for (++at; at < text.size() && text[at] != '"' && text[at] != '\n'; ++at)
      at += text[at] == '\\';
    if (at >= text.size()) return false;
    at += text[at] == '"';
    add("\"\"");
    return true;
  }

  void addSign(char c) {
    static const char *const pairs[] = {"..", "->", "=>", "==", "!=", "<=", ">=", "|>", "**"};
    if (c == '(' || c == '[' || c == '{') {
      add(std::string(1, c));
      frames.push_back({c, {}});
    } else if (c == ')' || c == ']' || c == '}') {
      if (frames.size() > 1) frames.pop_back();
      if (c == '}')
        endStatement(';'); // what comes behind a block is a new statement, or `else`
      else
        add(std::string(1, c));
    } else {
      bool isPair = std::any_of(std::begin(pairs), std::end(pairs),
                                [&](const char *pair) { return text.substr(at, 2) == pair; });
      add(std::string(text.substr(at, isPair ? 2 : 1)));
      at += isPair;
    }
    ++at;
  }

  void add(std::string word) { frames.back().words.push_back(std::move(word)); }

  void endStatement(char by) {
    Frame &frame = frames.back();
    bool isOpen = frame.bracket == '(' || frame.bracket == '[';
    if (isOpen || frame.words.empty()) return;
    const std::string &last = frame.words.back();
    bool goesOn =
        by == '\n' && !isNameChar(last[0]) && last != ")" && last != "]" && last != "\"\"";
    if (!goesOn) frame.words.clear();
  }

  std::string_view text;
  size_t at = 0;
};

/// The first word of the statement that a block belongs to: `train`, `fn`, `evaluate`.
std::string headOf(const std::vector<Frame> &frames, size_t depth) {
  const std::vector<std::string> &words = frames[depth - 1].words;
  return words.empty() ? "" : words[0];
}

bool isAnyOf(const std::string &word, std::initializer_list<const char *> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Whether `(` of a frame opens the parameters of a declaration or of `fn(x)`.
bool isParameterList(const Frame &outer) {
  const std::vector<std::string> &words = outer.words; // the last one is the bracket
  size_t count = words.size();
  if (count >= 2 && words[count - 2] == "fn") return true;
  return count >= 3 && isAnyOf(words[count - 3], {"fn", "model", "optimizer", "command"});
}

CursorContext::Kind beginOfLine(const std::vector<Frame> &frames, std::string &section) {
  size_t depth = frames.size() - 1;
  if (depth == 0) return CursorContext::Declaration;
  std::string head = headOf(frames, depth);
  if (isAnyOf(head, {"train", "search", "export"}) && depth == 1) return CursorContext::Setting;
  if (isAnyOf(head, {"model", "optimizer"}) && depth == 1) return CursorContext::ModelMember;
  bool isInTrain = depth == 2 && isAnyOf(headOf(frames, 1), {"train", "search", "export"});
  if (isInTrain && !isAnyOf(head, {"fn", "command", "let"})) {
    section = head;
    return CursorContext::Setting;
  }
  return CursorContext::Statement;
}

bool isTypePlace(const std::vector<Frame> &frames) {
  const Frame &frame = frames.back();
  if (frame.words.back() == "->") return true;
  if (frame.words.back() != ":") return false;
  if (frame.bracket == '(') return true;
  return frame.bracket != '[' &&
         isAnyOf(frame.words[0], {"let", "param", "buffer", "state", "option", "optimizer"});
}

} // namespace

CursorContext contextAt(std::string_view text, size_t offset) {
  CursorContext result;
  result.wordBegin = offset;
  while (result.wordBegin > 0 && isNameChar(text[result.wordBegin - 1]))
    --result.wordBegin;
  bool isNumber =
      result.wordBegin < offset && std::isdigit(static_cast<unsigned char>(text[result.wordBegin]));
  TextScan scan(text.substr(0, result.wordBegin));
  if (!scan.run() || isNumber) {
    result.kind = CursorContext::Nothing;
    return result;
  }
  const std::vector<Frame> &frames = scan.frames;
  const Frame &frame = frames.back();
  if (frame.words.empty() && frame.bracket != '(' && frame.bracket != '[') {
    result.kind = beginOfLine(frames, result.section);
    return result;
  }
  const std::string last = frame.words.empty() ? "" : frame.words.back();
  bool isUse = !frame.words.empty() && frame.words[0] == "use" && frames.size() == 1;
  bool isParameters = frame.bracket == '(' && isParameterList(frames[frames.size() - 2]);
  bool isFirst = last.empty() || last == ",";
  if (last == ".")
    result.kind = CursorContext::Member;
  else if (isUse)
    result.kind = last == "as" ? CursorContext::Nothing : CursorContext::Module;
  else if (!last.empty() && isTypePlace(frames))
    result.kind = CursorContext::Type;
  else if (isAnyOf(last, {"let", "fn", "model", "option", "param", "buffer", "state", "train",
                          "optimizer", "command", "for"}) ||
           (isParameters && isFirst))
    result.kind = CursorContext::Nothing;
  else if (isFirst && frame.bracket == '(') {
    const std::vector<std::string> &outer = frames[frames.size() - 2].words;
    bool isCall = outer.size() >= 2 && (isNameChar(outer[outer.size() - 2][0]) ||
                                        isAnyOf(outer[outer.size() - 2], {")", "]"}));
    result.kind = isCall ? CursorContext::Argument : CursorContext::Expression;
  }
  return result;
}

} // namespace dlm::lsp
