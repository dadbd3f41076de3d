#include "runtime/launch/FittedFacts.h"

#include "runtime/metrics/JsonLines.h"

#include <algorithm>
#include <cstring>

namespace dlm {

namespace {

constexpr size_t RowsMax = 20, ShownMax = 4, JsonMax = 100;
const std::string Prefix = "fitted."; // and the ends: see compiler/lower/Fitted.h
const std::string ColumnsEnd = "/columns", FileEnd = "/file";

bool hasEnd(const std::string &text, const std::string &end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

template <class T> std::vector<double> numbersOf(const plan::Buffer &buffer) {
  std::vector<double> numbers(buffer.initial()->size() / sizeof(T));
  for (size_t i = 0; i < numbers.size(); ++i) {
    T value;
    std::memcpy(&value, buffer.initial()->data() + i * sizeof value, sizeof value);
    numbers[i] = double(value);
  }
  return numbers;
}

std::vector<double> valuesOf(const plan::Buffer &buffer) {
  switch (buffer.dtype()) {
  case plan::DType::F32:
    return numbersOf<float>(buffer);
  case plan::DType::I32:
    return numbersOf<int32_t>(buffer);
  case plan::DType::I64:
    return numbersOf<int64_t>(buffer);
  default:
    return numbersOf<uint8_t>(buffer);
  }
}

std::string shortNumber(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.5g", value);
  return text;
}

std::string moreText(size_t count) { return "... (" + std::to_string(count) + " in all)"; }

} // namespace

std::vector<FittedFact> fittedFacts(const plan::Plan &plan,
                                    const std::vector<std::string> &columns) {
  std::vector<FittedFact> facts;
  for (const plan::Buffer *buffer : *plan.buffers()) {
    if (!buffer->name() || !buffer->initial()) continue;
    std::string name = buffer->name()->str();
    if (name.compare(0, Prefix.size(), Prefix) != 0 || hasEnd(name, FileEnd)) continue;
    std::string path = name.substr(Prefix.size());
    bool hasColumns = hasEnd(path, ColumnsEnd);
    if (hasColumns) path.resize(path.size() - ColumnsEnd.size());
    FittedFact fact{path, valuesOf(*buffer)};
    fact.isOfColumns = hasColumns && !columns.empty() && fact.values.size() == columns.size();
    facts.push_back(std::move(fact));
  }
  return facts;
}

TextTable fittedTable(const std::vector<FittedFact> &facts,
                      const std::vector<std::string> &columns) {
  std::vector<const FittedFact *> ofColumns;
  for (const FittedFact &fact : facts)
    if (fact.isOfColumns) ofColumns.push_back(&fact);
  TextTable table("l" + std::string(std::max(ofColumns.size(), ShownMax + 1), 'r'));
  for (const FittedFact &fact : facts) {
    if (fact.isOfColumns) continue;
    std::vector<std::string> row = {fact.path};
    for (size_t i = 0; i < std::min(fact.values.size(), ShownMax); ++i)
      row.push_back(shortNumber(fact.values[i]));
    if (fact.values.size() > ShownMax) row.push_back(moreText(fact.values.size()));
    table.add(std::move(row));
  }
  if (ofColumns.empty()) return table;
  std::vector<std::string> head = {"column"};
  for (const FittedFact *fact : ofColumns)
    head.push_back(fact->path);
  table.add(std::move(head));
  for (size_t i = 0; i < std::min(columns.size(), RowsMax); ++i) {
    std::vector<std::string> row = {columns[i]};
    for (const FittedFact *fact : ofColumns)
      row.push_back(shortNumber(fact->values[i]));
    table.add(std::move(row));
  }
  if (columns.size() > RowsMax) table.add({moreText(columns.size())});
  return table;
}

std::string fittedJson(const std::vector<FittedFact> &facts,
                       const std::vector<std::string> &columns) {
  std::string text;
  for (const FittedFact &fact : facts) {
    size_t shown = std::min(fact.values.size(), JsonMax);
    std::string names, values;
    for (size_t i = 0; i < shown; ++i) {
      names += (i ? "," : "") + (fact.isOfColumns ? jsonText(columns[i]) : "");
      values += (i ? "," : "") + jsonNumber(fact.values[i]);
    }
    text += (text.empty() ? "{\"path\":" : ",{\"path\":") + jsonText(fact.path) +
            ",\"count\":" + std::to_string(fact.values.size());
    if (fact.isOfColumns) text += ",\"columns\":[" + names + "]";
    text += ",\"values\":[" + values + "]}";
  }
  return "[" + text + "]";
}

} // namespace dlm
