// Widths are those of characters, not bytes. A cell that is far wider than is readable does not
// move the column behind it.
#include "runtime/launch/TextTable.h"

#include <algorithm>

namespace dlm {

namespace {

constexpr size_t WidthMax = 48;

size_t widthOf(const std::string &text) {
  return size_t(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80; // the first byte of a character
  }));
}

} // namespace

void TextTable::print(std::FILE *out) const {
  std::vector<size_t> widths(columns.size(), 0);
  for (const std::vector<std::string> &row : rows)
    for (size_t i = 0; i < row.size() && i < widths.size(); ++i)
      widths[i] = std::max(widths[i], std::min(widthOf(row[i]), WidthMax));
  for (const std::vector<std::string> &row : rows) {
    std::string line = " ";
    for (size_t i = 0; i < row.size() && i < widths.size(); ++i) {
      if (widths[i] == 0) continue; // nothing in this column
      size_t width = widthOf(row[i]);
      std::string blanks(width < widths[i] ? widths[i] - width : 0, ' ');
      line += (i ? "  " : " ") + (columns[i] == 'r' ? blanks + row[i] : row[i] + blanks);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    std::fprintf(out, "%s\n", line.c_str());
  }
}

} // namespace dlm
