// The element types of tensors, as a table: their names in programs, what kind of number each is,
// and which exact values it can hold.
#pragma once

#include "compiler/sema/TypedProgram.h"
#include "compiler/sema/value/Number.h"

#include <optional>
#include <string>
#include <vector>

namespace dlm::sema {

enum class DTypeKind { Bool, Unsigned, Signed, Real };

struct DTypeRow {
  DType dtype;
  const char *name; // as written in programs
  DTypeKind kind;
  int bits;
};

/// All element types, in the order of `DType`.
const std::vector<DTypeRow> &dtypeRows();
const DTypeRow &dtypeRow(DType dtype);
/// The type of a name such as `f32`.
std::optional<DType> findDType(const std::string &name);
/// The members of a class of types: `float`, `int_`, `number`, `any`; nothing for another word.
std::optional<std::vector<DType>> findDTypeClass(const std::string &name);

bool isReal(DType dtype);
bool isInteger(DType dtype);
/// The least and the greatest finite value of a number type.
double lowestNumber(DType dtype);
double highestNumber(DType dtype);
/// Whether the type can hold the number; a real type holds any that is finite in it.
bool canHold(DType dtype, const Number &number);

} // namespace dlm::sema
