// What people usually meant when shapes do not fit: a matrix the other way round, images with the
// channels in front, samples that were not flattened. Each function looks for one such pattern and
// returns what to write, or an empty text where it would have to guess.
#pragma once

#include "compiler/sema/TypedProgram.h"
#include "compiler/sema/tensor/TensorWriter.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dlm::sema {

/// A value of these dimensions goes where `declared` is wanted; a size that the declaration leaves
/// open is nothing.
std::string adviceForParameter(const std::vector<std::optional<Extent>> &declared, bool hasEllipsis,
                               const std::vector<Dim> &actual);

/// Images with their channels in front, as other libraries have them, where they are wanted last.
std::string adviceForChannels(const std::vector<std::optional<Extent>> &declared,
                              const std::vector<Dim> &actual);

/// `reshape` from one shape to another that holds another number of elements.
std::string adviceForReshape(const std::vector<Dim> &from, const std::vector<Dim> &to);

/// `a @ b`, whose inner sizes differ; the texts are the operands as written.
std::string adviceForProduct(const std::vector<Dim> &a, const std::vector<Dim> &b,
                             std::string_view aText, std::string_view bText);

/// What to write around an argument of a function whose arguments do not fit together.
struct ArgumentAdvice {
  size_t argument = 0;
  std::string before, behind;
  std::string reason;
};

std::optional<ArgumentAdvice> adviceForArguments(const std::vector<TensorType> &types);

/// A size as a program writes it: the number of samples is `batch.size`.
std::string sizeText(const Dim &dim);

/// How the last two axes change places; empty where there are none.
std::string adviceForTurn(const std::vector<Dim> &dims);

/// Scores of classes next to the numbers of classes.
std::string adviceForClasses(const TensorType &a, const TensorType &b);

/// Scores of classes next to the numbers of classes that were converted to real numbers.
std::string adviceForLabels(TensorWriter &tensors, const Tensor &a, const Tensor &b);

} // namespace dlm::sema
