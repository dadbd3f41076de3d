// See Hover.h.
#include "compiler/lsp/Hover.h"

#include "compiler/lsp/Reference.h"

namespace dlm::lsp {

namespace {

const Declaration *meantBy(const Analysis &analysis, const Fact &fact) {
  if (!fact.meaning.isValid()) return nullptr;
  return analysis.declaration(fact.meaning);
}

/// The parameter that the name of an argument stands for.
const Declaration *parameterOf(const Analysis &analysis, const Fact &fact) {
  const Declaration *callee = analysis.declaration(fact.callee);
  if (!callee) return nullptr;
  for (const Declaration &child : callee->children)
    if (child.kind == DeclarationKind::Parameter && child.name == fact.name) return &child;
  return nullptr;
}

/// A part of an analysis' settings table: what is said about a setting or a section.
std::optional<HoverText> hoverSetting(const Declaration &declaration) {
  std::string text = meaningOf(referenceSettings(), declaration.name, declaration.section);
  std::string title =
      declaration.section.empty() ? declaration.name : declaration.section + "." + declaration.name;
  if (text.empty()) return std::nullopt;
  bool isSection = declaration.kind == DeclarationKind::Section;
  return HoverText{"```dlm\n" + std::string(isSection ? "section " : "setting ") + title +
                       "\n```\n\n" + text,
                   declaration.nameSpan};
}

} // namespace

std::string headline(const Analysis &analysis, const Fact &fact) {
  if (!fact.builtin.empty() && (fact.word.empty() || fact.word == "library")) return fact.builtin;
  if (const Declaration *parameter = parameterOf(analysis, fact))
    return "parameter " + parameter->header;
  if (const Declaration *meaning = meantBy(analysis, fact))
    if (fact.declared == fact.meaning || fact.word == "library") return meaning->header;
  const Declaration *declared = analysis.declaration(fact.declared);
  std::string word = fact.word == "library" ? "" : fact.word;
  if (declared && declared->kind == DeclarationKind::Option)
    return declared->header; // its value may be given later
  if (declared && declared->kind == DeclarationKind::Stored)
    word = declared->header.substr(0, declared->header.find(' '));
  std::string value = fact.values.empty() ? "" : fact.values[0];
  return (word.empty() ? "" : word + " ") + fact.name + value;
}

std::string documentation(const Analysis &analysis, const Fact &fact) {
  bool isLibraryWord = fact.word.empty() || fact.word == "library";
  if (!fact.builtin.empty()) {
    std::string name = fact.builtin.substr(0, fact.builtin.find('('));
    std::string text = meaningOf(referenceFunctions(), name);
    return text.empty() ? meaningOf(referenceFunctions(), "data." + name) : text;
  }
  if (isLibraryWord && !fact.declared.isValid() && !fact.meaning.isValid())
    return meaningOf(referenceAmbient(), fact.name);
  for (const Declaration *each : {analysis.declaration(fact.declared), meantBy(analysis, fact)})
    if (each && !each->doc.empty()) return each->doc;
  return "";
}

std::optional<HoverText> hoverAt(const Analysis &analysis, uint32_t offset) {
  const Fact *fact = analysis.factAt(analysis.root, offset);
  auto own = analysis.declarations.find(analysis.root);
  const Declaration *declaration =
      own == analysis.declarations.end() ? nullptr : declarationAt(own->second, offset);
  bool isItem = declaration && (declaration->kind == DeclarationKind::Setting ||
                                declaration->kind == DeclarationKind::Section);
  if (isItem) return hoverSetting(*declaration);
  if (!fact && !declaration) return std::nullopt;
  std::string text, doc;
  if (fact) {
    text = headline(analysis, *fact);
    doc = documentation(analysis, *fact);
  } else {
    text = declaration->header;
    doc = declaration->doc;
  }
  std::string result = "```dlm\n" + text + "\n```";
  if (!doc.empty()) result += "\n\n" + doc;
  if (!fact) return HoverText{result, declaration->nameSpan};
  bool isShown = text.size() >= fact->name.size() && !fact->values.empty() &&
                 text.find(fact->values[0]) != std::string::npos;
  size_t first = isShown ? 1 : 0;
  bool isNamed = fact->meaning.isValid() || !fact->builtin.empty();
  if (!isNamed && fact->values.size() > first) {
    result += first ? "\n\nalso" : "\n\nhere";
    for (size_t i = first; i < fact->values.size(); ++i) {
      std::string value = fact->values[i].substr(fact->values[i].find_first_not_of(":= "));
      result += (i > first ? ", `" : " `") + value + "`";
    }
  }
  if (!fact->parts.empty()) {
    result += "\n\n```dlm";
    for (const std::string &part : fact->parts)
      result += "\n" + part;
    result += "\n```";
  }
  return HoverText{result, fact->place};
}

Span definitionAt(const Analysis &analysis, uint32_t offset) {
  const Fact *fact = analysis.factAt(analysis.root, offset);
  if (!fact) return {};
  if (const Declaration *parameter = parameterOf(analysis, *fact)) return parameter->nameSpan;
  if (fact->text.isValid()) return fact->text;
  if (fact->word == "module" && !fact->declared.isValid()) return {};
  return fact->declared.isValid() ? fact->declared : fact->meaning;
}

} // namespace dlm::lsp
