// The same fields as the text form, for editors and scripts. Columns count characters, as in text.

#include "compiler/diagnostics/Render.h"
#include "compiler/source/Utf8.h"

#include <nlohmann/json.hpp>

namespace dlm {

namespace {

using OrderedJson = nlohmann::ordered_json;

void addPlace(OrderedJson &object, const SourceManager &sources, Span span) {
  if (!span.isValid()) return;
  LineColumn begin = sources.position(span.file, span.begin);
  LineColumn end = sources.position(span.file, span.end);
  object["file"] = replaceInvalidUtf8(sources.path(span.file));
  object["begin"] = span.begin;
  object["end"] = span.end;
  object["line"] = begin.line;
  object["column"] = begin.column;
  object["end_line"] = end.line;
  object["end_column"] = end.column;
}

const char *applicabilityWord(Applicability applicability) {
  switch (applicability) {
  case Applicability::Exact:
    return "exact";
  case Applicability::Placeholder:
    return "placeholder";
  case Applicability::Guess:
    return "guess";
  }
  return "guess";
}

OrderedJson toJson(const SourceManager &sources, const Diagnostic &diagnostic) {
  OrderedJson object;
  object["kind"] = kindInfo(diagnostic.kind).word;
  object["severity"] = diagnostic.severity == Severity::Error ? "error" : "warning";
  object["message"] = replaceInvalidUtf8(diagnostic.message);
  addPlace(object, sources, diagnostic.span);
  object["labels"] = OrderedJson::array();
  for (const Label &label : diagnostic.labels) {
    OrderedJson entry = {{"text", replaceInvalidUtf8(label.text)}, {"primary", label.isPrimary}};
    addPlace(entry, sources, label.span);
    object["labels"].push_back(std::move(entry));
  }
  object["notes"] = OrderedJson::array();
  for (const Note &note : diagnostic.notes) {
    OrderedJson entry = {{"text", replaceInvalidUtf8(note.text)}};
    addPlace(entry, sources, note.span);
    object["notes"].push_back(std::move(entry));
  }
  object["helps"] = OrderedJson::array();
  for (const Help &help : diagnostic.helps) {
    OrderedJson entry = {{"text", replaceInvalidUtf8(help.text)}};
    addPlace(entry, sources, help.span);
    if (help.span.isValid()) {
      entry["replacement"] = replaceInvalidUtf8(help.replacement);
      entry["applicability"] = applicabilityWord(help.applicability);
    }
    object["helps"].push_back(std::move(entry));
  }
  return object;
}

} // namespace

std::string renderJson(const DiagnosticEngine &diagnostics) {
  std::string out;
  for (const Diagnostic *diagnostic : diagnostics.sorted())
    out += toJson(diagnostics.sources(), *diagnostic).dump() + "\n";
  return out;
}

} // namespace dlm
