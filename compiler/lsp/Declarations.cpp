// See Declarations.h.
#include "compiler/lsp/Declarations.h"

#include <algorithm>

namespace dlm::lsp {

namespace {

class Outline {
public:
  explicit Outline(const SourceManager &sources) : sources(sources) {}

  Declaration make(DeclarationKind kind, const ast::Name &name, Span span, const std::string &doc) {
    Declaration result;
    result.kind = kind;
    result.name = name.text;
    result.nameSpan = name.span;
    result.span = span;
    result.doc = doc;
    result.header = headerOf(span, name.span);
    return result;
  }

  void add(std::vector<Declaration> &out, const ast::Stmt &let) {
    for (const ast::Name &name : let.pattern.names)
      out.push_back(make(DeclarationKind::Let, name, let.span, ""));
  }

  void add(std::vector<Declaration> &out, const std::vector<ast::Param> &params) {
    for (const ast::Param &param : params)
      out.push_back(make(DeclarationKind::Parameter, param.name, param.span, ""));
  }

  void add(std::vector<Declaration> &out, const ast::Function &function) {
    Declaration result =
        make(DeclarationKind::Function, function.name, function.span, function.doc);
    add(result.children, function.params);
    out.push_back(std::move(result));
  }

  void add(std::vector<Declaration> &out, const std::vector<ast::Member> &members) {
    for (const ast::Member &member : members) {
      if (member.kind == ast::Member::StoredValue)
        out.push_back(make(DeclarationKind::Stored, member.stored->name, member.stored->span,
                           member.stored->doc));
      if (member.kind == ast::Member::Let) add(out, *member.statement);
      if (member.kind == ast::Member::Fn) add(out, *member.function);
    }
  }

  void add(std::vector<Declaration> &out, const std::vector<ast::Item> &items,
           const std::string &section) {
    for (const ast::Item &item : items) {
      if (item.statement) add(out, *item.statement);
      if (item.function) add(out, *item.function);
      if (item.name.text.empty()) continue;
      bool isSetting = item.kind == ast::Item::Setting;
      Declaration result = make(isSetting ? DeclarationKind::Setting : DeclarationKind::Section,
                                item.name, item.span, item.doc);
      result.section = section;
      add(result.children, item.items, item.name.text);
      out.push_back(std::move(result));
    }
  }

private:
  /// The text of a declaration up to its body, with one space for each run of white space.
  std::string headerOf(Span span, Span name) {
    std::string_view text = sources.text(span);
    size_t end = name.end > span.begin ? name.end - span.begin : 0;
    int depth = 0;
    for (; end < text.size(); ++end) {
      char c = text[end];
      if (c == '(' || c == '[') ++depth;
      if (c == ')' || c == ']') --depth;
      if (c == '{' && depth == 0) break;
      if (c == '/' && text.substr(end, 2) == "//" && depth == 0) break;
    }
    std::string result;
    for (char c : text.substr(0, end)) {
      bool isSpace = c == ' ' || c == '\n' || c == '\t' || c == '\r';
      if (!isSpace)
        result += c;
      else if (!result.empty() && result.back() != ' ')
        result += ' ';
    }
    while (!result.empty() && result.back() == ' ')
      result.pop_back();
    constexpr size_t sizeMax = 400;
    if (result.size() <= sizeMax) return result;
    size_t cut = sizeMax; // not within a character
    while (cut > 0 && (static_cast<unsigned char>(result[cut]) & 0xC0) == 0x80)
      --cut;
    return result.substr(0, cut) + " ...";
  }

  const SourceManager &sources;
};

} // namespace

std::vector<Declaration> declarationsOf(const ast::File &file, const SourceManager &sources) {
  std::vector<Declaration> out;
  Outline outline(sources);
  for (const ast::Option &option : file.options)
    out.push_back(outline.make(DeclarationKind::Option, option.name, option.span, option.doc));
  for (const ast::Stmt &let : file.lets)
    outline.add(out, let);
  for (const ast::Function &function : file.functions)
    outline.add(out, function);
  for (const ast::Model &model : file.models) {
    Declaration result = outline.make(DeclarationKind::Model, model.name, model.span, model.doc);
    outline.add(result.children, model.params);
    outline.add(result.children, model.members);
    out.push_back(std::move(result));
  }
  for (const ast::Optimizer &optimizer : file.optimizers) {
    Declaration result =
        outline.make(DeclarationKind::Optimizer, optimizer.name, optimizer.span, optimizer.doc);
    outline.add(result.children, optimizer.params);
    outline.add(result.children, optimizer.members);
    out.push_back(std::move(result));
  }
  for (const ast::Train &train : file.trains) {
    Declaration result = outline.make(DeclarationKind::Train, train.name, train.span, train.doc);
    outline.add(result.children, train.items, "");
    out.push_back(std::move(result));
  }
  for (const auto *list : {&file.searches, &file.exports})
    for (const ast::Derived &derived : *list) {
      Declaration result = outline.make(DeclarationKind::Section, derived.name, derived.span, "");
      outline.add(result.children, derived.items, derived.name.text);
      out.push_back(std::move(result));
    }
  for (const ast::Test &test : file.tests)
    out.push_back(outline.make(DeclarationKind::Test, {test.title, test.span}, test.span, ""));
  std::sort(out.begin(), out.end(), [](const Declaration &a, const Declaration &b) {
    return a.nameSpan.begin < b.nameSpan.begin;
  });
  return out;
}

const Declaration *declarationAt(const std::vector<Declaration> &all, uint32_t offset) {
  for (const Declaration &each : all) {
    if (each.nameSpan.begin <= offset && offset <= each.nameSpan.end) return &each;
    if (offset < each.span.begin || offset > each.span.end) continue;
    if (const Declaration *found = declarationAt(each.children, offset)) return found;
  }
  return nullptr;
}

} // namespace dlm::lsp
