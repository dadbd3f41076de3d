// Bounds of a polynomial: each symbol is written as its lower bound plus a rest that is not
// negative, and once more as its upper bound minus such a rest. What is then left of the terms
// has one sign each, and the sharper result counts.
#include "compiler/sema/value/Symbols.h"

#include <algorithm>

namespace dlm::sema {

namespace {

bool hasUpper(const Symbol &symbol) { return symbol.upper != INT64_MAX; }

/// A coefficient times the widths of the symbols' ranges; nothing if that has no bound.
std::optional<Number> reach(const Symbols &symbols, const Extent::Product &product,
                            const Number &coefficient) {
  Number result = coefficient;
  for (const std::string &name : product) {
    Symbol symbol = symbolOf(symbols, name);
    if (!hasUpper(symbol)) return std::nullopt;
    result = *calculate("*", result, Number::whole(symbol.upper - symbol.lower));
  }
  return result.isExact ? std::optional(result) : std::nullopt;
}

/// The bounds found by counting the symbols from their lower or from their upper bounds.
Interval countedFrom(const Symbols &symbols, const Extent &extent, bool isFromUpper) {
  std::map<std::string, Extent> values;
  for (const std::string &name : extent.symbols()) {
    Symbol symbol = symbolOf(symbols, name);
    if (isFromUpper && !hasUpper(symbol)) return {};
    Extent rest = Extent::symbol(name);
    values[name] = isFromUpper ? *Extent::subtract(Extent::whole(symbol.upper), rest)
                               : *Extent::add(Extent::whole(symbol.lower), rest);
  }
  std::optional<Extent> result = extent.substitute(values);
  if (!result) return {};
  Interval interval = {result->constantPart(), result->constantPart()};
  for (const auto &[product, coefficient] : result->products()) {
    std::optional<Number> &bound = coefficient.numerator < 0 ? interval.lower : interval.upper;
    std::optional<Number> term = reach(symbols, product, coefficient);
    if (bound && term) bound = calculate("+", *bound, *term);
    if (!term || (bound && !bound->isExact)) bound.reset();
  }
  return interval;
}

} // namespace

Symbol symbolOf(const Symbols &symbols, const std::string &name) {
  auto found = symbols.find(name);
  return found == symbols.end() ? Symbol() : found->second;
}

Interval intervalOf(const Symbols &symbols, const Extent &extent) {
  Interval result = countedFrom(symbols, extent, false);
  Interval other = countedFrom(symbols, extent, true);
  if (other.lower && (!result.lower || compare(*other.lower, *result.lower) > 0))
    result.lower = other.lower;
  if (other.upper && (!result.upper || compare(*other.upper, *result.upper) < 0))
    result.upper = other.upper;
  return result;
}

std::optional<bool> compareSizes(const Symbols &symbols, const std::string &op, const Extent &a,
                                 const Extent &b) {
  if (op == "==") return a == b;
  if (op == "!=") return a != b;
  if (op == ">" || op == ">=") return compareSizes(symbols, op == ">" ? "<" : "<=", b, a);
  std::optional<Extent> difference = Extent::subtract(b, a);
  if (!difference) return std::nullopt;
  Interval range = intervalOf(symbols, *difference);
  int least = op == "<" ? 1 : 0; // the sign that the difference has at least
  if (range.lower && compare(*range.lower, Number::whole(0)) >= least) return true;
  if (range.upper && compare(*range.upper, Number::whole(0)) < least) return false;
  return std::nullopt;
}

std::optional<int64_t> leastValue(const Extent &size, const std::string &symbol) {
  if (size.products().size() != 1) return std::nullopt;
  const auto &[product, factor] = *size.products().begin();
  if (product != Extent::Product{symbol} || factor.numerator <= 0) return std::nullopt;
  std::optional<Number> rest = calculate("-", Number::whole(1), size.constantPart());
  std::optional<Number> value = rest ? calculate("/", *rest, factor) : std::nullopt;
  if (!value || !value->isExact) return std::nullopt;
  int64_t whole = value->numerator / value->denominator; // towards 0
  return whole + (value->numerator > 0 && whole * value->denominator != value->numerator);
}

void boundBelow(Symbols &symbols, const Extent &size) {
  for (const std::string &name : size.symbols()) {
    auto found = symbols.find(name);
    if (found == symbols.end() || found->second.lower >= 0) continue;
    found->second.lower = std::max(found->second.lower, leastValue(size, name).value_or(INT64_MIN));
  }
}

std::optional<Extent> remainderOf(const Symbols &symbols, const Extent &a, const Extent &b) {
  bool isSmaller = compareSizes(symbols, ">=", a, Extent()).value_or(false) &&
                   compareSizes(symbols, "<", a, b).value_or(false);
  if (isSmaller) return a;
  std::optional<Extent> quotient = Extent::divide(a, b);
  if (!quotient) return std::nullopt;
  for (const auto &term : quotient->products())
    if (!term.second.isWhole()) return std::nullopt;
  if (quotient->constantPart().isWhole()) return Extent();
  if (!b.isConstant()) return std::nullopt;
  return Extent::number(*calculate("%", a.constantPart(), b.constantPart()));
}

std::string boundsText(const std::string &name, const Symbol &symbol) {
  std::string lower = std::to_string(symbol.lower);
  if (!hasUpper(symbol)) return "`" + name + "` is at least " + lower;
  return "`" + name + "` is " + lower + " to " + std::to_string(symbol.upper);
}

} // namespace dlm::sema
