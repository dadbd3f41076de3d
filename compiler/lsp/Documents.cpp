// See Documents.h.
#include "compiler/lsp/Documents.h"
#include "compiler/source/TextFile.h"

#include <utility>

namespace dlm::lsp {

void Documents::open(std::string path, std::string uri, int64_t version, std::string text) {
  Document &document = documents[path];
  document.path = path;
  document.uri = std::move(uri);
  document.version = version;
  document.text = std::move(text);
  touch(path);
}

void Documents::change(const std::string &path, int64_t version,
                       const std::vector<TextEdit> &edits) {
  Document *document = find(path);
  if (!document) return;
  document->version = version;
  for (const TextEdit &edit : edits) {
    if (document->text.size() + edit.text.size() > TextFile::sizeBytesMax) continue;
    if (!edit.range) {
      document->text = edit.text;
      continue;
    }
    TextPositions positions(document->text);
    uint32_t begin = positions.offset(edit.range->begin), end = positions.offset(edit.range->end);
    if (end < begin) std::swap(begin, end);
    document->text.replace(begin, end - begin, edit.text);
  }
  touch(path);
}

void Documents::close(const std::string &path) {
  documents.erase(path);
  touch(path);
}

void Documents::touch(const std::string &path) {
  for (auto &[own, document] : documents)
    if (path.empty() || own == path || !document.analysis || document.analysis->paths.count(path))
      document.isStale = true;
}

Document *Documents::find(const std::string &path) {
  auto found = documents.find(path);
  return found == documents.end() ? nullptr : &found->second;
}

SourceManager::Overlay Documents::overlay() {
  return [this](const std::string &path) -> std::optional<std::string> {
    if (const Document *document = find(path)) return document->text;
    return std::nullopt;
  };
}

bool Documents::refresh(Document &document) {
  if (!document.isStale) return false;
  document.isStale = false;
  document.analysis = analyse(document.path, document.text, parsedLibrary, overlay());
  if (!document.analysis->hasSyntaxErrors) document.whole = document.analysis;
  return true;
}

} // namespace dlm::lsp
