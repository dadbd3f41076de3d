// The stand-in takes the place of the word under the cursor, so that the line mostly parses; the
// checker then says in which scope, behind which value or in which call it stands. Where that
// fails, the names known from the last check of the document are offered.
#include "compiler/lsp/Completion.h"

#include "compiler/lsp/CursorContext.h"
#include "compiler/lsp/Hover.h"
#include "compiler/lsp/Reference.h"
#include "compiler/sema/evaluate/Evaluator.h"
#include "compiler/sema/modules/LibraryTexts.h"

#include <algorithm>
#include <cctype>
#include <set>

namespace dlm::lsp {

namespace {

constexpr const char *standIn = "name_at_the_cursor";

class CursorProbe : public sema::Observer {
public:
  CursorProbe(uint32_t offset, FileId first) : offset(offset), first(first) {}

  void begin() override {
    isFound = false;
    names.clear();
    parameters.clear();
  }
  void scope(const sema::Scope &) override {}

  void name(const ast::Expr &expr, const sema::ScopePtr &scope, const sema::Binding *,
            const sema::Value &) override {
    if (isFound || !isHere(expr.span) || expr.text != standIn) return;
    isFound = true;
    std::set<std::string> seen;
    for (const sema::Scope *each = scope.get(); each; each = each->parent.get())
      for (const auto &[name, binding] : each->bindings)
        if (seen.insert(name).second && name.rfind("...", 0) != 0)
          names.push_back({name, describe(name, &binding, binding.value)});
  }

  void member(const ast::Expr &expr, const sema::Value &base, const sema::Value &) override {
    if (!isHere(expr.nameSpan) || !names.empty()) return;
    isFound = !base.isPoison();
    names = membersOf(base);
  }

  void call(const sema::Signature &signature,
            const std::vector<sema::CallArgument> &arguments) override {
    bool isAsked = false;
    std::set<std::string> given;
    for (const sema::CallArgument &argument : arguments) {
      isAsked |= argument.operand.expr && argument.name.empty() && isHere(argument.operand.span);
      isAsked |= !argument.name.empty() && isHere(argument.nameSpan);
      given.insert(argument.name);
    }
    if (!isAsked || !parameters.empty()) return;
    callee = signature.callee;
    for (const std::string &name : signature.names)
      if (!given.count(name)) parameters.push_back(name);
  }

  bool isFound = false;
  std::vector<Candidate> names;
  std::vector<std::string> parameters;
  std::string callee;

private:
  bool isHere(Span span) const { return span.file == first && span.begin == offset; }

  uint32_t offset;
  FileId first;
};

struct Suggester {
  const Analysis &analysis;
  std::vector<Suggestion> out;
  std::set<std::string> seen;

  void add(Suggestion suggestion) {
    if (seen.insert(suggestion.label).second) out.push_back(std::move(suggestion));
  }

  void addWords(std::initializer_list<const char *> words) {
    for (const char *word : words)
      add({word, SuggestionKind::Word, "", "", ""});
  }

  void addCandidates(const std::vector<Candidate> &candidates, bool isMember) {
    for (const Candidate &candidate : candidates) {
      const Fact &fact = candidate.fact;
      SuggestionKind kind = isMember ? SuggestionKind::Member : SuggestionKind::Name;
      if (fact.word == "model" || fact.word == "optimizer") kind = SuggestionKind::Model;
      if (fact.word == "module") kind = SuggestionKind::Module;
      if (fact.word == "fn" || !fact.builtin.empty()) kind = SuggestionKind::Function;
      add({candidate.name, kind, headline(analysis, fact), documentation(analysis, fact), ""});
    }
  }

  /// The names that the last check of the document saw.
  void addKnown() {
    for (const auto &[place, fact] : analysis.facts)
      if (fact.declared == fact.place && fact.declared.isValid() &&
          fact.declared.file == analysis.root)
        addCandidates({{fact.name, fact}}, false);
    addCandidates(analysis.library, false);
  }

  void addAmbient() {
    for (const ReferenceEntry &entry : referenceAmbient())
      add({entry.name, SuggestionKind::Name, entry.name, entry.meaning, ""});
  }

  void addSettings(const std::string &section) {
    for (const ReferenceEntry &entry : referenceSettings()) {
      if (entry.section != section || entry.name == "let" || entry.name == "fn") continue;
      bool isHook = entry.written.rfind("fn ", 0) == 0;
      bool isSection = entry.written.find('{') != std::string::npos && entry.section.empty();
      std::string insert = isHook ? entry.written : entry.name + (isSection ? " { " : " = ");
      std::string text = meaningOf(referenceSettings(), entry.name, section);
      add({isHook ? "fn " + entry.name : entry.name, SuggestionKind::Setting, entry.written, text,
           insert});
    }
    if (section.empty()) addWords({"let", "fn", "command", "update"});
  }

  void addTypes() {
    for (const char *word : {"f32", "i32", "i64", "u8", "bool", "int", "float", "number", "any",
                             "string", "model", "initialiser"})
      add({word, SuggestionKind::Type, "", "", ""});
    addWords({"fn"});
  }

  void addModules() {
    for (const char *name : {"data", "init"})
      add({name, SuggestionKind::Module, "", "", ""});
    for (const sema::LibraryText &text : sema::libraryTexts())
      if (text.isForPrograms()) add({std::string(text.name), SuggestionKind::Module, "", "", ""});
  }
};

} // namespace

std::vector<Suggestion> suggestionsAt(const Analysis &analysis, const std::string &path,
                                      const std::string &text, uint32_t offset,
                                      const Library &library,
                                      const SourceManager::Overlay &overlay) {
  CursorContext context = contextAt(text, offset);
  Suggester result{analysis, {}, {}};
  switch (context.kind) {
  case CursorContext::Nothing:
    return {};
  case CursorContext::Declaration:
    result.addWords({"use", "option", "let", "fn", "model", "optimizer", "train", "search",
                     "export", "test", "require"});
    return result.out;
  case CursorContext::Module:
    result.addModules();
    return result.out;
  case CursorContext::Type:
    result.addTypes();
    return result.out;
  case CursorContext::Setting:
    result.addSettings(context.section);
    return result.out;
  case CursorContext::ModelMember:
    result.addWords({"param", "buffer", "state", "let", "fn", "require"});
    return result.out;
  default:
    break;
  }
  uint32_t begin = uint32_t(context.wordBegin);
  CursorProbe probed(begin, library.sources.fileCount());
  auto isWord = [&](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  size_t end = offset;
  while (end < text.size() && isWord(text[end]))
    ++end;
  std::string patched = text.substr(0, begin) + standIn + text.substr(end);
  probe(path, patched, library, overlay, probed, [&] { return probed.isFound; });
  bool isMember = context.kind == CursorContext::Member;
  if (context.kind == CursorContext::Argument)
    for (const std::string &name : probed.parameters)
      result.add({name + " =", SuggestionKind::Argument, "parameter of " + probed.callee, "",
                  name + " = "});
  if (context.kind == CursorContext::Statement)
    result.addWords({"let", "require", "next", "expect"});
  result.addCandidates(probed.names, isMember);
  if (isMember) return result.out;
  if (!probed.isFound) result.addKnown();
  result.addAmbient();
  result.addWords({"if", "fn", "not", "true", "false", "none"});
  return result.out;
}

} // namespace dlm::lsp
