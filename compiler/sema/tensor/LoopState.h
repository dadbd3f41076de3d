// What a loop carries: any records and lists of tensors, seen as the row of its tensors.
#pragma once

#include "compiler/sema/evaluate/Evaluator.h"

#include <optional>
#include <vector>

namespace dlm::sema {

/// The tensors of a value, in order. Numbers become scalars. Nothing, after a report, if there is
/// anything else in it.
std::optional<std::vector<Tensor>> tensorsOf(Evaluator &evaluator, const Operand &operand,
                                             const std::string &what);

/// A value like `pattern` with these tensors in it.
Value withTensors(const Value &pattern, const std::vector<Tensor> &tensors);

/// The tensors of a value that must have the form and the types of `pattern`, which holds `begin`;
/// numbers take the type of what they meet. Nothing, after a report, if it is different.
std::optional<std::vector<Tensor>> tensorsLike(Evaluator &evaluator, const Operand &operand,
                                               const Operand &pattern,
                                               const std::vector<Tensor> &begin);

} // namespace dlm::sema
