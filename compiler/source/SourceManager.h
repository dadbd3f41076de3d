// The texts of a compilation: who owns them, and where in them an offset lies.
//
// A text is stored once and never changes, so spans and views into it stay valid as long as this
// object lives. Offsets count bytes; lines and columns, which people read, count from one, and a
// column counts characters (UTF-8 code points).
#pragma once

#include "compiler/source/Span.h"

#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dlm {

/// A place as people name it; both count from one.
struct LineColumn {
  uint32_t line = 1;
  uint32_t column = 1;
};

class SourceManager {
public:
  /// Adds a text under the name that messages show. A byte order mark in front is dropped, and a
  /// carriage return that ends a line alone becomes a line feed.
  FileId addFile(std::string path, std::string text);

  /// Reads a file (`TextFile.h`). On failure returns nothing and says why in `reason`.
  std::optional<FileId> load(const std::string &path, std::string &reason);

  /// Texts that take the place of files, such as those that an editor holds and has not saved:
  /// asked by path before a file is read.
  using Overlay = std::function<std::optional<std::string>(const std::string &path)>;
  void setOverlay(Overlay texts) { overlay = std::move(texts); }

  uint32_t fileCount() const { return static_cast<uint32_t>(files.size()); }
  std::string_view path(FileId file) const { return files[file].path; }
  std::string_view text(FileId file) const { return files[file].text; }

  /// The text a span covers; empty for the span that is no place.
  std::string_view text(Span span) const;

  /// Line and column of a byte offset; offsets behind the end count as the end.
  LineColumn position(FileId file, uint32_t offset) const;

  /// The line of a byte offset alone.
  uint32_t line(FileId file, uint32_t offset) const;

  uint32_t lineCount(FileId file) const;

  /// Offset of the first byte of a line (which counts from one).
  uint32_t lineBegin(FileId file, uint32_t line) const;

  /// A line's text without its line end.
  std::string_view lineText(FileId file, uint32_t line) const;

private:
  /// A character in a text, and how many are before it.
  struct Mark {
    uint32_t offset = 0;
    uint32_t characters = 0;
  };
  struct File {
    std::string path;
    std::string text;
    std::vector<uint32_t> lineBegins;
    std::vector<Mark> marks; // one for every `markDistance` bytes: lines may be megabytes long
  };
  static std::vector<Mark> marksOf(std::string_view text);
  static uint32_t charactersBefore(const File &file, uint32_t offset);

  std::deque<File> files;
  Overlay overlay;
};

} // namespace dlm
