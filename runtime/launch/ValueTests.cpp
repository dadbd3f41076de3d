// Of several bounds of one side the tightest counts.
#include "runtime/launch/ValueTests.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace dlm {

namespace {

/// Whole numbers as such, as far as a double has them all.
std::string numberText(double value) {
  constexpr double WholeMax = 9007199254740992.0; // 2 ** 53
  bool isWhole = value == std::floor(value) && std::fabs(value) <= WholeMax;
  char text[32];
  std::snprintf(text, sizeof text, isWhole ? "%.0f" : "%.9g", value);
  return text;
}

/// "this is 2"; of a number that fails only because the program gets it as an f32, what it gets.
std::string valueText(double value, bool isReal, const ValueTest &test) {
  if (!isReal || !fulfils(value, false, test)) return "this is " + numberText(value);
  return numberText(value) + " is " + numberText(double(float(value))) + " as an f32";
}

bool isUpper(const ValueTest &test) { return test.op[0] == '<'; }

const ValueTest *tightest(const std::vector<ValueTest> &tests, bool ofUpper) {
  const ValueTest *found = nullptr;
  for (const ValueTest &test : tests) {
    if (isUpper(test) != ofUpper) continue;
    bool isTighter = !found || (ofUpper ? test.bound < found->bound : test.bound > found->bound);
    bool isStricter = found && test.bound == found->bound && test.op.size() == 1;
    if (isTighter || isStricter) found = &test;
  }
  return found;
}

} // namespace

bool fulfils(double value, bool isReal, const ValueTest &test) {
  double bound = test.bound;
  if (isReal) {
    value = double(float(value));
    bound = double(float(bound));
  }
  if (test.op == "<") return value < bound;
  if (test.op == "<=") return value <= bound;
  return test.op == ">" ? value > bound : value >= bound;
}

Status checkValue(const std::string &what, double value, bool isReal,
                  const std::vector<ValueTest> &tests) {
  for (const ValueTest &test : tests) {
    if (fulfils(value, isReal, test)) continue;
    return invalidArgument(what + " has to be " + test.op + " " + numberText(test.bound) +
                           ", and " + valueText(value, isReal, test) +
                           (test.message.empty() ? "" : ": " + test.message));
  }
  return Status::ok();
}

std::pair<int64_t, int64_t> wholeRange(const std::vector<ValueTest> &tests, int64_t least,
                                       int64_t most) {
  for (const ValueTest &test : tests) {
    bool isStrict = test.op.size() == 1;
    if (isUpper(test)) {
      double limit = isStrict ? std::ceil(test.bound) - 1 : std::floor(test.bound);
      if (limit < double(most)) most = std::max(least, int64_t(limit));
    } else {
      double limit = isStrict ? std::floor(test.bound) + 1 : std::ceil(test.bound);
      if (limit > double(least)) least = std::min(most, int64_t(limit));
    }
  }
  return {least, most};
}

std::string rangeText(const std::string &name, const std::vector<ValueTest> &tests) {
  const ValueTest *lower = tightest(tests, false), *upper = tightest(tests, true);
  if (!lower && !upper) return "";
  std::string above = upper ? " " + upper->op + " " + numberText(upper->bound) : "";
  if (!lower) return name + above;
  if (!upper) return name + " " + lower->op + " " + numberText(lower->bound);
  return numberText(lower->bound) + (lower->op == ">" ? " < " : " <= ") + name + above;
}

} // namespace dlm
