// What all kinds of sources ask of their call.
#include "compiler/sema/data/SourceCall.h"

#include "compiler/sema/evaluate/Evaluator.h"
#include "compiler/syntax/TokenTraits.h"

#include <algorithm>

namespace dlm::sema {

SourceCall::SourceCall(Evaluator &evaluator, const BuiltinCall &call)
    : evaluator(evaluator), call(call), names(call.builtin.signature.names) {}

const Operand *SourceCall::argument(const std::string &name) const {
  size_t index = size_t(std::find(names.begin(), names.end(), name) - names.begin());
  return call.has(index) ? &call[index] : nullptr;
}

std::optional<int64_t> SourceCall::window() const {
  std::optional<int64_t> window = evaluator.needInt(*argument("window"), "`window`");
  if (!window || *window >= 1) return window;
  evaluator.report(Kind::BadSize, argument("window")->span,
                   "`window` is at least 1, and this is " + std::to_string(*window));
  return std::nullopt;
}

bool SourceCall::addWindows(const std::vector<std::string> &fields, DataSource &source) {
  std::optional<int64_t> size = window();
  if (!size) return false;
  for (const std::string &field : fields)
    source.fields.push_back({field, {DType::I32, {Dim::whole(*size)}}});
  return true;
}

TensorType SourceCall::image(DataSource &source, bool hasChannels, int64_t sideMax) {
  int64_t most = sideMax;
  if (const Operand *side = argument("max_side"))
    most = std::min(most, evaluator.needInt(*side, "`max_side`").value_or(most));
  TensorType result{hasChannels ? DType::U8 : DType::I32, {}};
  for (const char *side : {"height", "width"}) {
    std::string symbol = evaluator.context.path + "." + side;
    Symbol &known = evaluator.program.symbols[symbol];
    known.upper = std::min(known.upper, most);
    known.isSide = true;
    known.declared = call.span;
    known.what = std::string("the ") + side + " of an image";
    result.dims.push_back({Extent::symbol(symbol), side, false});
  }
  if (hasChannels) result.dims.push_back(Dim::whole(3));
  return result;
}

bool SourceCall::lacks(const std::string &what) {
  evaluator.report(Kind::DataSource, call.span, "the description of this data lacks `" + what + "`")
      .note("it is " + describedBy)
      .help("a whole one is, for example, `" + example + "`");
  return false;
}

bool SourceCall::isFieldName(const std::string &name) {
  bool isSize = name == "size";
  if (isName(name) && !isSize) return true;
  evaluator
      .report(Kind::DataSource, call.span,
              "the data has a field `" + name + "`, a name that no program can write")
      .note(isSize ? "`batch.size` is the number of samples"
                   : "a name consists of letters, digits and `_`, and is no word such as `in`")
      .help("rename the field in the data");
  return false;
}

bool SourceCall::fails(const Status &status) {
  evaluator.report(Kind::DataSource, call.span, status.message());
  return false;
}

} // namespace dlm::sema
