// Arguments that are not what a parameter needs: units, and tuples that are taken apart. They are
// reported where they are given, rather than where the function fails with them.
#pragma once

#include "compiler/sema/value/Value.h"

#include <optional>
#include <string>

namespace dlm {
class SourceManager;
}

namespace dlm::sema {

class Evaluator;
struct Program;
class Report;

/// Epochs or samples as steps of the run, rounded up; nothing if they are none, or no run is known.
std::optional<Value> asSteps(Program &program, const Value &value);
/// How a number that is declared elsewhere, or computed, gets its unit.
std::string adviceForUnit(const SourceManager &sources, const Operand &operand,
                          const std::string &unit);
/// The value, if it is a number of this unit; anything else is reported.
Value conformToMeasure(Evaluator &evaluator, Measure measure, const Operand &operand,
                       const std::string &what);
/// Without a type, the default says whether a parameter has a unit, and which.
Value conformToDefault(Evaluator &evaluator, const ast::Param &param, const Operand &operand);
/// Reports an argument that the function takes apart, and cannot; false if it is none.
bool reportNoTuple(Evaluator &evaluator, const ast::Stmt &let, const Operand &operand,
                   Scope &scope);
/// For a batch where a number is needed: how many samples it has.
void adviseBatchSize(const Evaluator &evaluator, Report &message, const Operand &batch);

} // namespace dlm::sema
