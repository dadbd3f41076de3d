// A line of text that is put together in fixed memory. What does not fit is cut off: better a short
// line than an allocation in the step loop.
#pragma once

#include <cstdarg>
#include <cstddef>
#include <cstdio>

namespace dlm {

class LineBuffer {
public:
  void clear() { used = 0; }

  __attribute__((format(printf, 2, 3))) void add(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int wrote = std::vsnprintf(text + used, Capacity - used, format, arguments);
    va_end(arguments);
    if (wrote > 0) used = used + size_t(wrote) < Capacity ? used + size_t(wrote) : Capacity - 1;
  }

  /// Adds blanks until the line is `column` characters long.
  void padTo(size_t column) {
    while (used < column && used + 1 < Capacity)
      text[used++] = ' ';
  }

  size_t size() const { return used; }

  /// Writes the line and an end to the stream, and flushes it.
  void print(std::FILE *stream, const char *end = "\n") {
    std::fwrite(text, 1, used, stream);
    std::fputs(end, stream);
    std::fflush(stream);
  }

private:
  static constexpr size_t Capacity = 16384;
  char text[Capacity];
  size_t used = 0;
};

} // namespace dlm
