// Metrics for people. On a terminal one line is rewritten in place; elsewhere (a file, a pipe)
// about twenty plain lines are printed over the run. Evaluations, notes and the summary are lines
// in both.
#pragma once

#include "runtime/metrics/MetricSink.h"

#include <cmath>
#include <cstdio>
#include <memory>

namespace dlm {

struct TextForm {
  bool isTerminal = false;
  bool isColored = false;
  int columns = 0; // of the terminal; 0: it is asked each time
};

/// Notes go to a stream of their own. The streams must outlive the sink.
std::unique_ptr<MetricSink> makeTextProgress(std::FILE *out, std::FILE *notes, TextForm form,
                                             Clock &clock);

/// A value to print: of numbers that are none, the sign bit says nothing, and `-nan` would show it.
inline double printable(double value) { return std::isnan(value) ? std::fabs(value) : value; }

/// A duration as people write it: "0.4 s", "12 s", "3 min 05 s", "2 h 10 min".
std::string durationText(double seconds);

/// A number of bytes: "512 bytes", "1.5 KiB", "20 MiB".
std::string bytesText(double bytes);

/// A whole number with its thousands apart: "57,000".
std::string countText(int64_t count);

} // namespace dlm
