// A misspelt path in `fn optimizer(p)` chooses nothing, and the run is silent about it: the
// parameter keeps the rule of all others.
#include "compiler/diagnostics/NearWords.h"
#include "compiler/sema/run/OptimizerGroups.h"

#include <algorithm>
#include <set>

namespace dlm::sema {

namespace {

bool isPartOf(const std::string &part, const std::string &whole) {
  return whole.find(part) != std::string::npos;
}

/// `net.layers`, `layers.0` and so on: the runs of as many words as `like` has.
void addParts(const std::string &path, const std::string &like, std::set<std::string> &parts) {
  size_t count = size_t(std::count(like.begin(), like.end(), '.')) + 1;
  std::vector<size_t> begins = {0};
  for (size_t i = 0; i < path.size(); ++i)
    if (path[i] == '.') begins.push_back(i + 1);
  begins.push_back(path.size() + 1);
  for (size_t i = 0; i + count < begins.size(); ++i)
    parts.insert(path.substr(begins[i], begins[i + count] - 1 - begins[i]));
}

class SoughtPaths {
public:
  SoughtPaths(Evaluator &evaluator, const ast::Function &function)
      : evaluator(evaluator), parameter(function.params[0].name.text) {
    look(function.body);
  }

private:
  void look(const ast::Block &block) {
    for (const ast::Stmt &statement : block.statements)
      if (statement.value) look(*statement.value);
  }

  void look(const ast::Expr &expr) {
    if (expr.kind == ast::ExprKind::Binary) lookAtOperator(expr);
    for (const ast::ExprPtr &operand : expr.operands)
      look(*operand);
    for (const ast::Argument &argument : expr.arguments)
      look(*argument.value);
    for (const ast::Entry &entry : expr.entries) {
      if (entry.key) look(*entry.key);
      look(*entry.value);
    }
    for (const ast::ForClause &clause : expr.clauses)
      look(*clause.list);
    for (const ast::Index &index : expr.indices)
      for (const ast::Expr *bound : {index.begin.get(), index.end.get()})
        if (bound) look(*bound);
    if (expr.body) look(*expr.body);
    if (expr.elseBody) look(*expr.elseBody);
  }

  void lookAtOperator(const ast::Expr &expr) {
    const ast::Expr &left = *expr.operands[0], &right = *expr.operands[1];
    bool isEqual = expr.text == "==" || expr.text == "!=";
    if ((isEqual || expr.text == "in") && isMember(right)) check(left, right.text, !isEqual);
    if (isEqual && isMember(left)) check(right, left.text, false);
    if (expr.text == "in" && isMember(left) && right.kind == ast::ExprKind::List)
      for (const ast::Entry &entry : right.entries)
        if (!entry.key) check(*entry.value, left.text, false);
  }

  /// `p.path` or `p.name`.
  bool isMember(const ast::Expr &expr) const {
    return expr.kind == ast::ExprKind::Member && (expr.text == "path" || expr.text == "name") &&
           expr.operands[0]->kind == ast::ExprKind::Name && expr.operands[0]->text == parameter;
  }

  void check(const ast::Expr &literal, const std::string &member, bool isSought) {
    if (literal.kind != ast::ExprKind::String) return;
    const std::string &text = literal.text;
    std::vector<std::string> all;
    for (const Parameter &each : evaluator.program.parameters) {
      size_t point = member == "name" ? each.path.rfind('.') : std::string::npos;
      all.push_back(point == std::string::npos ? each.path : each.path.substr(point + 1));
      if (isSought ? isPartOf(text, all.back()) : text == all.back()) return;
    }
    Report message(evaluator.report, Kind::UnknownParameter, literal.span,
                   std::string("no parameter of the run has ") +
                       (isSought ? "this in its " : "this ") + member);
    adviseNear(message, literal, member, isSought, all);
  }

  /// The points at the ends of what is sought are not compared: `".weigth"` is near `".weight"`.
  void adviseNear(Report &message, const ast::Expr &literal, const std::string &member,
                  bool isSought, const std::vector<std::string> &all) {
    const std::string &text = literal.text;
    size_t begin = isSought ? std::min(text.find_first_not_of('.'), text.size()) : 0;
    size_t end = isSought ? text.find_last_not_of('.') + 1 : text.size();
    std::string word = begin < end ? text.substr(begin, end - begin) : "";
    std::set<std::string> candidates;
    if (!isSought) candidates.insert(all.begin(), all.end());
    for (const std::string &each : all)
      if (isSought) addParts(each, word, candidates);
    std::string near = nearestWord(word, {candidates.begin(), candidates.end()});
    for (const std::string &each : candidates) // `"weight"`, where paths are compared
      if (near.empty() && each.size() > word.size() &&
          each.compare(each.size() - word.size() - 1, std::string::npos, "." + word) == 0)
        near = each;
    std::string whole = text.substr(0, begin) + near + (begin < end ? text.substr(end) : "");
    if (!near.empty()) {
      message.help("there is `" + whole + "`", literal.span, "\"" + whole + "\"");
      return;
    }
    if (all.empty()) return;
    std::set<std::string> kinds(all.begin(), all.end());
    bool areFew = kinds.size() <= 6;
    message.help(areFew ? "the " + member + "s are " + joinNames({kinds.begin(), kinds.end()})
                        : "a " + member + " is, for example, `" + all.front() + "`");
  }

  Evaluator &evaluator;
  std::string parameter; // `p`
};

} // namespace

void warnOfUnknownPaths(Evaluator &evaluator, const ast::Function &function) {
  SoughtPaths(evaluator, function);
}

} // namespace dlm::sema
