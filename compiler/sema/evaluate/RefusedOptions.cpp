// A number remembers the option it is the value of (`Value::option`), through names, arguments,
// products and quotients.
#include "compiler/sema/evaluate/RefusedOptions.h"

#include "compiler/sema/evaluate/Evaluator.h"

#include <algorithm>
#include <utility>

namespace dlm::sema {

bool blamesOption(Evaluator &evaluator, Kind kind, const Operand &operand) {
  Program &program = evaluator.program;
  Reporter &report = evaluator.report;
  const std::string *name = operand.value.option();
  if (!name) return false;
  auto option = std::find_if(program.options.begin(), program.options.end(),
                             [&](const Option &each) { return each.name == *name; });
  bool isSize = kind == Kind::BadSize;
  if (option == program.options.end() || option->value > 0) return false;
  if (!isSize && option->value != 0) return false;
  if (!program.refusedOptions.insert(*name).second) return true;
  const std::string *given = definitionOf(program, *name);
  Span place = report.placeToShow(operand.span);
  // The fault is in none of the calls that led here.
  std::vector<Frame> frames = std::exchange(report.frames, {});
  report(kind, option->span,
         "the option `" + *name + "` is " + formatReal(option->value) +
             (isSize ? " and makes a size of " + operand.value.text() + "; a size is at least 1"
                     : " and makes something be divided by zero"))
      .label(option->span, given ? "by `-D " + *name + "=" + *given + "`" : "")
      .note(place, isSize ? "the size is needed here" : "the division is here");
  report.frames = std::move(frames);
  return true;
}

} // namespace dlm::sema
