// Answers to an editor's questions. A document that is not open has no answers: null, or an empty
// list.
#include "compiler/format/Format.h"
#include "compiler/lsp/Hover.h"
#include "compiler/lsp/ProtocolValues.h"
#include "compiler/lsp/Server.h"

#include <algorithm>
#include <cctype>

namespace dlm::lsp {

using namespace llvm::lsp;
namespace json = llvm::json;

namespace {

uint32_t offsetIn(const std::string &text, const llvm::lsp::Position &position) {
  llvm::lsp::Range range;
  range.start = range.end = position;
  return TextPositions(text).offset(fromProtocol(range).begin);
}

/// Whether `line` lies in the lines of a range of a published diagnostic.
bool touches(const llvm::lsp::Range &asked, const llvm::lsp::Range &range) {
  return asked.start.line <= range.end.line && range.start.line <= asked.end.line;
}

/// Moves a place of an older text of a document to where it is now.
Span moved(Span span, const Analysis &analysis, const TextChange &change) {
  if (span.file != analysis.root) return span;
  return {span.file, change.toNew(span.begin), change.toNew(span.end)};
}

} // namespace

void Server::onHover(const TextDocumentPositionParams &params, Callback<Json> reply) {
  Document *document = current(params.textDocument.uri);
  if (!document) return reply(nullptr);
  uint32_t offset = offsetIn(document->text, params.position);
  std::optional<HoverText> hover = hoverAt(*document->analysis, offset);
  if (!hover && document->whole && document->whole != document->analysis) {
    const Analysis &old = *document->whole;
    TextChange change(old.sources.text(old.root), document->text);
    if (change.toOld(offset)) hover = hoverAt(old, offset);
    if (hover) hover->place = moved(hover->place, old, change);
  }
  if (!hover) return reply(nullptr);
  llvm::lsp::Hover result(toProtocol(TextPositions(document->text).range(hover->place)));
  result.contents = {MarkupKind::Markdown, hover->markdown};
  reply(llvm::lsp::toJSON(result));
}

void Server::onDefinition(const TextDocumentPositionParams &params, Callback<Json> reply) {
  Document *document = current(params.textDocument.uri);
  if (!document) return reply(nullptr);
  uint32_t offset = offsetIn(document->text, params.position);
  const Analysis *analysis = document->analysis.get();
  Span span = definitionAt(*analysis, offset);
  if (!span.isValid() && document->whole && document->whole.get() != analysis) {
    analysis = document->whole.get();
    TextChange change(analysis->sources.text(analysis->root), document->text);
    if (change.toOld(offset)) span = definitionAt(*analysis, offset);
    span = moved(span, *analysis, change);
    if (span.isValid() && span.file == analysis->root) {
      Location location;
      location.uri = params.textDocument.uri;
      location.range = toProtocol(TextPositions(document->text).range(span));
      return reply(llvm::lsp::toJSON(location));
    }
  }
  ProtocolPlaces places(*analysis, libraryFiles);
  std::optional<Location> location = places.location(span);
  reply(location ? llvm::lsp::toJSON(*location) : Json(nullptr));
}

void Server::onCompletion(const CompletionParams &params, Callback<Json> reply) {
  Document *document = current(params.textDocument.uri);
  if (!document) return reply(json::Array());
  uint32_t offset = offsetIn(document->text, params.position);
  uint32_t begin = offset;
  auto isWord = [&](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  while (begin > 0 && isWord(document->text[begin - 1]))
    --begin;
  bool isAfterError = document->analysis->hasSyntaxErrors && document->whole;
  const Analysis &known = isAfterError ? *document->whole : *document->analysis;
  std::vector<Suggestion> suggestions = suggestionsAt(known, document->path, document->text, offset,
                                                      documents.library(), documents.overlay());
  llvm::lsp::Range replaced = toProtocol(TextPositions(document->text).range({0, begin, offset}));
  json::Array items;
  for (const Suggestion &suggestion : suggestions)
    items.push_back(llvm::lsp::toJSON(toProtocol(suggestion, items.size(), replaced)));
  reply(std::move(items));
}

void Server::onSymbols(const DocumentSymbolParams &params, Callback<Json> reply) {
  Document *document = current(params.textDocument.uri);
  if (!document) return reply(json::Array());
  const Analysis &analysis = *document->analysis;
  const std::vector<Declaration> &own = analysis.declarations.at(analysis.root);
  std::vector<DocumentSymbol> symbols = toProtocol(own, TextPositions(document->text));
  json::Array result;
  for (const DocumentSymbol &symbol : symbols)
    result.push_back(llvm::lsp::toJSON(symbol));
  reply(std::move(result));
}

void Server::onFormatting(const DocumentSymbolParams &params, Callback<Json> reply) {
  Document *document = current(params.textDocument.uri);
  if (!document) return reply(json::Array());
  SourceManager sources;
  FileId file = sources.addFile(document->path, document->text);
  DiagnosticEngine diagnostics(sources);
  std::optional<std::string> formatted = formatText(sources, file, diagnostics);
  if (!formatted) return reply(json::Array()); // it does not parse, which is shown already
  TextChange change(document->text, *formatted);
  if (change.begin == change.oldEnd && change.begin == change.newEnd) return reply(json::Array());
  llvm::lsp::TextEdit edit;
  edit.range = toProtocol(TextPositions(document->text).range({0, change.begin, change.oldEnd}));
  edit.newText = formatted->substr(change.begin, change.newEnd - change.begin);
  reply(json::Array{llvm::lsp::toJSON(edit)});
}

void Server::onCodeAction(const CodeActionParams &params, Callback<Json> reply) {
  json::Array actions;
  const std::vector<std::string> &only = params.context.only;
  bool isAsked = only.empty() || std::any_of(only.begin(), only.end(), [](llvm::StringRef kind) {
                   return kind.empty() || kind == "quickfix";
                 });
  Document *document = current(params.textDocument.uri);
  if (!document || !isAsked) return reply(std::move(actions));
  const Analysis &analysis = *document->analysis;
  ProtocolPlaces places(analysis, libraryFiles);
  for (const dlm::Diagnostic &diagnostic : analysis.diagnostics) {
    if (diagnostic.span.file != analysis.root) continue;
    if (!touches(params.range, places.range(diagnostic.span))) continue;
    for (const Help &help : diagnostic.helps) {
      if (!help.span.isValid()) continue;
      std::optional<Location> location = places.location(help.span);
      if (!location) continue;
      bool isOwn = help.span.file == analysis.root;
      std::string uri = isOwn ? document->uri : location->uri.uri().str();
      json::Object edit{{"range", llvm::lsp::toJSON(location->range)},
                        {"newText", help.replacement}};
      json::Object changes;
      changes[uri] = json::Array{std::move(edit)};
      actions.push_back(json::Object{{"title", help.text},
                                     {"kind", "quickfix"},
                                     {"isPreferred", help.applicability == Applicability::Exact},
                                     {"diagnostics", json::Array{toProtocol(diagnostic, places)}},
                                     {"edit", json::Object{{"changes", std::move(changes)}}}});
    }
  }
  reply(std::move(actions));
}

} // namespace dlm::lsp
