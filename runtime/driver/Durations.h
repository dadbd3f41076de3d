// Amounts with a unit, as people write and read them: `500 steps`, `3 epochs`, `90 min`.
#pragma once

#include "runtime/abi/Plan_generated.h"

#include <optional>
#include <string>

namespace dlm {

/// "10 epochs", "1 epoch", "1.5 h", "250 ms"; empty for a quantity that is not given.
std::string quantityText(const plan::QuantityT *quantity);

/// Reads an amount with its unit: steps, epochs, samples, tokens, ms, s, min or h; nothing if the
/// text is none.
std::optional<plan::QuantityT> parseQuantity(const std::string &text);

/// Whether a word is a unit that `parseQuantity` reads.
bool isQuantityUnit(const std::string &word);

} // namespace dlm
