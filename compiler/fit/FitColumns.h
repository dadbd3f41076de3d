// What the elements of a fitted value are of, in the words of the program: the columns of a table.
#pragma once

#include "compiler/fit/FitProgram.h"

#include <string>

namespace dlm::fit {

/// The name of the column that an element of a fit's value is of, the value having `count`
/// elements; empty if it is of none.
std::string columnOf(const Fit &fit, const sema::DataSource &data, size_t element, size_t count);

/// Whether the fit looks at the numbers of a table, column by column or all at once.
bool readsNumbers(const Fit &fit, const sema::DataSource &data);

/// The name of the column in place `index` of `number`.
std::string numberColumn(const sema::DataSource &data, size_t index);

} // namespace dlm::fit
