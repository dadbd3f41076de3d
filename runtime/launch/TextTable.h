// Rows of cells, printed in columns that are as wide as their widest cell.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

namespace dlm {

class TextTable {
public:
  /// A letter for each column: `l` for text, `r` for numbers, which end below each other.
  explicit TextTable(std::string columns) : columns(std::move(columns)) {}

  void add(std::vector<std::string> cells) { rows.push_back(std::move(cells)); }

  bool isEmpty() const { return rows.empty(); }

  void print(std::FILE *out) const;

private:
  std::string columns;
  std::vector<std::vector<std::string>> rows;
};

} // namespace dlm
