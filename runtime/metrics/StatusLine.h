// The parts of a line about the state of a run, in the order in which they are shown. Where the
// line is too long for the terminal the least important parts are left out; a line that wrapped
// could not be rewritten in place. Nothing is allocated.
#pragma once

#include <cstdarg>
#include <cstddef>
#include <cstdio>

namespace dlm {

class StatusLine {
public:
  void clear() { count = 0; }

  /// Adds a part. The most important have importance 0. What does not fit is cut off.
  __attribute__((format(printf, 3, 4))) void add(int importance, const char *format, ...) {
    if (count == PartsMax) return;
    Part &part = parts[count++];
    va_list arguments;
    va_start(arguments, format);
    int wrote = std::vsnprintf(part.text, sizeof part.text, format, arguments);
    va_end(arguments);
    part.size = wrote < 0 ? 0 : size_t(wrote) < sizeof part.text ? size_t(wrote) : PartSize - 1;
    part.importance = importance;
    part.isShown = true;
  }

  /// The parts that fit in `columns`, with two blanks between them. Valid until the next call.
  const char *fit(size_t columns) {
    while (width() > columns && hideOne()) {
    }
    size_t used = 0;
    for (size_t i = 0; i < count; ++i) {
      if (!parts[i].isShown) continue;
      int wrote =
          std::snprintf(line + used, sizeof line - used, "%s%s", used ? "  " : "", parts[i].text);
      used += wrote > 0 ? size_t(wrote) : 0;
    }
    if (used > columns) used = columns;
    line[used] = 0;
    return line;
  }

private:
  static constexpr size_t PartsMax = 40, PartSize = 64;
  struct Part {
    char text[PartSize];
    size_t size;
    int importance;
    bool isShown;
  };

  size_t width() const {
    size_t sum = 0;
    for (size_t i = 0; i < count; ++i)
      if (parts[i].isShown) sum += parts[i].size + (sum ? 2 : 0);
    return sum;
  }

  /// Hides the last of the least important parts, unless just one is left.
  bool hideOne() {
    size_t shown = 0, least = PartsMax;
    for (size_t i = 0; i < count; ++i) {
      if (!parts[i].isShown) continue;
      ++shown;
      if (least == PartsMax || parts[i].importance >= parts[least].importance) least = i;
    }
    if (shown < 2) return false;
    parts[least].isShown = false;
    return true;
  }

  Part parts[PartsMax];
  size_t count = 0;
  char line[PartsMax * (PartSize + 2)] = "";
};

} // namespace dlm
