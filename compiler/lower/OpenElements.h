// What operations do to sizes that a call decides: which elements of a result are right, and where
// elements that stand behind such a size come together with others.
#pragma once

#include "compiler/sema/tensor/TypedGraph.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace dlm::lower {

bool isOpen(const sema::TensorType &type);

/// Whether an operation has to do with a size that a call decides.
bool isOfOpenSize(const sema::Node &node);

/// Operations whose right elements depend on right ones alone.
bool keepsElements(const std::string &op);

/// What changes no sum, maximum or minimum.
std::optional<double> neutralOf(const std::string &kind, sema::DType dtype);

/// Whether of the axes from `first` to before `end` only the outermost may be open, apart from
/// ones.
bool isOpenOutside(const std::vector<sema::Dim> &dims, size_t first, size_t end);

/// Whether a loop goes along a size that a call decides.
bool goesOn(const sema::Node &loop, const sema::Graph &graph);

} // namespace dlm::lower
