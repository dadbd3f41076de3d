// Line starts are collected once when a text is added, and how many characters are before some of
// its places; a position is then a binary search and a short walk, however long its line is.

#include "compiler/source/SourceManager.h"

#include "compiler/source/TextFile.h"
#include "compiler/source/Utf8.h"

#include <algorithm>

namespace dlm {

static constexpr size_t markDistance = 256;

std::vector<SourceManager::Mark> SourceManager::marksOf(std::string_view text) {
  std::vector<Mark> marks;
  Mark here;
  while (here.offset < text.size()) {
    if (here.offset >= marks.size() * markDistance) marks.push_back(here);
    here.offset += static_cast<uint32_t>(characterLength(text, here.offset));
    ++here.characters;
  }
  return marks;
}

uint32_t SourceManager::charactersBefore(const File &file, uint32_t offset) {
  if (file.marks.empty()) return 0;
  size_t index = std::min(offset / markDistance, file.marks.size() - 1);
  if (file.marks[index].offset > offset) --index; // a character lies across the distance
  const Mark &mark = file.marks[index];
  std::string_view between(file.text);
  between = between.substr(mark.offset, offset - mark.offset);
  return mark.characters + static_cast<uint32_t>(characterCount(between));
}

FileId SourceManager::addFile(std::string path, std::string text) {
  if (text.compare(0, 3, "\xEF\xBB\xBF") == 0) text.erase(0, 3);
  for (size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\r' && text.compare(i + 1, 1, "\n") != 0) text[i] = '\n';
  File file{std::move(path), std::move(text), {0}, {}};
  file.marks = marksOf(file.text);
  for (size_t i = 0; i < file.text.size(); ++i)
    if (file.text[i] == '\n') file.lineBegins.push_back(static_cast<uint32_t>(i + 1));
  files.push_back(std::move(file));
  return static_cast<FileId>(files.size() - 1);
}

std::optional<FileId> SourceManager::load(const std::string &path, std::string &reason) {
  if (overlay)
    if (std::optional<std::string> text = overlay(path)) return addFile(path, std::move(*text));
  std::optional<std::string> text = readTextFile(path, reason);
  if (!text) return std::nullopt;
  return addFile(path, std::move(*text));
}

std::string_view SourceManager::text(Span span) const {
  if (!span.isValid()) return {};
  std::string_view all = text(span.file);
  size_t begin = std::min<size_t>(span.begin, all.size());
  size_t end = std::min<size_t>(std::max(span.begin, span.end), all.size());
  return all.substr(begin, end - begin);
}

LineColumn SourceManager::position(FileId file, uint32_t offset) const {
  const File &entry = files[file];
  offset = std::min<uint32_t>(offset, static_cast<uint32_t>(entry.text.size()));
  uint32_t at = line(file, offset);
  uint32_t column =
      charactersBefore(entry, offset) - charactersBefore(entry, entry.lineBegins[at - 1]);
  return {at, column + 1};
}

uint32_t SourceManager::line(FileId file, uint32_t offset) const {
  const std::vector<uint32_t> &begins = files[file].lineBegins;
  auto next = std::upper_bound(begins.begin(), begins.end(), offset);
  return static_cast<uint32_t>(next - begins.begin());
}

uint32_t SourceManager::lineCount(FileId file) const {
  return static_cast<uint32_t>(files[file].lineBegins.size());
}

uint32_t SourceManager::lineBegin(FileId file, uint32_t line) const {
  return files[file].lineBegins[line - 1];
}

std::string_view SourceManager::lineText(FileId file, uint32_t line) const {
  const File &entry = files[file];
  size_t begin = entry.lineBegins[line - 1];
  size_t end = line < entry.lineBegins.size() ? entry.lineBegins[line] : entry.text.size();
  while (end > begin && (entry.text[end - 1] == '\n' || entry.text[end - 1] == '\r'))
    --end;
  return std::string_view(entry.text).substr(begin, end - begin);
}

} // namespace dlm
