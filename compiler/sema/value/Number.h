// Numbers of the compile-time language: exact fractions as long as a program uses whole numbers
// and their quotients, and f64 otherwise. A size is only ever an exact whole number, so that no
// division can silently lose a remainder.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace dlm::sema {

/// A fraction in lowest terms with a positive denominator, or a real number.
struct Number {
  bool isExact = true;
  int64_t numerator = 0;
  int64_t denominator = 1;
  double real = 0; // of a number that is not exact

  static Number whole(int64_t value) { return {true, value, 1, 0}; }
  static Number fromReal(double value) { return {false, 0, 1, value}; }
  /// The quotient in lowest terms; `denominator` is not zero.
  static Number fraction(int64_t numerator, int64_t denominator);

  bool isWhole() const { return isExact && denominator == 1; }
  double toReal() const;
  /// As a program would write it: `12`, `1/3`, `0.001`.
  std::string text() const;
};

/// The number that the digits of a literal stand for (`1_000`, `1e-3`, `0.5`); a literal with a
/// dot or an exponent is a real number. Nothing if it does not fit.
std::optional<Number> parseNumber(const std::string &text);

/// What is too large about the digits of a literal that `parseNumber` does not take.
std::string rangeText(const std::string &digits);

/// `lhs op rhs` for + - * / % ** min max. Nothing for a division by zero. A result that does not
/// fit into 64 bits becomes a real number.
std::optional<Number> calculate(const std::string &op, const Number &lhs, const Number &rhs);

/// Negative, zero or positive as lhs is less than, equal to or greater than rhs.
int compare(const Number &lhs, const Number &rhs);

/// The shortest text that reads back as the same f64.
std::string formatReal(double value);

} // namespace dlm::sema
