// The documents that the editor holds open, and what is known about each.
#pragma once

#include "compiler/lsp/Analysis.h"
#include "compiler/lsp/TextPositions.h"

#include <map>
#include <memory>
#include <optional>
#include <string>

namespace dlm::lsp {

struct Document {
  std::string path;
  std::string uri; // as the editor writes it
  int64_t version = 0;
  std::string text;
  bool isStale = true; // the text, or one it uses, changed after it was analysed
  std::shared_ptr<const Analysis> analysis;
  /// The last one without syntax errors: what it knew about lines that do not parse now is still
  /// worth telling.
  std::shared_ptr<const Analysis> whole;
};

/// One change of a text: of a part of it, or all of it.
struct TextEdit {
  std::optional<Range> range;
  std::string text;
};

class Documents {
public:
  void open(std::string path, std::string uri, int64_t version, std::string text);
  void change(const std::string &path, int64_t version, const std::vector<TextEdit> &edits);
  void close(const std::string &path);
  /// Marks every document that may depend on a file; on any file if the path is empty.
  void touch(const std::string &path);

  Document *find(const std::string &path);
  std::map<std::string, Document> &all() { return documents; }

  /// Analyses a document if it is stale; true if it was.
  bool refresh(Document &document);
  SourceManager::Overlay overlay();
  const Library &library() const { return parsedLibrary; }

private:
  std::map<std::string, Document> documents; // by path
  Library parsedLibrary;
};

} // namespace dlm::lsp
