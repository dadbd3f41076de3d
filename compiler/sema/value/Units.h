// Units behind numbers: `10min`, `500 steps`, `16GiB`.
#pragma once

#include "compiler/sema/value/Value.h"

#include <optional>
#include <string>
#include <vector>

namespace dlm::sema {

std::vector<std::string> unitNames();

/// The quantity with this unit; nothing if there is no such unit.
std::optional<Value> quantityOf(const Number &amount, const std::string &unit);

} // namespace dlm::sema
