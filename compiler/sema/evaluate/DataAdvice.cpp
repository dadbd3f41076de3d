// See DataAdvice.h.
#include "compiler/sema/evaluate/DataAdvice.h"

#include "compiler/sema/evaluate/Evaluator.h"
#include "compiler/sema/value/DTypes.h"
#include "compiler/sema/value/Shapes.h"

namespace dlm::sema {

std::string adviceForSamples(const Evaluator &evaluator, const Operand &source,
                             const std::string &field) {
  const DataSource &data = source.value.asData();
  const Field *wanted = nullptr;
  for (const Field &each : data.fields)
    if (!wanted || each.name == field) wanted = &each;
  if (!wanted) return "";
  if (!evaluator.context.isInCommand())
    return "a source is read in batches: `batch." + wanted->name + "`, in `fn loss(batch)`";
  std::string name(evaluator.sources.text(source.span));
  std::string sizes = name + ".count";
  for (const Dim &dim : wanted->type.dims)
    sizes += ", " + dimText(dim);
  return "samples reach a command in a model that keeps them: `buffer kept: " +
         std::string(dtypeName(wanted->type.dtype)) + "[" + sizes + "] = data.fit(" + name +
         ", fn(all) { all." + wanted->name + " })`, of which `kept[ids]` takes some";
}

} // namespace dlm::sema
