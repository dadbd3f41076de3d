// What values from outside have to fulfil: the ranges of options and of arguments of commands.
#pragma once

#include "runtime/base/Status.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace dlm {

/// `name op bound`; the message is the program's, and may be empty.
struct ValueTest {
  std::string op; // < <= > >=
  double bound = 0;
  std::string message;
};

/// Whether a value fulfils a test. Real numbers are compared as what the program gets, an f32: a
/// bound of 0.1 is reached by 0.1, and a number too small for an f32 is not above 0.
bool fulfils(double value, bool isReal, const ValueTest &test);

/// Ok, or a sentence on the first test that a value does not fulfil. `what` is "--lr".
Status checkValue(const std::string &what, double value, bool isReal,
                  const std::vector<ValueTest> &tests);

/// The whole numbers between `least` and `most` that tests leave.
std::pair<int64_t, int64_t> wholeRange(const std::vector<ValueTest> &tests, int64_t least,
                                       int64_t most);

/// The range that tests leave: "0 < lr <= 1", "rows >= 1"; empty if there is none.
std::string rangeText(const std::string &name, const std::vector<ValueTest> &tests);

} // namespace dlm
