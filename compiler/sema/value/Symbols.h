// What the bounds of open sizes decide: two sizes are compared by the bounds of their difference,
// so `batch + 1` is more than `batch` whatever the batch is.
#pragma once

#include "compiler/sema/Program.h"

#include <map>
#include <optional>
#include <string>

namespace dlm::sema {

using Symbols = std::map<std::string, Symbol>;

/// The values a size can have; nothing where there is no bound.
struct Interval {
  std::optional<Number> lower;
  std::optional<Number> upper;
};

/// What is known of a symbol. The batch, and any other that was not declared, is at least 1.
Symbol symbolOf(const Symbols &symbols, const std::string &name);

/// Bounds of a size; those of a polynomial may be wider than what it can reach.
Interval intervalOf(const Symbols &symbols, const Extent &extent);

/// Whether `a op b` holds, for == != < <= > >=. Sizes are equal if they are the same polynomial;
/// nothing if the bounds do not decide the order.
std::optional<bool> compareSizes(const Symbols &symbols, const std::string &op, const Extent &a,
                                 const Extent &b);

/// The least whole value of a symbol with which a size is at least 1, if it is made of nothing else
/// and grows with it.
std::optional<int64_t> leastValue(const Extent &size, const std::string &symbol);

/// Raises what a symbol that may be below 0 is at least, so far that a size is at least 1: for
/// `k + 4` to -3. Only a command is called with such a one, and refuses what is less.
void boundBelow(Symbols &symbols, const Extent &size);

/// `a % b` if it is the same size whatever the values of the symbols are.
std::optional<Extent> remainderOf(const Symbols &symbols, const Extent &a, const Extent &b);

/// "`batch` is at least 1".
std::string boundsText(const std::string &name, const Symbol &symbol);

} // namespace dlm::sema
