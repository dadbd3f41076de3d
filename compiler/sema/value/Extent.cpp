// Polynomials as a sum of products, kept in one normal form, so that equality is comparison.
#include "compiler/sema/value/Extent.h"

#include <algorithm>
#include <numeric>

namespace dlm::sema {

const std::string batchSymbol = "batch";
const std::string flatSymbol = "flat";

Extent Extent::number(Number value) {
  Extent result;
  result.constant = value;
  return result;
}

Extent Extent::symbol(const std::string &name) {
  Extent result;
  result.terms[{name}] = Number::whole(1);
  return result;
}

bool Extent::isSymbol(const std::string &name) const {
  if (terms.size() != 1 || constant.numerator != 0) return false;
  const auto &[product, coefficient] = *terms.begin();
  return product == Product{name} && coefficient.isWhole() && coefficient.numerator == 1;
}

bool Extent::has(const std::string &symbol) const {
  return std::any_of(terms.begin(), terms.end(), [&](const auto &term) {
    return std::count(term.first.begin(), term.first.end(), symbol) > 0;
  });
}

std::vector<std::string> Extent::symbols() const {
  std::vector<std::string> result;
  for (const auto &term : terms)
    result.insert(result.end(), term.first.begin(), term.first.end());
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

/// Adds `coefficient * product`; false if a coefficient does not fit.
bool Extent::addTerm(const Product &product, const Number &coefficient) {
  Number &place =
      product.empty() ? constant : terms.emplace(product, Number::whole(0)).first->second;
  Number sum = *calculate("+", place, coefficient);
  if (!sum.isExact) return false;
  place = sum;
  if (!product.empty() && sum.numerator == 0) terms.erase(product);
  return true;
}

std::optional<Extent> Extent::combine(const Extent &a, const Extent &b, int64_t sign) {
  Extent result = a;
  Number factor = Number::whole(sign);
  if (!result.addTerm({}, *calculate("*", factor, b.constant))) return std::nullopt;
  for (const auto &[product, coefficient] : b.terms)
    if (!result.addTerm(product, *calculate("*", factor, coefficient))) return std::nullopt;
  return result;
}

std::optional<Extent> Extent::add(const Extent &a, const Extent &b) { return combine(a, b, 1); }

std::optional<Extent> Extent::subtract(const Extent &a, const Extent &b) {
  return combine(a, b, -1);
}

/// Powers of powers would become polynomials that no machine can hold.
static constexpr size_t degreeMax = 16;

std::optional<Extent> Extent::multiply(const Extent &a, const Extent &b) {
  std::map<Product, Number> left = a.terms, right = b.terms;
  left[{}] = a.constant;
  right[{}] = b.constant;
  Extent result;
  for (const auto &[leftProduct, leftFactor] : left)
    for (const auto &[rightProduct, rightFactor] : right) {
      Product product;
      std::merge(leftProduct.begin(), leftProduct.end(), rightProduct.begin(), rightProduct.end(),
                 std::back_inserter(product));
      if (product.size() > degreeMax) return std::nullopt;
      Number factor = *calculate("*", leftFactor, rightFactor);
      if (!factor.isExact || !result.addTerm(product, factor)) return std::nullopt;
    }
  return result;
}

std::optional<Extent> Extent::divideByTerm(const Product &divisor, const Number &by) const {
  std::map<Product, Number> all = terms;
  if (constant.numerator != 0) all[{}] = constant;
  Extent result;
  for (const auto &[product, coefficient] : all) {
    if (!std::includes(product.begin(), product.end(), divisor.begin(), divisor.end()))
      return std::nullopt;
    Product rest;
    std::set_difference(product.begin(), product.end(), divisor.begin(), divisor.end(),
                        std::back_inserter(rest));
    Number quotient = *calculate("/", coefficient, by);
    if (!quotient.isExact || !result.addTerm(rest, quotient)) return std::nullopt;
  }
  return result;
}

/// By a single term, or by a polynomial of which the dividend is a multiple by one term.
std::optional<Extent> Extent::divide(const Extent &a, const Extent &b) {
  if (b.terms.empty() && b.constant.numerator == 0) return std::nullopt;
  if (b.terms.empty()) return a.divideByTerm({}, b.constant);
  const auto &[product, coefficient] = *b.terms.rbegin();
  if (b.terms.size() == 1 && b.constant.numerator == 0) return a.divideByTerm(product, coefficient);
  for (const auto &[candidate, factor] : a.terms) {
    Extent term;
    term.terms[candidate] = factor;
    std::optional<Extent> quotient = term.divideByTerm(product, coefficient);
    if (!quotient) continue;
    std::optional<Extent> check = multiply(*quotient, b);
    if (check && *check == a) return quotient;
  }
  return std::nullopt;
}

std::optional<Number> Extent::evaluate(const std::map<std::string, int64_t> &values) const {
  Number result = constant;
  for (const auto &[product, coefficient] : terms) {
    Number term = coefficient;
    for (const std::string &symbol : product) {
      auto found = values.find(symbol);
      if (found == values.end()) return std::nullopt;
      term = *calculate("*", term, Number::whole(found->second));
    }
    result = *calculate("+", result, term);
  }
  return result.isExact ? std::optional(result) : std::nullopt;
}

std::optional<Extent> Extent::substitute(const std::map<std::string, Extent> &values) const {
  std::optional<Extent> result = number(constant);
  for (const auto &[product, coefficient] : terms) {
    std::optional<Extent> term = number(coefficient);
    for (const std::string &name : product) {
      auto found = values.find(name);
      term = multiply(*term, found == values.end() ? symbol(name) : found->second);
      if (!term) return std::nullopt;
    }
    result = add(*result, *term);
    if (!result) return std::nullopt;
  }
  return result;
}

namespace {

/// The smallest number whose power is a multiple of `denominator`.
int64_t rootMultiple(int64_t denominator, int64_t exponent) {
  int64_t result = 1, rest = denominator;
  auto takeOut = [&](int64_t prime) {
    int64_t count = 0;
    for (; rest % prime == 0; rest /= prime)
      ++count;
    for (int64_t i = 0; i < (count + exponent - 1) / exponent; ++i)
      result *= prime;
  };
  for (int64_t prime = 2; prime < 1000 && rest > 1; ++prime)
    takeOut(prime);
  return result * rest;
}

} // namespace

std::map<std::string, int64_t> Extent::divisors() const {
  std::map<std::string, int64_t> result;
  for (const auto &[product, coefficient] : terms) {
    if (coefficient.denominator == 1) continue;
    int64_t batches = std::count(product.begin(), product.end(), batchSymbol);
    const std::string &name = batches ? batchSymbol : product[0];
    int64_t needed =
        rootMultiple(coefficient.denominator, std::count(product.begin(), product.end(), name));
    int64_t &divisor = result.emplace(name, 1).first->second;
    divisor = std::lcm(divisor, needed);
  }
  return result;
}

std::string Extent::text() const {
  if (terms.empty()) return constant.text();
  std::string result;
  auto append = [&](const std::string &term, bool isNegative) {
    if (result.empty())
      result = (isNegative ? "-" : "") + term;
    else
      result += (isNegative ? " - " : " + ") + term;
  };
  for (const auto &[product, coefficient] : terms) {
    Number size = coefficient;
    size.numerator = std::abs(size.numerator);
    std::string term = size.numerator == 1 ? "" : std::to_string(size.numerator) + " * ";
    for (size_t i = 0; i < product.size(); ++i)
      term += (i ? " * " : "") + product[i];
    if (size.denominator != 1) term += " / " + std::to_string(size.denominator);
    append(term, coefficient.numerator < 0);
  }
  if (constant.numerator == 0) return result;
  Number size = constant;
  size.numerator = std::abs(size.numerator);
  append(size.text(), constant.numerator < 0);
  return result;
}

bool Extent::operator==(const Extent &other) const {
  auto same = [](const Number &a, const Number &b) {
    return a.numerator == b.numerator && a.denominator == b.denominator;
  };
  return same(constant, other.constant) && terms.size() == other.terms.size() &&
         std::equal(terms.begin(), terms.end(), other.terms.begin(),
                    [&](const auto &a, const auto &b) {
                      return a.first == b.first && same(a.second, b.second);
                    });
}

} // namespace dlm::sema
