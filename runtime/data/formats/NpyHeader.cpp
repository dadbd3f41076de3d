// The header is a dictionary as Python writes it, in front of it its length. Of Python no more is
// understood than NumPy writes: strings without escapes, True, False, and a tuple of numbers.
#include "runtime/data/formats/NpyHeader.h"

#include "runtime/data/formats/LittleEndian.h"
#include "runtime/data/formats/ShownText.h"

#include <cstring>
#include <optional>
#include <string_view>

namespace dlm {

namespace {

constexpr size_t HeaderBytesMax = size_t(1) << 20;
constexpr size_t NpyRankMax = 8;

struct TypeRow {
  std::string_view name; // in the header
  NpyType type;
  uint64_t bytes;
  DType dtype;
};

constexpr TypeRow TypeRows[] = {
    {"|b1", NpyType::Bool, 1, DType::Bool}, {"|i1", NpyType::I8, 1, DType::I32},
    {"|u1", NpyType::U8, 1, DType::U8},     {"<i2", NpyType::I16, 2, DType::I32},
    {"<u2", NpyType::U16, 2, DType::I32},   {"<i4", NpyType::I32, 4, DType::I32},
    {"<u4", NpyType::U32, 4, DType::I32},   {"<i8", NpyType::I64, 8, DType::I64},
    {"<f2", NpyType::F16, 2, DType::F32},   {"<f4", NpyType::F32, 4, DType::F32},
    {"<f8", NpyType::F64, 8, DType::F32},
};

const TypeRow &rowOf(NpyType type) {
  for (const TypeRow &row : TypeRows)
    if (row.type == type) return row;
  return TypeRows[0];
}

/// The parts of the dictionary, as they are written.
struct Entries {
  std::string_view type, order, shape;
};

/// Cuts the dictionary into its entries; false if it is not of the form that NumPy writes.
class DictionaryReader {
public:
  explicit DictionaryReader(std::string_view text) : text(text) {}

  bool read(Entries &entries) {
    if (!take('{')) return false;
    while (!take('}')) {
      std::optional<std::string_view> key = string();
      if (!key || !take(':')) return false;
      std::string_view value = upToEnd();
      if (value.empty()) return false;
      if (*key == "descr")
        entries.type = value;
      else if (*key == "fortran_order")
        entries.order = value;
      else if (*key == "shape")
        entries.shape = value;
      else
        return false;
      if (!take(',') && !peek('}')) return false;
    }
    skipSpace();
    return at == text.size() && !entries.type.empty() && !entries.order.empty() &&
           !entries.shape.empty();
  }

private:
  void skipSpace() {
    while (at < text.size() && (text[at] == ' ' || text[at] == '\n'))
      ++at;
  }
  bool peek(char c) {
    skipSpace();
    return at < text.size() && text[at] == c;
  }
  bool take(char c) {
    bool isThere = peek(c);
    at += isThere;
    return isThere;
  }

  std::optional<std::string_view> string() {
    if (!peek('\'') && !peek('"')) return std::nullopt;
    size_t end = text.find(text[at], at + 1);
    if (end == std::string_view::npos) return std::nullopt;
    std::string_view inner = text.substr(at + 1, end - at - 1);
    at = end + 1;
    return inner;
  }

  /// A value: up to the comma or brace behind it that stands in no bracket or string.
  std::string_view upToEnd() {
    skipSpace();
    size_t begin = at;
    for (int depth = 0; at < text.size(); ++at) {
      char c = text[at];
      if (depth == 0 && (c == ',' || c == '}')) break;
      depth += (c == '(' || c == '[') - (c == ')' || c == ']');
      if (c != '\'' && c != '"') continue;
      at = text.find(c, at + 1);
      if (at == std::string_view::npos) at = text.size() - 1;
    }
    return text.substr(begin, at - begin);
  }

  std::string_view text;
  size_t at = 0;
};

/// `(3, 28, 28)`, `(3,)`; false if it is something else.
bool parseShape(std::string_view text, std::vector<int64_t> &shape) {
  while (!text.empty() && text.back() == ' ')
    text.remove_suffix(1);
  if (text.size() < 2 || text.front() != '(' || text.back() != ')') return false;
  text = text.substr(1, text.size() - 2);
  for (size_t at = 0; at < text.size();) {
    if (text[at] == ' ') {
      ++at;
      continue;
    }
    int64_t size = 0;
    size_t begin = at;
    for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at)
      if (__builtin_mul_overflow(size, int64_t(10), &size) ||
          __builtin_add_overflow(size, int64_t(text[at] - '0'), &size))
        return false;
    if (at == begin) return false;
    shape.push_back(size);
    if (at < text.size() && text[at] == 'L') ++at; // as Python 2 wrote long numbers
    if (at < text.size() && text[at] != ',') return false;
    ++at;
  }
  return true;
}

Status typeFault(const std::string &name, std::string_view type) {
  bool isStructured = !type.empty() && (type[0] == '[' || type[0] == '(');
  char first = type.size() > 2 ? type[1] : ' ', kind = type.size() > 2 ? type[2] : ' ';
  std::string reason = isStructured   ? "records of several parts cannot be read"
                       : first == '>' ? "its bytes stand in the wrong order: save it with "
                                        "`x.astype(x.dtype.newbyteorder('<'))`"
                       : kind == 'O'  ? "objects of Python cannot be read: an array of numbers "
                                        "has rows of one size"
                       : kind == 'c'  ? "complex numbers cannot be read"
                       : kind == 'U' || kind == 'S' ? "strings cannot be read: give each a number"
                       : kind == 'u' ? "unsigned numbers of 64 bits do not fit: save them as i64"
                                     : "only numbers and bool can be read";
  return unsupported(name + " holds elements of the type " + "`" + shownText(type) + "`" + "; " +
                     reason);
}

Status readText(ByteReader &reader, const std::atomic<bool> *cancel, std::string &text) {
  uint8_t start[12];
  DLM_TRY(reader.read(start, 8, cancel));
  if (std::memcmp(start, "\x93NUMPY", 6) != 0)
    return corrupt(reader.name() + " is not a .npy file: it does not begin with the bytes " +
                   "93 4E 55 4D 50 59");
  if (start[6] < 1 || start[6] > 3)
    return unsupported(reader.name() + " is of version " + std::to_string(start[6]) +
                       " of the format .npy; versions 1 to 3 can be read");
  bool isWide = start[6] > 1;
  DLM_TRY(reader.read(start + 8, isWide ? 4 : 2, cancel));
  size_t bytes = isWide ? little32(start + 8) : little16(start + 8);
  if (bytes > HeaderBytesMax || bytes > reader.remainingBytesMax())
    return corrupt(reader.name() + " is cut off or damaged: its header announces " +
                   std::to_string(bytes) + " bytes");
  text.resize(bytes);
  return reader.read(text.data(), bytes, cancel);
}

} // namespace

uint64_t npyElementBytes(NpyType type) { return rowOf(type).bytes; }
DType dtypeOfNpy(NpyType type) { return rowOf(type).dtype; }

int64_t NpyHeader::elementCount() const {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  return count;
}

Expected<NpyHeader> readNpyHeader(ByteReader &reader, const std::atomic<bool> *cancel,
                                  bool mayBeEmpty) {
  std::string text;
  DLM_TRY(readText(reader, cancel, text));
  Entries entries;
  NpyHeader header;
  if (!DictionaryReader(text).read(entries) || !parseShape(entries.shape, header.shape))
    return corrupt(reader.name() + " is damaged: its header is " + "`" + shownText(text) + "`");
  std::string_view type = entries.type;
  const TypeRow *found = nullptr;
  for (const TypeRow &row : TypeRows)
    if (type.size() == row.name.size() + 2 && type.substr(1, row.name.size()) == row.name)
      found = &row;
  if (!found) return typeFault(reader.name(), type);
  header.type = found->type;
  if (header.shape.empty() || header.shape.size() > NpyRankMax)
    return invalidArgument(reader.name() + " has " + std::to_string(header.shape.size()) +
                           " axes; an array has 1 to 8, and the first counts the samples");
  if (entries.order.substr(0, 4) == "True" && header.shape.size() > 1)
    return unsupported(reader.name() + " has its axes in Fortran's order: save it with " +
                       "`numpy.ascontiguousarray(x)`");
  uint64_t bytes = found->bytes;
  for (const int64_t &size : header.shape) {
    bool isOfNoSamples = mayBeEmpty && &size == &header.shape[0];
    if (size == 0 && !isOfNoSamples)
      return invalidArgument(reader.name() + " holds nothing: one of its sizes is 0");
    if (__builtin_mul_overflow(bytes, uint64_t(size), &bytes) || bytes > uint64_t(INT64_MAX))
      return corrupt(reader.name() + " cannot be as large as the sizes in its header say");
  }
  if (bytes > reader.remainingBytesMax())
    return corrupt(reader.name() + " is cut off: its header announces " + std::to_string(bytes) +
                   " bytes, and it has room for at most " +
                   std::to_string(reader.remainingBytesMax()));
  return header;
}

} // namespace dlm
