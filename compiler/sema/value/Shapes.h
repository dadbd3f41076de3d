// Rules about shapes alone: which sizes agree, and what stretches to what.
#pragma once

#include "compiler/sema/TypedProgram.h"

#include <optional>
#include <string>
#include <vector>

namespace dlm::sema {

/// Whether two dimensions have the same size; names do not matter.
bool sameSize(const Dim &a, const Dim &b);
bool sameShape(const std::vector<Dim> &a, const std::vector<Dim> &b);

/// The product of the sizes; nothing if it does not fit.
std::optional<Extent> elementCount(const std::vector<Dim> &dims);
bool hasBatchAxis(const std::vector<Dim> &dims);

/// The only dimension of the tensor an optimizer is checked with: as long as all parameters.
Dim flatDim();
bool isFlatDim(const Dim &dim);

/// What two shapes have in common, or why they have nothing.
struct Stretch {
  bool fits = false;
  std::vector<Dim> dims;
  int lhsAxis = -1; // where they differ, counted in each operand
  int rhsAxis = -1;
  bool wouldStretchBoth = false; // one has too few dimensions, and the other a written 1
};

/// The rule of LANGUAGE 2.3. Same rank: a written 1 stretches on either side. Different rank:
/// only the operand with fewer dimensions is expanded, by leading dimensions and its written 1s.
/// A size that merely is 1 never stretches.
Stretch stretchShapes(const std::vector<Dim> &lhs, const std::vector<Dim> &rhs);

/// How the operand with fewer dimensions is indexed so that both have equally many and the shapes
/// fit, in the way in which most sizes meet their equals: `[:, new]`. Empty if there is no such
/// index, or several alike.
std::string fittingIndex(const std::vector<Dim> &lower, const std::vector<Dim> &higher);

/// The named dimension's axis; negative if there is none, or several.
int findAxis(const std::vector<Dim> &dims, const std::string &name);

} // namespace dlm::sema
