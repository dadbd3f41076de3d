// See DTypes.h.
#include "compiler/sema/value/DTypes.h"

#include <cmath>

namespace dlm::sema {

const std::vector<DTypeRow> &dtypeRows() {
  static const std::vector<DTypeRow> rows = {
      {DType::Bool, "bool", DTypeKind::Bool, 1},    {DType::U8, "u8", DTypeKind::Unsigned, 8},
      {DType::U32, "u32", DTypeKind::Unsigned, 32}, {DType::I8, "i8", DTypeKind::Signed, 8},
      {DType::I32, "i32", DTypeKind::Signed, 32},   {DType::I64, "i64", DTypeKind::Signed, 64},
      {DType::F16, "f16", DTypeKind::Real, 16},     {DType::BF16, "bf16", DTypeKind::Real, 16},
      {DType::F32, "f32", DTypeKind::Real, 32},     {DType::F64, "f64", DTypeKind::Real, 64},
  };
  return rows;
}

const DTypeRow &dtypeRow(DType dtype) { return dtypeRows()[static_cast<size_t>(dtype)]; }

std::optional<DType> findDType(const std::string &name) {
  for (const DTypeRow &row : dtypeRows())
    if (name == row.name) return row.dtype;
  return std::nullopt;
}

std::optional<std::vector<DType>> findDTypeClass(const std::string &name) {
  bool isAny = name == "any", isNumber = name == "number";
  if (!isAny && !isNumber && name != "float" && name != "int_") return std::nullopt;
  std::vector<DType> result;
  for (const DTypeRow &row : dtypeRows()) {
    bool fits = name == "float" ? isReal(row.dtype) : isInteger(row.dtype);
    if (isAny || (isNumber && row.kind != DTypeKind::Bool) || (!isNumber && fits))
      result.push_back(row.dtype);
  }
  return result;
}

bool isReal(DType dtype) { return dtypeRow(dtype).kind == DTypeKind::Real; }

bool isInteger(DType dtype) {
  DTypeKind kind = dtypeRow(dtype).kind;
  return kind == DTypeKind::Unsigned || kind == DTypeKind::Signed;
}

double highestNumber(DType dtype) {
  const DTypeRow &row = dtypeRow(dtype);
  if (row.kind != DTypeKind::Real) {
    if (row.bits == 64) return 9223372036854774784.0; // the largest f64 below 2 ** 63
    return std::ldexp(1.0, row.bits - (row.kind == DTypeKind::Signed ? 1 : 0)) - 1;
  }
  return dtype == DType::F16    ? 65504.0
         : dtype == DType::BF16 ? 3.3895313892515355e38
         : dtype == DType::F64  ? 1.7976931348623157e308
                                : 3.4028234663852886e38;
}

double lowestNumber(DType dtype) {
  const DTypeRow &row = dtypeRow(dtype);
  if (row.kind == DTypeKind::Real) return -highestNumber(dtype);
  return row.kind == DTypeKind::Signed ? -std::ldexp(1.0, row.bits - 1) : 0;
}

bool canHold(DType dtype, const Number &number) {
  const DTypeRow &row = dtypeRow(dtype);
  if (row.kind == DTypeKind::Real) return std::abs(number.toReal()) <= highestNumber(dtype);
  if (!number.isWhole() || row.kind == DTypeKind::Bool) return false;
  if (row.bits == 64) return true;
  bool isSigned = row.kind == DTypeKind::Signed;
  int64_t high = (int64_t(1) << (row.bits - (isSigned ? 1 : 0))) - 1;
  int64_t low = isSigned ? -high - 1 : 0;
  return number.numerator >= low && number.numerator <= high;
}

} // namespace dlm::sema
