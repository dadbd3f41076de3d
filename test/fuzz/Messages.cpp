// Words in backticks are the program's own and may be anything; the rest is the compiler's.
#include "test/fuzz/Messages.h"

#include "compiler/diagnostics/Render.h"
#include "compiler/source/Utf8.h"

#include <llvm/Support/JSON.h>

#include <cctype>
#include <sstream>

namespace dlm::fuzz {

namespace {

/// The text without what stands in backticks and double quotes.
std::string ownWords(const std::string &text) {
  std::string result;
  char quote = 0;
  for (char c : text) {
    if (quote) {
      if (c == quote) quote = 0;
    } else if (c == '`' || c == '"') {
      quote = c;
    } else {
      result += c;
    }
  }
  return result;
}

bool hasWord(const std::string &text, const std::string &word) {
  auto isLetter = [&](size_t i) {
    return i < text.size() && std::isalpha(static_cast<unsigned char>(text[i]));
  };
  for (size_t at = 0; (at = text.find(word, at)) != std::string::npos; ++at)
    if ((at == 0 || !isLetter(at - 1)) && !isLetter(at + word.size())) return true;
  return false;
}

/// A piece of the compiler's insides, or a word that messages do not use.
std::string bannedWord(const std::string &text) {
  std::string own = ownWords(text);
  for (const char *inside :
       {"mlir", "SSA", "NodeId", "nullptr", "std::", "dlm::", "0x", "K_", "<EOF>", "antlr",
        "internal error", "assert", "exception", "bad_alloc"})
    if (own.find(inside) != std::string::npos) return inside;
  for (const char *word : {"illegal", "bad", "simply", "please", "oops", "nan", "inf"})
    if (hasWord(own, word)) return word;
  return "";
}

std::string faultOfSpan(const SourceManager &sources, Span span) {
  if (!span.isValid()) return "";
  if (span.file >= sources.fileCount()) return "a span in no file";
  std::string_view text = sources.text(span.file);
  if (span.begin > span.end) return "a span that ends before it begins";
  if (span.end > text.size()) return "a span behind the end of its file";
  for (uint32_t at : {span.begin, span.end})
    if (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80 &&
        !firstInvalidUtf8(text))
      return "a span that cuts a character";
  return "";
}

std::string faultOfText(const std::string &text) {
  std::string banned = bannedWord(text);
  if (!banned.empty()) return "the word " + banned + " in: " + text;
  if (text.find('\n') != std::string::npos) return "a line end in: " + text;
  return "";
}

std::string faultOfDiagnostic(const SourceManager &sources, const Diagnostic &diagnostic) {
  if (diagnostic.message.empty()) return "an empty message";
  std::vector<std::string> faults = {faultOfSpan(sources, diagnostic.span),
                                     faultOfText(diagnostic.message)};
  for (const Label &label : diagnostic.labels) {
    faults.push_back(faultOfSpan(sources, label.span));
    faults.push_back(faultOfText(label.text));
  }
  for (const Note &note : diagnostic.notes) {
    faults.push_back(faultOfSpan(sources, note.span));
    faults.push_back(faultOfText(note.text));
  }
  for (const Help &help : diagnostic.helps) {
    faults.push_back(faultOfSpan(sources, help.span));
    faults.push_back(faultOfText(help.text));
  }
  for (const std::string &fault : faults)
    if (!fault.empty()) return fault;
  return "";
}

std::string faultOfRendered(const std::string &text) {
  constexpr size_t sizeMax = size_t(8) << 20;
  if (text.size() > sizeMax) return "messages of " + std::to_string(text.size()) + " bytes";
  if (firstInvalidUtf8(text)) return "messages that are not UTF-8";
  for (char c : text)
    if ((static_cast<unsigned char>(c) < 0x20 && c != '\n') || c == 0x7F)
      return "a control character in the messages: " + std::to_string(int(c));
  return "";
}

std::string faultOfJson(const std::string &text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    llvm::Expected<llvm::json::Value> value = llvm::json::parse(line);
    if (value) continue;
    return "a message that is not JSON: " + llvm::toString(value.takeError());
  }
  return "";
}

size_t countOf(const std::string &text, const std::string &part) {
  size_t count = 0;
  for (size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size())
    ++count;
  return count;
}

} // namespace

std::string faultOfMessages(const DiagnosticEngine &diagnostics) {
  for (const Diagnostic *diagnostic : diagnostics.sorted()) {
    std::string fault = faultOfDiagnostic(diagnostics.sources(), *diagnostic);
    if (!fault.empty()) return fault;
  }
  std::string text = renderText(diagnostics);
  if (text.empty() && diagnostics.hasErrors()) return "errors without a text";
  if (countOf("\n" + text, "\nerror[") > RenderOptions().errorsMax)
    return "more errors than are to be shown";
  std::string fault = faultOfRendered(text);
  return fault.empty() ? faultOfJson(renderJson(diagnostics)) : fault;
}

} // namespace dlm::fuzz
