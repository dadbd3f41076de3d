// Two insertions at one place count as overlapping: which comes first would be a guess.
#include "compiler/diagnostics/FixIts.h"

#include <map>

namespace dlm {

std::vector<FixIt> exactFixIts(const DiagnosticEngine &diagnostics, FileId file) {
  std::multimap<uint32_t, FixIt> all; // equal places keep the order of the messages
  for (const Diagnostic *diagnostic : diagnostics.sorted())
    for (const Help &help : diagnostic->helps)
      if (help.applicability == Applicability::Exact && help.span.file == file)
        all.insert({help.span.begin, {diagnostic->kind, help.span, help.replacement}});
  std::vector<FixIt> kept;
  for (auto &[begin, fixIt] : all) {
    bool isFree = kept.empty() || kept.back().span.end < begin ||
                  (kept.back().span.end == begin && kept.back().span.begin < kept.back().span.end);
    if (isFree) kept.push_back(std::move(fixIt));
  }
  return kept;
}

std::string applyFixIts(std::string_view text, const std::vector<FixIt> &fixIts) {
  std::string result;
  size_t done = 0;
  for (const FixIt &fixIt : fixIts) {
    result.append(text.substr(done, fixIt.span.begin - done));
    result += fixIt.replacement;
    done = fixIt.span.end;
  }
  return result.append(text.substr(done));
}

} // namespace dlm
