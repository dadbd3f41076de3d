// A record is found first (where does it end?) and cut into cells then, both in the buffer itself:
// a cell in quotes with doubled quotes in it is made shorter in place.
#include "runtime/data/formats/CsvFile.h"

#include "runtime/data/formats/ShownText.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <set>

namespace dlm {

namespace {

constexpr size_t ReadBytes = size_t(1) << 18;
constexpr size_t RecordBytesMax = size_t(16) << 20; // a longer one is no table but a mistake

bool isBlank(char letter) { return letter == ' ' || letter == '\t' || letter == '\r'; }

} // namespace

std::string_view trimmedCell(std::string_view cell) {
  while (!cell.empty() && isBlank(cell.front()))
    cell.remove_prefix(1);
  while (!cell.empty() && isBlank(cell.back()))
    cell.remove_suffix(1);
  return cell;
}

bool isMissingCell(std::string_view cell) {
  cell = trimmedCell(cell);
  for (std::string_view word : {"", "NA", "N/A", "NaN", "nan", "null", "NULL", "None", "?"})
    if (cell == word) return true;
  return false;
}

std::optional<float> numberOfCell(std::string_view cell) {
  cell = trimmedCell(cell);
  if (!cell.empty() && cell.front() == '+') cell.remove_prefix(1);
  if (cell.empty() || cell.front() == '+') return std::nullopt;
  float value = 0;
  auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (end != cell.data() + cell.size()) return std::nullopt;
  // What is too small for f32 is 0; what is too large has no value.
  if (error == std::errc::result_out_of_range) {
    double wide = 0;
    auto [rest, wrong] = std::from_chars(cell.data(), cell.data() + cell.size(), wide);
    bool isSmall = wrong == std::errc() && rest == end && std::fabs(wide) < 1;
    return isSmall ? std::optional<float>(float(wide)) : std::nullopt;
  }
  if (error != std::errc() || !std::isfinite(value)) return std::nullopt;
  return value;
}

Expected<CsvFile> CsvFile::open(const std::string &path) {
  Expected<InflatedFile> opened = InflatedFile::open(path);
  if (!opened) return opened.status();
  CsvFile result(opened.take());
  DLM_TRY(result.readNames());
  return result;
}

Status CsvFile::readNames() {
  Expected<bool> got = grow(nullptr);
  if (!got) return got.status();
  constexpr std::string_view mark = "\xEF\xBB\xBF"; // a byte order mark, as spreadsheets write it
  if (filled >= mark.size() && std::string_view(buffer.data(), mark.size()) == mark)
    begin = mark.size();
  Expected<size_t> end = findEnd(nullptr);
  if (!end) return end.status();
  std::string_view header(buffer.data() + begin, *end - begin);
  if (header.substr(0, header.size() - !header.empty()).find('\r') != header.npos)
    return corrupt("data file `" + path() +
                   "`: its lines end in a carriage return alone, and have to end in a line feed");
  auto held = [&](char each) { return std::count(header.begin(), header.end(), each); };
  for (char each : {';', '\t'})
    if (held(each) > held(separator)) separator = each;
  got = readRecord(first, nullptr);
  if (!got) return got.status();
  if (!*got) return corrupt("data file `" + path() + "` is empty");
  isPending = true;
  for (std::string_view cell : first.cells)
    isPending = isPending && numberOfCell(cell);
  std::set<std::string> known;
  for (size_t i = 0; i < first.cells.size(); ++i) {
    std::string name(isPending ? std::to_string(i) : std::string(trimmedCell(first.cells[i])));
    if (name.empty()) name = std::to_string(i);
    if (!isUtf8(name))
      return corrupt("data file `" + path() + "`: the name of a column, \"" + shownText(name) +
                     "\", is not UTF-8: save the table as UTF-8");
    if (!known.insert(name).second)
      return corrupt("data file `" + path() + "` has two columns called \"" + shownText(name) +
                     "\"");
    names.push_back(std::move(name));
  }
  return Status::ok();
}

Expected<bool> CsvFile::next(CsvRecord &record, const std::atomic<bool> *cancel) {
  if (isPending) {
    isPending = false;
    record = first;
    return true;
  }
  Expected<bool> got = readRecord(record, cancel);
  if (got && *got && record.cells.size() != names.size())
    return corrupt("data file `" + path() + "`, line " + std::to_string(record.line) + ": " +
                   std::to_string(record.cells.size()) + " cells, and there are " +
                   std::to_string(names.size()) + " columns");
  return got;
}

/// Reads more behind what is left, which moves to the front of the buffer; false at the end.
Expected<bool> CsvFile::grow(const std::atomic<bool> *cancel) {
  if (filled - begin > RecordBytesMax)
    return corrupt("data file `" + path() + "`, line " + std::to_string(line) +
                   ": the record goes on for more than 16 MiB; is a quote missing?");
  if (begin < filled) std::memmove(buffer.data(), buffer.data() + begin, filled - begin);
  filled -= begin;
  begin = 0;
  if (buffer.size() < filled + ReadBytes) buffer.resize(filled * 2 + ReadBytes);
  Expected<size_t> got = file.readSome(buffer.data() + filled, buffer.size() - filled, cancel);
  if (!got) return got.status();
  filled += *got;
  return *got > 0;
}

/// The end of the record that begins at `begin`: its line end, or the end of the file.
Expected<size_t> CsvFile::findEnd(const std::atomic<bool> *cancel) {
  bool isQuoted = false;
  for (size_t at = begin;;) {
    const char *rest = buffer.data() + at;
    size_t count = filled - at;
    auto *lineEnd = static_cast<const char *>(std::memchr(rest, '\n', count));
    size_t stop = lineEnd ? size_t(lineEnd - rest) : count;
    isQuoted ^= std::count(rest, rest + stop, '"') % 2 != 0;
    at += stop;
    if (lineEnd && !isQuoted) return at;
    if (lineEnd) {
      ++at;
      continue;
    }
    size_t offset = at - begin;
    Expected<bool> more = grow(cancel);
    if (!more) return more.status();
    at = begin + offset;
    if (!*more && isQuoted)
      return corrupt("data file `" + path() + "`, line " + std::to_string(line) +
                     ": a quote is opened and never closed");
    if (!*more) return at;
  }
}

Expected<bool> CsvFile::readRecord(CsvRecord &record, const std::atomic<bool> *cancel) {
  for (;;) {
    Expected<size_t> end = findEnd(cancel);
    if (!end) return end.status();
    if (*end == begin && begin == filled) return false; // the end of the file
    std::string_view text(buffer.data() + begin, *end - begin);
    bool isEmpty = text.empty() || text == "\r";
    record.line = line;
    if (std::memchr(text.data(), '\0', text.size()))
      return corrupt("data file `" + path() + "`, line " + std::to_string(line) +
                     ": a byte 0; this is no text");
    line += 1 + std::count(text.begin(), text.end(), '\n');
    if (!isEmpty) split(*end, record);
    begin = std::min(*end + 1, filled);
    if (!isEmpty) return true;
  }
}

void CsvFile::split(size_t end, CsvRecord &record) {
  record.cells.clear();
  if (end > begin && buffer[end - 1] == '\r') --end;
  bool isQuoted = false, hasQuotes = false;
  size_t start = begin;
  for (size_t at = begin; at <= end; ++at) {
    if (at < end && buffer[at] == '"') {
      isQuoted = !isQuoted;
      hasQuotes = true;
    }
    if (at < end && (isQuoted || buffer[at] != separator)) continue;
    record.cells.push_back(hasQuotes ? unquote(start, at)
                                     : std::string_view(buffer.data() + start, at - start));
    start = at + 1;
    hasQuotes = false;
  }
}

/// The cell without its quotes, and with one of each two within.
std::string_view CsvFile::unquote(size_t start, size_t end) {
  size_t to = start;
  for (size_t at = start; at < end; ++at) {
    bool isDoubled = buffer[at] == '"' && at > start && at + 1 < end && buffer[at + 1] == '"';
    if (buffer[at] == '"' && !isDoubled) continue;
    if (isDoubled) ++at;
    buffer[to++] = buffer[at];
  }
  return std::string_view(buffer.data() + start, to - start);
}

} // namespace dlm
