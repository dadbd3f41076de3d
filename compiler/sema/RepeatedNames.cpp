// See RepeatedNames.h. Expressions lean to the left without a limit, so they are walked by a list
// of those still to come.
#include "compiler/sema/RepeatedNames.h"

#include <string_view>
#include <unordered_map>

namespace dlm::sema {

namespace {

class RepeatedNames {
public:
  explicit RepeatedNames(DiagnosticEngine &diagnostics) : diagnostics(diagnostics) {}

  void file(const ast::File &file) {
    for (const ast::Option &option : file.options)
      later(option.value);
    for (const ast::Stmt &let : file.lets)
      this->let(let, nullptr); // of a file: names are compared where they are declared
    for (const ast::Function &function : file.functions)
      this->function(function);
    for (const ast::Model &model : file.models) {
      Seen seen;
      params(model.params, seen);
      members(model.members, seen);
    }
    for (const ast::Optimizer &optimizer : file.optimizers) {
      Seen seen;
      params(optimizer.params, seen);
      param(optimizer.target, seen);
      members(optimizer.members, seen);
    }
    for (const ast::Train &train : file.trains)
      items(train.items);
    for (const ast::Derived &search : file.searches)
      items(search.items);
    for (const ast::Derived &exported : file.exports)
      items(exported.items);
    for (const ast::Test &test : file.tests)
      block(test.body);
    walk();
  }

private:
  using Seen = std::unordered_map<std::string_view, Span>;

  void add(const ast::Name &name, Seen &seen, bool isLet = false) {
    if (name.text == "_") return;
    auto [first, isNew] = seen.emplace(name.text, name.span);
    if (isNew) return;
    auto builder = diagnostics.report(Kind::DuplicateName, name.span,
                                      "`" + name.text + "` is declared twice", Sameness::Place);
    builder.note(first->second, "it is declared here first");
    if (isLet)
      builder.help("values never change: give the new one a name of its own, such as `" +
                   name.text + "2`");
  }

  void later(const ast::ExprPtr &expr) {
    if (expr) waiting.push_back(expr.get());
  }

  void type(const ast::TypeRefPtr &type) {
    if (!type) return;
    Seen seen;
    for (const ast::Param &field : type->fields)
      param(field, seen);
    for (const ast::Dim &dim : type->dims)
      later(dim.size);
    for (const ast::TypeRefPtr &operand : type->operands)
      this->type(operand);
    this->type(type->result);
  }

  void param(const ast::Param &param, Seen &seen) {
    add(param.name, seen);
    type(param.type);
    later(param.value);
  }

  void params(const std::vector<ast::Param> &params, Seen &seen) {
    for (const ast::Param &each : params)
      param(each, seen);
  }

  /// `seen`: the names of the list that the `let` stands in, if it stands in one.
  void let(const ast::Stmt &let, Seen *seen) {
    Seen own;
    for (const ast::Name &name : let.pattern.names)
      add(name, seen ? *seen : own, true);
    type(let.type);
    later(let.value);
  }

  void block(const ast::Block &block) {
    Seen seen;
    for (const ast::Stmt &statement : block.statements)
      if (statement.kind == ast::StmtKind::Let)
        let(statement, &seen);
      else
        later(statement.value);
  }

  void function(const ast::Function &function) {
    Seen seen;
    params(function.params, seen);
    type(function.result);
    block(function.body);
  }

  void members(const std::vector<ast::Member> &members, Seen &seen) {
    for (const ast::Member &member : members) {
      if (member.stored) {
        add(member.stored->name, seen);
        type(member.stored->type);
        later(member.stored->init);
      } else if (member.function) {
        add(member.function->name, seen);
        function(*member.function);
      } else if (member.kind == ast::Member::Let) {
        let(*member.statement, &seen);
      } else {
        later(member.statement->value);
      }
    }
  }

  void items(const std::vector<ast::Item> &items) {
    for (const ast::Item &item : items) {
      later(item.value);
      if (item.statement) let(*item.statement, nullptr);
      if (item.function) function(*item.function);
      this->items(item.items);
    }
  }

  void walk() {
    while (!waiting.empty()) {
      const ast::Expr &expr = *waiting.back();
      waiting.pop_back();
      this->expr(expr);
    }
  }

  void expr(const ast::Expr &expr) {
    for (const ast::ExprPtr &operand : expr.operands)
      later(operand);
    if (!expr.arguments.empty()) arguments(expr);
    for (const ast::Index &index : expr.indices) {
      later(index.begin);
      later(index.end);
    }
    for (const ast::Entry &entry : expr.entries) {
      later(entry.key);
      later(entry.value);
    }
    Seen seen;
    for (const ast::ForClause &clause : expr.clauses) {
      for (const ast::Name &name : clause.pattern.names)
        add(name, seen);
      later(clause.list);
    }
    params(expr.params, seen); // of a lambda, which has no clauses
    type(expr.resultType);
    if (expr.body) block(*expr.body);
    if (expr.elseBody) block(*expr.elseBody);
  }

  /// Of a call, or the fields of a record.
  void arguments(const ast::Expr &expr) {
    bool isRecord = expr.kind == ast::ExprKind::Record;
    std::unordered_map<std::string_view, const ast::Argument *> seen;
    for (const ast::Argument &argument : expr.arguments) {
      later(argument.value);
      const ast::Name &name = argument.name;
      if (name.text.empty()) continue;
      auto [first, isNew] = seen.emplace(name.text, &argument);
      if (isNew) continue;
      if (isRecord)
        diagnostics
            .report(Kind::DuplicateName, name.span,
                    "the record has two fields named `" + name.text + "`", Sameness::Place)
            .secondary(first->second->name.span, "the first");
      else
        diagnostics
            .report(Kind::DuplicateArgument, argument.value->span,
                    "`" + name.text + "` is given twice", Sameness::Place)
            .secondary(first->second->value->span, "given here first");
    }
  }

  DiagnosticEngine &diagnostics;
  std::vector<const ast::Expr *> waiting;
};

} // namespace

void reportRepeatedNames(const ast::File &file, DiagnosticEngine &diagnostics) {
  RepeatedNames(diagnostics).file(file);
}

bool isAboutRepeatedName(Kind kind) {
  return kind == Kind::DuplicateName || kind == Kind::DuplicateArgument;
}

} // namespace dlm::sema
