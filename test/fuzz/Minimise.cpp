// Delta debugging: halves, quarters, ... of the parts are taken out where the failure allows it.
#include "test/fuzz/Minimise.h"

#include "runtime/base/Clock.h"
#include "test/fuzz/Tokens.h"

#include <algorithm>
#include <cctype>

namespace dlm::fuzz {

namespace {

class Minimiser {
public:
  Minimiser(Worker &worker, const std::string &failure, double seconds)
      : worker(worker), signature(signatureOf(failure)),
        deadlineNs(monotonicNs() + int64_t(seconds * 1e9)) {}

  void reduce(Input &input,
              const std::function<std::vector<std::string>(const std::string &)> &cut) {
    std::vector<std::string> parts = cut(input.text);
    for (size_t size = std::max<size_t>(1, parts.size() / 2); size > 0; size /= 2)
      for (size_t at = 0; at < parts.size() && monotonicNs() < deadlineNs;) {
        std::vector<std::string> fewer = parts;
        auto begin = fewer.begin() + ptrdiff_t(at);
        fewer.erase(begin, begin + ptrdiff_t(std::min(size, fewer.size() - at)));
        Input smaller = input;
        smaller.text.clear();
        for (const std::string &part : fewer)
          smaller.text += part;
        if (fails(smaller)) {
          input = smaller;
          parts = fewer;
        } else {
          at += size;
        }
      }
  }

  bool fails(const Input &input) {
    std::optional<std::string> failure = worker.runOne(input);
    return failure && signatureOf(*failure) == signature;
  }

private:
  Worker &worker;
  std::string signature;
  int64_t deadlineNs;
};

std::vector<std::string> linesOf(const std::string &text) {
  std::vector<std::string> lines;
  for (size_t at = 0; at < text.size();) {
    size_t end = std::min(text.size(), text.find('\n', at) + 1);
    if (end == 0) end = text.size();
    lines.push_back(text.substr(at, end - at));
    at = end;
  }
  return lines;
}

std::vector<std::string> tokenTextsOf(const std::string &text) {
  std::vector<std::string> texts;
  for (const Token &token : tokensOf(text))
    texts.push_back(token.text);
  return texts;
}

} // namespace

std::string signatureOf(const std::string &failure) {
  std::string result;
  char quote = 0;
  for (char c : failure.substr(0, failure.find('\n'))) {
    if (quote && c != quote) continue;
    if (c == '`' || c == '"')
      quote = quote ? 0 : c;
    else if (!std::isdigit(static_cast<unsigned char>(c)))
      result += c;
  }
  return result.substr(0, 120);
}

Input minimised(Worker &worker, Input input, const std::string &failure, double seconds) {
  Minimiser minimiser(worker, failure, seconds);
  if (!minimiser.fails(input)) return input;
  Input plain = input;
  plain.definitions.clear();
  if (minimiser.fails(plain)) input = plain;
  minimiser.reduce(input, linesOf);
  minimiser.reduce(input, tokenTextsOf);
  minimiser.reduce(input, linesOf);
  return input;
}

} // namespace dlm::fuzz
