// The size of a dimension: an exact polynomial with rational coefficients in a few symbols.
//
// Most sizes are plain whole numbers. What stays open until a program runs is the batch, a length
// that a data source bounds, and a whole number that a command is called with; sizes computed from
// those (`batch / 32`, `2 * length + 1`) are equal exactly if they are the same polynomial.
#pragma once

#include "compiler/sema/value/Number.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace dlm::sema {

/// The symbol of the batch axis; every size that contains it counts samples.
extern const std::string batchSymbol;
/// The symbol of the one row in which an optimizer sees all parameters.
extern const std::string flatSymbol;

class Extent {
public:
  /// Zero.
  Extent() = default;
  static Extent whole(int64_t value) { return number(Number::whole(value)); }
  /// A constant; `value` is exact.
  static Extent number(Number value);
  static Extent symbol(const std::string &name);
  static Extent batch() { return symbol(batchSymbol); }

  bool isConstant() const { return terms.empty(); }
  bool isWhole() const { return isConstant() && constant.isWhole(); }
  /// The value of a whole constant.
  int64_t asWhole() const { return constant.numerator; }
  /// The part without symbols.
  const Number &constantPart() const { return constant; }
  /// Whether this is nothing but the symbol.
  bool isSymbol(const std::string &name) const;
  bool isBatch() const { return isSymbol(batchSymbol); }
  bool has(const std::string &symbol) const;
  /// Whether an axis of this size carries samples.
  bool countsSamples() const { return has(batchSymbol); }
  std::vector<std::string> symbols() const;

  /// Exact results; nothing if a coefficient does not fit into 64 bits, or if a quotient is not a
  /// polynomial.
  static std::optional<Extent> add(const Extent &a, const Extent &b);
  static std::optional<Extent> subtract(const Extent &a, const Extent &b);
  static std::optional<Extent> multiply(const Extent &a, const Extent &b);
  static std::optional<Extent> divide(const Extent &a, const Extent &b);

  /// The polynomial in which each of these symbols is replaced; nothing if it does not fit.
  std::optional<Extent> substitute(const std::map<std::string, Extent> &values) const;

  /// The value for these values of the symbols; nothing if one is missing, or it is no exact
  /// number.
  std::optional<Number> evaluate(const std::map<std::string, int64_t> &values) const;

  /// What symbols have to be multiples of for all but the constant part to be whole: `batch / 32`
  /// gives (batch, 32). In a product of several symbols it is the batch, or else the first.
  std::map<std::string, int64_t> divisors() const;

  /// As a program would write it: `64`, `batch / 32`, `2 * length + 1`.
  std::string text() const;

  bool operator==(const Extent &other) const;
  bool operator!=(const Extent &other) const { return !(*this == other); }

  /// Symbols with repetition, sorted: `n * n` is {n, n}. The empty product is never a key.
  using Product = std::vector<std::string>;
  /// The terms without the constant part; coefficients are exact and not zero.
  const std::map<Product, Number> &products() const { return terms; }

private:
  bool addTerm(const Product &product, const Number &coefficient);
  static std::optional<Extent> combine(const Extent &a, const Extent &b, int64_t sign);
  std::optional<Extent> divideByTerm(const Product &product, const Number &coefficient) const;

  Number constant = Number::whole(0);
  std::map<Product, Number> terms;
};

} // namespace dlm::sema
