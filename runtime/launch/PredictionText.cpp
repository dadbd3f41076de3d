#include "runtime/launch/PredictionText.h"

#include "runtime/launch/TensorText.h"
#include "runtime/metrics/JsonLines.h"

#include <cmath>

namespace dlm {

namespace {

constexpr const char *FileColumn = "file";

/// Elements of a row.
int64_t widthOf(const BufferView &tensor) {
  return tensor.shape[0] ? tensor.elementCount() / tensor.shape[0] : 0;
}

/// A cell of a table: in quotes where it holds something that ends one.
std::string cellOf(const std::string &text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (char c : text)
    quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

/// "logits.3", "p.oak", "map.0.2": the place of an element in its row.
std::string columnName(const PredictionColumn &column, int64_t element) {
  const std::vector<int64_t> &shape = column.value.tensor.shape;
  std::string places;
  for (size_t axis = shape.size() - 1; axis >= 1; --axis) {
    bool isOfClass = axis + 1 == shape.size() && !column.classes.empty();
    size_t place = size_t(element % shape[axis]);
    places = "." + (isOfClass ? column.classes[place] : std::to_string(place)) + places;
    element /= shape[axis];
  }
  return column.value.name + places;
}

const char *npyType(const CommandValue &value) {
  if (value.isTruth) return "|b1";
  switch (value.tensor.dtype) {
  case plan::DType::F32:
    return "<f4";
  case plan::DType::I32:
    return "<i4";
  case plan::DType::I64:
    return "<i8";
  default:
    return "|u1";
  }
}

/// The header of a .npy file of version 1: its length is a multiple of 64.
std::string npyHeader(const CommandValue &value, int64_t rows) {
  std::string shape = std::to_string(rows) + ",";
  for (size_t axis = 1; axis < value.tensor.shape.size(); ++axis)
    shape += " " + std::to_string(value.tensor.shape[axis]) + ",";
  std::string text = std::string("{'descr': '") + npyType(value) +
                     "', 'fortran_order': False, 'shape': (" + shape + "), }";
  constexpr size_t Before = 10, Unit = 64;
  text += std::string(Unit - 1 - (Before + text.size()) % Unit, ' ') + "\n";
  std::string head("\x93NUMPY\x01\x00", 8);
  head += char(text.size() & 0xFF);
  head += char(text.size() >> 8);
  return head + text;
}

int64_t wholeOf(const BufferView &tensor, int64_t index) {
  return tensor.dtype == plan::DType::I64 ? static_cast<const int64_t *>(tensor.data)[index]
                                          : static_cast<const int32_t *>(tensor.data)[index];
}

} // namespace

void PredictionText::begin(int64_t rows) {
  if (form == PredictionForm::Npy) {
    std::string header = npyHeader(columns[0].value, rows);
    std::fwrite(header.data(), 1, header.size(), out);
  }
  if (form != PredictionForm::Csv) return;
  std::string line = files.empty() ? "" : FileColumn;
  for (const PredictionColumn &column : columns)
    for (int64_t i = 0; i < widthOf(column.value.tensor); ++i)
      line += (line.empty() ? "" : ",") + cellOf(columnName(column, i));
  std::fprintf(out, "%s\n", line.c_str());
}

void PredictionText::add(int64_t rows) {
  for (int64_t row = 0; row < rows; ++row, ++done) {
    lookAtRow(row);
    if (form == PredictionForm::Csv) addCsvRow(row);
    if (form == PredictionForm::Json) addJsonRow(row);
  }
  if (form != PredictionForm::Npy) return;
  const CommandValue &value = columns[0].value;
  int64_t count = rows * widthOf(value.tensor);
  if (value.isTruth)
    for (int64_t i = 0; i < count; ++i)
      std::fputc(elementText(value.tensor, i, true) == "true", out);
  else
    std::fwrite(value.tensor.data, value.tensor.sizeBytes / uint64_t(value.tensor.shape[0]),
                size_t(rows), out);
}

void PredictionText::lookAtRow(int64_t row) {
  for (const PredictionColumn &column : columns) {
    const BufferView &tensor = column.value.tensor;
    if (tensor.dtype != plan::DType::F32) continue;
    int64_t width = widthOf(tensor);
    for (int64_t i = 0; i < width; ++i) {
      if (std::isfinite(static_cast<const float *>(tensor.data)[row * width + i])) continue;
      if (++oddCount == 1)
        firstOdd = (files.empty() ? "row " + std::to_string(done + 1) : files[size_t(done)]) +
                   ", where `" + columnName(column, i) + "` is " +
                   elementText(tensor, row * width + i, false);
      return;
    }
  }
}

std::string PredictionText::oddRows() const {
  if (oddCount == 0) return "";
  std::string text = std::to_string(oddCount) + " of " + std::to_string(done) + " rows " +
                     (oddCount == 1 ? "holds" : "hold") + " a value that is infinite or nan";
  if (form == PredictionForm::Json) text += ", which JSON has no number for: it stands as null";
  return text + "; the first is " + firstOdd;
}

/// A number, or the name of an id; a number of no name stays as it is.
std::string PredictionText::elementOf(const PredictionColumn &column, int64_t index,
                                      bool isJson) const {
  const BufferView &tensor = column.value.tensor;
  if (!column.names.empty()) {
    int64_t id = wholeOf(tensor, index);
    if (id >= 0 && id < int64_t(column.names.size())) {
      const std::string &name = column.names[size_t(id)];
      return isJson ? jsonText(name) : cellOf(name);
    }
  }
  if (isJson && tensor.dtype == plan::DType::F32)
    return jsonNumber(static_cast<const float *>(tensor.data)[index]);
  return elementText(tensor, index, column.value.isTruth);
}

std::string PredictionText::listOf(const PredictionColumn &column, size_t axis,
                                   int64_t &index) const {
  const std::vector<int64_t> &shape = column.value.tensor.shape;
  if (axis == shape.size()) return elementOf(column, index++, true);
  bool isOfClasses = axis + 1 == shape.size() && !column.classes.empty();
  std::string text = isOfClasses ? "{" : "[";
  for (int64_t i = 0; i < shape[axis]; ++i)
    text += (i ? "," : "") + (isOfClasses ? jsonText(column.classes[size_t(i)]) + ":" : "") +
            listOf(column, axis + 1, index);
  return text + (isOfClasses ? "}" : "]");
}

void PredictionText::addCsvRow(int64_t row) {
  bool isFirst = files.empty();
  if (!isFirst) std::fputs(cellOf(files[size_t(done)]).c_str(), out);
  for (const PredictionColumn &column : columns) {
    int64_t width = widthOf(column.value.tensor);
    for (int64_t i = row * width; i < (row + 1) * width; ++i, isFirst = false)
      std::fprintf(out, "%s%s", isFirst ? "" : ",", elementOf(column, i, false).c_str());
  }
  std::fputc('\n', out);
}

void PredictionText::addJsonRow(int64_t row) {
  std::string text;
  if (!files.empty()) text = jsonText(FileColumn) + ":" + jsonText(files[size_t(done)]);
  for (const PredictionColumn &column : columns) {
    int64_t index = row * widthOf(column.value.tensor);
    text +=
        (text.empty() ? "" : ",") + jsonText(column.value.name) + ":" + listOf(column, 1, index);
  }
  std::fprintf(out, "{%s}\n", text.c_str());
}

} // namespace dlm
