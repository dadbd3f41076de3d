// See ProtocolValues.h.
#include "compiler/lsp/ProtocolValues.h"

#include "compiler/source/Utf8.h"

#include <algorithm>

namespace dlm::lsp {

llvm::lsp::Range toProtocol(const Range &range) {
  llvm::lsp::Range result;
  result.start = llvm::lsp::Position(int(range.begin.line), int(range.begin.character));
  result.end = llvm::lsp::Position(int(range.end.line), int(range.end.character));
  return result;
}

Range fromProtocol(const llvm::lsp::Range &range) {
  auto place = [](const llvm::lsp::Position &position) {
    return Position{uint32_t(std::max(position.line, 0)),
                    uint32_t(std::max(position.character, 0))};
  };
  return {place(range.start), place(range.end)};
}

llvm::lsp::Range ProtocolPlaces::range(Span span) {
  if (!span.isValid()) return {};
  auto [entry, isNew] = positions.try_emplace(span.file, analysis.sources.text(span.file));
  return toProtocol(entry->second.range(span));
}

std::optional<llvm::lsp::Location> ProtocolPlaces::location(Span span) {
  if (!span.isValid()) return std::nullopt;
  std::string path(analysis.sources.path(span.file));
  if (span.file < analysis.firstOwn) path = files.fileOf(path);
  if (path.empty()) return std::nullopt;
  llvm::Expected<llvm::lsp::URIForFile> uri = llvm::lsp::URIForFile::fromFile(path);
  if (!uri) {
    llvm::consumeError(uri.takeError());
    return std::nullopt;
  }
  llvm::lsp::Location result;
  result.uri = *uri;
  result.range = range(span);
  return result;
}

namespace {

/// What stands below the message in a terminal, but for the lines with places.
std::string textOf(const Diagnostic &diagnostic, const std::vector<std::string> &unplaced) {
  std::string text = diagnostic.message;
  for (const Label &label : diagnostic.labels)
    if (label.isPrimary && !label.text.empty()) text += "\n" + label.text;
  for (const std::string &note : unplaced)
    text += "\nnote: " + note;
  for (const Help &help : diagnostic.helps)
    text += "\nhelp: " + help.text;
  return replaceInvalidUtf8(text);
}

} // namespace

/// A copy that holds its strings: what LLVM makes of a URI only points to it.
static llvm::json::Value owned(const llvm::json::Value &value) {
  if (const llvm::json::Array *array = value.getAsArray()) {
    llvm::json::Array result;
    for (const llvm::json::Value &element : *array)
      result.push_back(owned(element));
    return result;
  }
  if (const llvm::json::Object *object = value.getAsObject()) {
    llvm::json::Object result;
    for (const auto &entry : *object)
      result[entry.first.str()] = owned(entry.second);
    return result;
  }
  if (std::optional<llvm::StringRef> text = value.getAsString()) return text->str();
  return value;
}

llvm::json::Object toProtocol(const Diagnostic &diagnostic, ProtocolPlaces &places) {
  std::vector<llvm::lsp::DiagnosticRelatedInformation> related;
  std::vector<std::string> unplaced;
  auto relate = [&](Span span, const std::string &text) {
    if (std::optional<llvm::lsp::Location> location = places.location(span))
      related.emplace_back(*location, replaceInvalidUtf8(text));
    else if (!text.empty())
      unplaced.push_back(text);
  };
  for (const Label &label : diagnostic.labels) {
    if (!label.isPrimary) relate(label.span, label.text.empty() ? "here" : label.text);
  }
  for (const Note &note : diagnostic.notes)
    relate(note.span, note.text);
  llvm::lsp::Diagnostic result;
  result.range = places.range(diagnostic.span);
  result.severity = diagnostic.severity == Severity::Error ? llvm::lsp::DiagnosticSeverity::Error
                                                           : llvm::lsp::DiagnosticSeverity::Warning;
  result.source = "dlm";
  result.message = textOf(diagnostic, unplaced);
  if (!related.empty()) result.relatedInformation = std::move(related);
  bool isUnused = diagnostic.kind == Kind::UnusedOption;
  if (isUnused) result.tags.push_back(llvm::lsp::DiagnosticTag::Unnecessary);
  llvm::json::Value value = owned(llvm::lsp::toJSON(result));
  llvm::json::Object object = std::move(*value.getAsObject());
  object["code"] = kindInfo(diagnostic.kind).word.data();
  return object;
}

namespace {

llvm::lsp::SymbolKind symbolKind(DeclarationKind kind) {
  using llvm::lsp::SymbolKind;
  switch (kind) {
  case DeclarationKind::Option:
    return SymbolKind::Constant;
  case DeclarationKind::Let:
  case DeclarationKind::Parameter:
    return SymbolKind::Variable;
  case DeclarationKind::Function:
    return SymbolKind::Function;
  case DeclarationKind::Model:
  case DeclarationKind::Optimizer:
    return SymbolKind::Class;
  case DeclarationKind::Stored:
    return SymbolKind::Field;
  case DeclarationKind::Train:
    return SymbolKind::Module;
  case DeclarationKind::Setting:
    return SymbolKind::Property;
  case DeclarationKind::Section:
    return SymbolKind::Namespace;
  case DeclarationKind::Test:
    return SymbolKind::Method;
  }
  return SymbolKind::Variable;
}

} // namespace

std::vector<llvm::lsp::DocumentSymbol> toProtocol(const std::vector<Declaration> &declarations,
                                                  const TextPositions &positions) {
  std::vector<llvm::lsp::DocumentSymbol> result;
  for (const Declaration &each : declarations) {
    if (each.kind == DeclarationKind::Parameter || each.name.empty()) continue;
    llvm::lsp::DocumentSymbol symbol(each.name, symbolKind(each.kind),
                                     toProtocol(positions.range(each.span)),
                                     toProtocol(positions.range(each.nameSpan)));
    bool isLong = each.kind == DeclarationKind::Section || each.kind == DeclarationKind::Test;
    if (!isLong) symbol.detail = each.header;
    symbol.children = toProtocol(each.children, positions);
    result.push_back(std::move(symbol));
  }
  return result;
}

llvm::lsp::CompletionItem toProtocol(const Suggestion &suggestion, size_t index,
                                     const llvm::lsp::Range &replaced) {
  using llvm::lsp::CompletionItemKind;
  static const CompletionItemKind kinds[] = {
      CompletionItemKind::Variable, CompletionItemKind::Function, CompletionItemKind::Class,
      CompletionItemKind::Field,    CompletionItemKind::Module,   CompletionItemKind::TypeParameter,
      CompletionItemKind::Keyword,  CompletionItemKind::Property, CompletionItemKind::Variable};
  llvm::lsp::CompletionItem item(suggestion.label, kinds[static_cast<int>(suggestion.kind)],
                                 std::to_string(10000 + index));
  item.detail = suggestion.detail;
  if (!suggestion.documentation.empty())
    item.documentation =
        llvm::lsp::MarkupContent{llvm::lsp::MarkupKind::Markdown, suggestion.documentation};
  item.insertTextFormat = llvm::lsp::InsertTextFormat::PlainText;
  item.textEdit = llvm::lsp::TextEdit{replaced, suggestion.insert.empty() ? suggestion.label
                                                                          : suggestion.insert};
  return item;
}

} // namespace dlm::lsp
