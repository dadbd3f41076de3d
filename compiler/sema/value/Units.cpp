// A row for each unit, with how much of the smallest one of its kind it is.
#include "compiler/sema/value/Units.h"

namespace dlm::sema {

namespace {

struct UnitRow {
  const char *name;
  Measure measure;
  int64_t scale;
};

const std::vector<UnitRow> &unitRows() {
  static const std::vector<UnitRow> rows = {
      {"ms", Measure::Time, 1},         {"s", Measure::Time, 1000},
      {"min", Measure::Time, 60'000},   {"h", Measure::Time, 3'600'000},
      {"d", Measure::Time, 86'400'000}, {"B", Measure::Bytes, 1},
      {"KiB", Measure::Bytes, 1 << 10}, {"MiB", Measure::Bytes, 1 << 20},
      {"GiB", Measure::Bytes, 1 << 30}, {"TiB", Measure::Bytes, int64_t(1) << 40},
      {"steps", Measure::Steps, 1},     {"epochs", Measure::Epochs, 1},
      {"samples", Measure::Samples, 1}, {"tokens", Measure::Tokens, 1},
  };
  return rows;
}

} // namespace

std::vector<std::string> unitNames() {
  std::vector<std::string> result;
  for (const UnitRow &row : unitRows())
    result.push_back(row.name);
  return result;
}

std::optional<Value> quantityOf(const Number &amount, const std::string &unit) {
  for (const UnitRow &row : unitRows())
    if (unit == row.name)
      return Value::quantity(*calculate("*", amount, Number::whole(row.scale)), row.measure);
  return std::nullopt;
}

} // namespace dlm::sema
