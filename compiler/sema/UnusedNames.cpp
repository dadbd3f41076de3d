// A name counts as used if its word stands anywhere else in the function, be it as the name of an
// argument or of an axis in a text: a warning that is wrong is worse than one that is missing. So
// words are enough, and no tree has to be walked.
#include "compiler/sema/UnusedNames.h"

#include <algorithm>
#include <cctype>
#include <map>

namespace dlm::sema {

namespace {

class UnusedNames {
public:
  UnusedNames(const ast::File &file, Reporter &report) : report(report) { readWords(file.file); }

  void run(const ast::File &file) {
    for (const ast::Function &function : file.functions)
      checkFunction(function, true);
    for (const ast::Model &model : file.models) {
      checkParameters(model.params, model.span, model.name.text);
      checkMembers(model.members);
    }
    for (const ast::Optimizer &optimizer : file.optimizers) {
      checkParameters(optimizer.params, optimizer.span, optimizer.name.text);
      checkMembers(optimizer.members);
    }
    for (const ast::Train &train : file.trains)
      checkItems(train.items);
    for (const ast::Test &test : file.tests)
      checkBlock(test.body, test.span);
  }

private:
  /// Finds where each word stands, outside of comments and not behind a point.
  void readWords(FileId file) {
    std::string_view text = report.diagnostics.sources().text(file);
    auto isPart = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    for (size_t i = 0; i < text.size(); ++i) {
      if (text.substr(i, 2) == "//") i = std::min(text.find('\n', i), text.size());
      if (i >= text.size() || !isPart(text[i])) continue;
      size_t begin = i;
      while (i + 1 < text.size() && isPart(text[i + 1]))
        ++i;
      if (begin == 0 || text[begin - 1] != '.' || (begin > 1 && text[begin - 2] == '.'))
        places[text.substr(begin, i + 1 - begin)].push_back(uint32_t(begin));
    }
  }

  bool isUsed(const ast::Name &name, Span inside) const {
    if (name.text[0] == '_') return true;
    auto found = places.find(name.text);
    if (found == places.end()) return true;
    const std::vector<uint32_t> &all = found->second; // sorted
    auto place = std::lower_bound(all.begin(), all.end(), inside.begin);
    for (; place != all.end() && *place < inside.end; ++place)
      if (*place != name.span.begin) return true;
    return false;
  }

  /// Whether the parameter is the one that gives a size its name, as the first of
  /// `f32[B, N]` does, and the result or the body uses that size.
  bool givesUsedSize(const ast::Param &param, uint32_t paramsEnd, Span inside) const {
    if (!param.type) return false;
    Span type = param.type->span;
    size_t bracket = report.diagnostics.sources().text(type).find('[');
    if (bracket == std::string_view::npos) return false;
    uint32_t shape = type.begin + uint32_t(bracket);
    for (const auto &[word, all] : places) {
      if (std::isdigit(static_cast<unsigned char>(word[0]))) continue;
      auto first = std::lower_bound(all.begin(), all.end(), inside.begin);
      bool isGivenHere = first != all.end() && *first > shape && *first < type.end;
      if (isGivenHere && all.back() >= paramsEnd &&
          *std::lower_bound(all.begin(), all.end(), paramsEnd) < inside.end)
        return true;
    }
    return false;
  }

  void checkLet(const ast::Stmt &let, Span inside) {
    for (const ast::Name &name : let.pattern.names)
      if (!isUsed(name, inside))
        report(Kind::UnusedName, name.span, "`" + name.text + "` is named and never used");
  }

  void checkParameters(const std::vector<ast::Param> &params, Span inside,
                       const std::string &owner) {
    uint32_t end = 0;
    for (const ast::Param &param : params)
      end = std::max({end, param.name.span.end, param.type ? param.type->span.end : 0,
                      param.value ? param.value->span.end : 0});
    for (const ast::Param &param : params)
      if (!isUsed(param.name, inside) && !givesUsedSize(param, end, inside))
        report(Kind::UnusedName, param.name.span,
               "`" + owner + "` never uses its parameter `" + param.name.text + "`")
            .help("leave it out, or call it `_" + param.name.text + "` if callers have to give it");
  }

  void checkBlock(const ast::Block &block, Span inside) {
    for (const ast::Stmt &statement : block.statements)
      if (statement.kind == ast::StmtKind::Let) checkLet(statement, inside);
  }

  /// The parameters of hooks are not of the writer's choice.
  void checkFunction(const ast::Function &function, bool hasOwnParameters) {
    if (hasOwnParameters) checkParameters(function.params, function.span, function.name.text);
    checkBlock(function.body, function.span);
  }

  void checkMembers(const std::vector<ast::Member> &members) {
    for (const ast::Member &member : members)
      if (member.function) checkFunction(*member.function, member.function->name.text != "update");
  }

  /// A `let` of a train block mostly holds a model, whose parameters tell by themselves.
  void checkItems(const std::vector<ast::Item> &items) {
    for (const ast::Item &item : items) {
      if (item.function) checkFunction(*item.function, item.kind == ast::Item::Command);
      checkItems(item.items);
    }
  }

  Reporter &report;
  std::map<std::string_view, std::vector<uint32_t>> places;
};

} // namespace

void reportUnusedNames(const ast::File &file, Reporter &report) {
  UnusedNames(file, report).run(file);
}

} // namespace dlm::sema
