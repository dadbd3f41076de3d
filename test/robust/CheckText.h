// Checks a text in a folder with the tiny data set, and says what was said and how long it took.
#pragma once

#include "compiler/diagnostics/Render.h"
#include "compiler/sema/Check.h"
#include "compiler/syntax/Parser.h"
#include "runtime/base/Clock.h"
#include "test/sema/TinyData.h"

#include <optional>
#include <string>

namespace dlm::sema {

struct CheckOutcome {
  std::string said;
  std::optional<TypedProgram> program;
  double seconds = 0;

  bool says(const std::string &part) const { return said.find(part) != std::string::npos; }
  /// The kind of the first error; empty if there is none.
  std::string firstKind() const {
    size_t begin = said.find("error[");
    if (begin == std::string::npos) return "";
    return said.substr(begin + 6, said.find(']', begin) - begin - 6);
  }
};

inline CheckOutcome checkWhole(const std::string &text, const CheckOptions &options = {}) {
  CheckOutcome outcome;
  int64_t startNs = monotonicNs();
  SourceManager sources;
  DiagnosticEngine diagnostics(sources);
  FileId file = sources.addFile("a.dlm", text);
  std::unique_ptr<ast::File> tree = parseFile(sources, file, diagnostics);
  if (tree) outcome.program = check(*tree, sources, diagnostics, options);
  outcome.said = renderText(diagnostics);
  outcome.seconds = double(monotonicNs() - startNs) / 1e9;
  return outcome;
}

/// A train block for programs that are about something else.
inline const std::string smallTrain = R"(
train t {
  let net = nn.Linear(6, 3)
  data = data.idx("tiny")
  batch = 2
  fn loss(b) { cross_entropy(net(reshape(cast(b.image, f32), [batch, 6])), b.label) }
  optimizer = optim.SGD(lr = 0.1)
  duration = 2 steps
}
)";

inline CheckOutcome checkWithTrain(const std::string &text) {
  TinyData data;
  return checkWhole("use nn, optim, data\n" + text + smallTrain);
}

} // namespace dlm::sema
