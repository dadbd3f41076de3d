// What a name may have meant that is declared nowhere: the library's functions under the names of
// other libraries, and modules that are not needed here.
#include "compiler/sema/modules/NameAdvice.h"

#include "compiler/diagnostics/NearWords.h"
#include "compiler/sema/evaluate/Evaluator.h"
#include "compiler/sema/modules/ForeignNames.h"

#include <cctype>
#include <filesystem>

namespace dlm::sema {

namespace {

bool isLetter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// The members that are asked for behind a name: `nn.functional.silu` behind `torch`.
Span membersBehind(std::string_view text, Span name) {
  size_t end = name.end;
  while (end + 1 < text.size() && text[end] == '.' && isLetter(text[end + 1])) {
    ++end;
    while (end < text.size() && isLetter(text[end]))
      ++end;
  }
  return {name.file, name.end, uint32_t(end)};
}

} // namespace

bool isMemberAsked(const Evaluator &evaluator, Span name) {
  Span members = membersBehind(evaluator.sources.text(name.file), name);
  return members.begin < members.end;
}

std::string libraryFunctionLike(const Evaluator &evaluator, const std::string &name) {
  const std::string suffix = "Loss"; // `HuberLoss`
  std::string plain = name;
  if (name.size() > suffix.size() && name.substr(name.size() - suffix.size()) == suffix)
    plain = name.substr(0, name.size() - suffix.size());
  for (const auto &[candidate, binding] : evaluator.library->bindings)
    if (haveSameLetters(plain, candidate)) return candidate;
  return "";
}

std::string fileAdvice(const Evaluator &evaluator, const std::string &name, Span place) {
  namespace fs = std::filesystem;
  if (!isMemberAsked(evaluator, place) || evaluator.report.libraryFiles.count(place.file))
    return "";
  std::string file = name + ".dlm";
  std::error_code error; // of a folder that is gone
  bool isThere = fs::is_regular_file(
      fs::path(std::string(evaluator.sources.path(place.file))).parent_path() / file, error);
  return isThere ? "`" + file + "` stands beside this file: `use " + name + "` makes it known" : "";
}

std::string otherWithParameter(const Evaluator &evaluator, const Signature &signature,
                               const std::string &parameter) {
  std::string result;
  auto look = [&](const auto &declarations) {
    for (const auto &each : declarations) {
      bool isLonger = each.name.text != signature.callee &&
                      each.name.text.compare(0, signature.callee.size(), signature.callee) == 0;
      for (const ast::Param &param : each.params)
        if (isLonger && param.name.text == parameter) result = each.name.text;
    }
  };
  if (!evaluator.report.libraryFiles.count(signature.declared.file)) return "";
  for (const auto &[path, module] : evaluator.modules.all()) {
    if (!module.file || module.id != signature.declared.file) continue;
    look(module.file->optimizers);
    look(module.file->functions);
    look(module.file->models);
  }
  return result;
}

void adviseFunctionOf(const Evaluator &evaluator, Report &message, const Operand &text) {
  std::string like = libraryFunctionLike(evaluator, text.value.asString());
  bool isWritten = text.expr && text.expr->kind == ast::ExprKind::String;
  if (like.empty())
    message.help("a function has no quotes: `relu`, `gelu`, `silu`, `tanh`, `sigmoid`");
  else
    message.help("a function has no quotes: `" + like + "`", isWritten ? text.span : Span{}, like);
}

Span withEmptyCall(const Evaluator &evaluator, Span span) {
  bool isCall = evaluator.sources.text(span.file).substr(span.end, 2) == "()";
  return {span.file, span.begin, span.end + (isCall ? 2 : 0)};
}

void adviseForeignModule(const Evaluator &evaluator, Report &message, Span module) {
  Span members = membersBehind(evaluator.sources.text(module.file), module);
  std::string path(evaluator.sources.text(members));
  std::string last = path.substr(path.rfind('.') + 1);
  std::string advice = foreignMemberAdvice(last), function = libraryFunctionLike(evaluator, last);
  if (!function.empty() && nameHere(last).empty())
    message.help("functions are in no module: write `" + function + "`", cover(module, members),
                 function);
  else if (!advice.empty())
    message.help(advice);
  else
    message.help("functions are in no module: `exp(x)`, not `" +
                 std::string(evaluator.sources.text(module)) + ".exp(x)`");
}

} // namespace dlm::sema
