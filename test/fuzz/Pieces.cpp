// A walk over the syntax tree that notes the span of every node.
#include "test/fuzz/Pieces.h"

#include "compiler/source/LargeStack.h"
#include "compiler/syntax/Parser.h"

namespace dlm::fuzz {

namespace {

class PieceWalk {
public:
  explicit PieceWalk(const ast::File &file) {
    for (const ast::Use &use : file.uses)
      add(PieceKind::Declaration, use.span);
    for (const ast::Option &option : file.options) {
      add(PieceKind::Declaration, option.span);
      type(option.type.get());
      expression(option.value.get());
    }
    for (const ast::Stmt &let : file.lets)
      statement(let, PieceKind::Declaration);
    for (const ast::Function &each : file.functions)
      function(each, PieceKind::Declaration);
    for (const ast::Model &model : file.models) {
      add(PieceKind::Declaration, model.span);
      parameters(model.params);
      members(model.members);
    }
    for (const ast::Optimizer &optimizer : file.optimizers) {
      add(PieceKind::Declaration, optimizer.span);
      parameters(optimizer.params);
      members(optimizer.members);
    }
    for (const ast::Train &train : file.trains) {
      add(PieceKind::Declaration, train.span);
      items(train.items);
    }
    for (const std::vector<ast::Derived> *list : {&file.searches, &file.exports})
      for (const ast::Derived &each : *list) {
        add(PieceKind::Declaration, each.span);
        items(each.items);
      }
    for (const ast::Test &test : file.tests) {
      add(PieceKind::Declaration, test.span);
      block(&test.body);
    }
  }

  std::vector<Piece> pieces;
  uint64_t kinds = 0;

private:
  void add(PieceKind kind, Span span) {
    if (span.isValid() && span.begin < span.end) pieces.push_back({kind, span.begin, span.end});
  }

  void function(const ast::Function &each, PieceKind kind) {
    add(kind, each.span);
    parameters(each.params);
    type(each.result.get());
    block(&each.body);
  }

  void parameters(const std::vector<ast::Param> &params) {
    for (const ast::Param &param : params) {
      add(PieceKind::Parameter, param.span);
      type(param.type.get());
      expression(param.value.get());
    }
  }

  void members(const std::vector<ast::Member> &list) {
    for (const ast::Member &member : list) {
      add(PieceKind::Member, member.span);
      if (member.stored) type(member.stored->type.get());
      if (member.stored) expression(member.stored->init.get());
      if (member.statement) statement(*member.statement, PieceKind::Statement);
      if (member.function) function(*member.function, PieceKind::Member);
    }
  }

  void items(const std::vector<ast::Item> &list) {
    for (const ast::Item &item : list) {
      add(PieceKind::Item, item.span);
      expression(item.value.get());
      if (item.statement) statement(*item.statement, PieceKind::Statement);
      if (item.function) function(*item.function, PieceKind::Item);
      items(item.items);
    }
  }

  void block(const ast::Block *body) {
    if (!body) return;
    add(PieceKind::Block, body->span);
    for (const ast::Stmt &each : body->statements)
      statement(each, PieceKind::Statement);
  }

  void statement(const ast::Stmt &each, PieceKind kind) {
    add(kind, each.span);
    type(each.type.get());
    expression(each.value.get());
  }

  void type(const ast::TypeRef *each) {
    if (!each) return;
    add(PieceKind::Type, each->span);
    for (const ast::Dim &dim : each->dims)
      expression(dim.size.get());
    parameters(each->fields);
    for (const ast::TypeRefPtr &operand : each->operands)
      type(operand.get());
    type(each->result.get());
  }

  /// Chains lean to the left and may be long, so the first operand is followed in a loop.
  void expression(const ast::Expr *each) {
    for (; each; each = each->operands.empty() ? nullptr : each->operands[0].get()) {
      kinds |= uint64_t(1) << unsigned(each->kind);
      add(PieceKind::Expression, each->span);
      for (size_t i = 1; i < each->operands.size(); ++i)
        expression(each->operands[i].get());
      for (const ast::Argument &argument : each->arguments) {
        add(PieceKind::Argument, argument.span);
        expression(argument.value.get());
      }
      for (const ast::Index &index : each->indices) {
        expression(index.begin.get());
        expression(index.end.get());
      }
      for (const ast::Entry &entry : each->entries) {
        expression(entry.key.get());
        expression(entry.value.get());
      }
      for (const ast::ForClause &clause : each->clauses)
        expression(clause.list.get());
      parameters(each->params);
      type(each->resultType.get());
      block(each->body.get());
      block(each->elseBody.get());
    }
  }
};

} // namespace

std::vector<Piece> piecesOf(const std::string &text, uint64_t &kinds) {
  SourceManager sources;
  DiagnosticEngine diagnostics(sources);
  FileId file = sources.addFile("input.dlm", text);
  std::vector<Piece> pieces;
  runOnLargeStack([&] {
    std::unique_ptr<ast::File> tree = parseFile(sources, file, diagnostics);
    if (!tree) return;
    PieceWalk walk(*tree);
    pieces = std::move(walk.pieces);
    kinds |= walk.kinds;
  });
  return pieces;
}

} // namespace dlm::fuzz
