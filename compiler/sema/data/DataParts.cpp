// What a data source is told in words: how text becomes numbers, what a column holds. Each is a
// value that only a source's function takes.
#include "compiler/sema/data/DataKinds.h"

#include "compiler/sema/evaluate/Evaluator.h"

namespace dlm::sema {

namespace {

Value runPart(Evaluator &, const BuiltinCall &call) {
  DataPartObject part;
  part.kind = call.builtin.name;
  const std::vector<std::string> &names = call.builtin.signature.names;
  for (size_t i = 0; i < names.size(); ++i)
    if (call.has(i)) part.settings.fields.emplace_back(names[i], call[i].value);
  return Value::dataPart(std::move(part));
}

Value runCategory(Evaluator &evaluator, const BuiltinCall &call) {
  if (call.has(0)) {
    std::optional<int64_t> least = evaluator.needInt(call[0], "`min_count`");
    if (!least) return Value();
    if (*least < 1) {
      evaluator.report(Kind::SettingRange, call[0].span,
                       "`min_count` is at least 1, and this is " + std::to_string(*least));
      return Value();
    }
  }
  if (call.has(1) && !evaluator.needBool(call[1], "`unknown`")) return Value();
  return runPart(evaluator, call);
}

Value runSkip(Evaluator &evaluator, const BuiltinCall &call) {
  std::optional<int64_t> limit = evaluator.needInt(call[0], "`limit`");
  if (!limit) return Value();
  if (*limit < 1) {
    evaluator.report(Kind::SettingRange, call[0].span,
                     "`limit` is at least 1, and this is " + std::to_string(*limit));
    return Value();
  }
  return runPart(evaluator, call);
}

Value runTokenizerFile(Evaluator &evaluator, const BuiltinCall &call) {
  return evaluator.needString(call[0], "the file of a tokenizer") ? runPart(evaluator, call)
                                                                  : Value();
}

} // namespace

const BuiltinTable &dataPartBuiltins() {
  static const BuiltinTable table = {
      {"chars", "", runPart},
      {"words", "", runPart},
      {"bpe", "file", runTokenizerFile},
      {"number", "missing? = allowed | forbidden", runPart},
      {"skip", "limit", runSkip},
      {"category", "min_count?, unknown?", runCategory},
  };
  return table;
}

} // namespace dlm::sema
