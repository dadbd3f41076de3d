// One table of units, read in both directions.
#include "runtime/driver/Durations.h"

#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace dlm {

namespace {

struct UnitRow {
  const char *name;
  plan::Unit unit;
  double size; // in the unit of the plan
};

/// The first row of a unit is how it is written where nothing larger fits.
constexpr UnitRow Units[] = {
    {"steps", plan::Unit::Steps, 1},          {"step", plan::Unit::Steps, 1},
    {"epochs", plan::Unit::Epochs, 1},        {"epoch", plan::Unit::Epochs, 1},
    {"samples", plan::Unit::Samples, 1},      {"sample", plan::Unit::Samples, 1},
    {"tokens", plan::Unit::Tokens, 1},        {"token", plan::Unit::Tokens, 1},
    {"ms", plan::Unit::Milliseconds, 1},      {"s", plan::Unit::Milliseconds, 1000},
    {"min", plan::Unit::Milliseconds, 60000}, {"h", plan::Unit::Milliseconds, 3600000}};

const UnitRow *findUnit(const std::string &word) {
  for (const UnitRow &row : Units)
    if (word == row.name) return &row;
  return nullptr;
}

} // namespace

std::string quantityText(const plan::QuantityT *quantity) {
  if (!quantity || quantity->unit == plan::Unit::None) return "";
  const UnitRow *chosen = nullptr;
  bool isTime = quantity->unit == plan::Unit::Milliseconds;
  for (const UnitRow &row : Units) {
    if (row.unit != quantity->unit) continue;
    bool fits = isTime ? quantity->value >= row.size : quantity->value == 1;
    if (!chosen || fits) chosen = &row;
  }
  if (!chosen) return "";
  char text[48];
  std::snprintf(text, sizeof text, "%.10g %s", quantity->value / chosen->size, chosen->name);
  return text;
}

std::optional<plan::QuantityT> parseQuantity(const std::string &text) {
  bool startsWell =
      !text.empty() && (std::isdigit(static_cast<unsigned char>(text[0])) || text[0] == '.');
  bool isHexadecimal = text.size() > 1 && (text[1] == 'x' || text[1] == 'X'); // as `strtod` has it
  if (!startsWell || isHexadecimal) return std::nullopt;
  char *end = nullptr;
  double value = std::strtod(text.c_str(), &end);
  while (*end == ' ')
    ++end;
  const UnitRow *unit = findUnit(end);
  if (!unit || !std::isfinite(value) || value <= 0) return std::nullopt;
  plan::QuantityT quantity;
  quantity.value = value * unit->size;
  quantity.unit = unit->unit;
  return quantity;
}

bool isQuantityUnit(const std::string &word) { return findUnit(word) != nullptr; }

} // namespace dlm
