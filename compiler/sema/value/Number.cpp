// Arithmetic on compile-time numbers. Products are formed in 128 bits, so that an overflow is
// seen and the result continues as a real number instead of wrapping around.
#include "compiler/sema/value/Number.h"

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

namespace dlm::sema {

namespace {

using Wide = __int128;

Wide wideGcd(Wide a, Wide b) {
  while (b != 0) {
    Wide rest = a % b;
    a = b;
    b = rest;
  }
  return a < 0 ? -a : a;
}

/// The fraction in lowest terms, or a real number if it does not fit.
Number makeFraction(Wide numerator, Wide denominator) {
  if (denominator < 0) {
    numerator = -numerator;
    denominator = -denominator;
  }
  Wide divisor = wideGcd(numerator, denominator);
  if (divisor > 1) {
    numerator /= divisor;
    denominator /= divisor;
  }
  constexpr Wide limit = std::numeric_limits<int64_t>::max();
  if (numerator > limit || numerator < -limit || denominator > limit)
    return Number::fromReal(double(numerator) / double(denominator));
  return {true, int64_t(numerator), int64_t(denominator), 0};
}

/// `base ** exponent` for a whole exponent by repeated squaring; a real number if it overflows.
Number wholePower(Number base, int64_t exponent) {
  if (exponent < 0) {
    base = makeFraction(base.denominator, base.numerator);
    exponent = -exponent;
  }
  Number result = Number::whole(1);
  for (; exponent > 0; exponent >>= 1) {
    if (exponent & 1) result = *calculate("*", result, base);
    if (exponent > 1) base = *calculate("*", base, base);
  }
  return result;
}

std::optional<Number> calculateReal(const std::string &op, double a, double b) {
  if (op == "+") return Number::fromReal(a + b);
  if (op == "-") return Number::fromReal(a - b);
  if (op == "*") return Number::fromReal(a * b);
  if (op == "**") return Number::fromReal(std::pow(a, b));
  if (b == 0) return std::nullopt;
  if (op == "/") return Number::fromReal(a / b);
  if (op == "%") return Number::fromReal(a - b * std::floor(a / b));
  return std::nullopt;
}

Number floorExact(const Number &value) {
  int64_t quotient = value.numerator / value.denominator;
  if (value.numerator % value.denominator < 0) --quotient;
  return Number::whole(quotient);
}

std::optional<Number> calculateExact(const std::string &op, const Number &a, const Number &b) {
  Wide an = a.numerator, ad = a.denominator, bn = b.numerator, bd = b.denominator;
  if (op == "+") return makeFraction(an * bd + bn * ad, ad * bd);
  if (op == "-") return makeFraction(an * bd - bn * ad, ad * bd);
  if (op == "*") return makeFraction(an * bn, ad * bd);
  if (bn == 0) return std::nullopt;
  if (op == "/") return makeFraction(an * bd, ad * bn);
  if (op != "%") return std::nullopt;
  Number quotient = makeFraction(an * bd, ad * bn);
  if (!quotient.isExact) return calculateReal(op, a.toReal(), b.toReal());
  return calculateExact("-", a, *calculateExact("*", b, floorExact(quotient)));
}

} // namespace

Number Number::fraction(int64_t numerator, int64_t denominator) {
  return makeFraction(numerator, denominator);
}

double Number::toReal() const { return isExact ? double(numerator) / double(denominator) : real; }

std::string Number::text() const {
  if (!isExact) return formatReal(real);
  std::string result = std::to_string(numerator);
  return denominator == 1 ? result : result + "/" + std::to_string(denominator);
}

std::optional<Number> parseNumber(const std::string &text) {
  std::string digits;
  bool isReal = false;
  for (char c : text) {
    if (c == '_') continue;
    isReal |= c == '.' || c == 'e' || c == 'E';
    digits += c;
  }
  if (isReal) {
    double value = std::strtod(digits.c_str(), nullptr);
    return std::isfinite(value) ? std::optional(Number::fromReal(value)) : std::nullopt;
  }
  errno = 0;
  long long value = std::strtoll(digits.c_str(), nullptr, 10);
  if (errno != 0) return std::nullopt;
  return Number::whole(value);
}

std::string rangeText(const std::string &digits) {
  bool isReal = digits.find_first_of(".eE") != std::string::npos;
  return "`" + digits + "` is larger than " +
         (isReal ? "the largest `f64`, about 1.8e308"
                 : "the largest whole number, 9223372036854775807");
}

std::optional<Number> calculate(const std::string &op, const Number &lhs, const Number &rhs) {
  if (op == "min") return compare(lhs, rhs) <= 0 ? lhs : rhs;
  if (op == "max") return compare(lhs, rhs) >= 0 ? lhs : rhs;
  if (op == "**" && lhs.isExact && rhs.isWhole() && std::abs(rhs.numerator) < 4096) {
    if (lhs.numerator == 0 && rhs.numerator < 0) return std::nullopt;
    return wholePower(lhs, rhs.numerator);
  }
  if (op == "**" || !lhs.isExact || !rhs.isExact)
    return calculateReal(op, lhs.toReal(), rhs.toReal());
  return calculateExact(op, lhs, rhs);
}

int compare(const Number &lhs, const Number &rhs) {
  if (lhs.isExact && rhs.isExact) {
    Wide left = Wide(lhs.numerator) * rhs.denominator;
    Wide right = Wide(rhs.numerator) * lhs.denominator;
    return left < right ? -1 : left > right;
  }
  double left = lhs.toReal(), right = rhs.toReal();
  return left < right ? -1 : left > right;
}

std::string formatReal(double value) {
  char buffer[40];
  if (value == std::floor(value) && std::abs(value) < 1e15) {
    std::snprintf(buffer, sizeof buffer, "%.0f", value);
    return buffer;
  }
  for (int digits = 1; digits <= 17; ++digits) {
    std::snprintf(buffer, sizeof buffer, "%.*g", digits, value);
    if (std::strtod(buffer, nullptr) == value) break;
  }
  return buffer;
}

} // namespace dlm::sema
