// `test` blocks: each becomes a graph whose results are what it expects.
#pragma once

#include "compiler/sema/evaluate/Evaluator.h"

#include <vector>

namespace dlm::sema {

/// What the dimension `batch` is in a test, where no run gives it a size.
constexpr int64_t testRows = 2;

/// Checks the tests of a file whose declarations are in `scope`. An `expect` that is known to fail
/// is reported, unless the tests are about to be run.
std::vector<TypedTest> checkTests(Evaluator &evaluator, const ast::File &file,
                                  const ScopePtr &scope);

} // namespace dlm::sema
