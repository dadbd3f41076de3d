// Blocks, statements, parameters and types of the syntax tree; names and strings.

#include "compiler/syntax/AstBuilder.h"

#include "compiler/source/Utf8.h"
#include "compiler/syntax/SyntaxHabits.h"
#include "compiler/syntax/TokenTraits.h"

namespace dlm {

Span AstBuilder::spanOf(antlr4::ParserRuleContext *context) const {
  return cover(tokenSpan(fileId, *context->start), tokenSpan(fileId, *context->stop));
}

Span AstBuilder::spanOf(antlr4::tree::TerminalNode *node) const {
  return tokenSpan(fileId, *node->getSymbol());
}

ast::Name AstBuilder::buildName(Grammar::NameContext *name) const {
  Span span = spanOf(name);
  return {textOf(span), span};
}

ast::Block AstBuilder::buildBlock(Grammar::BlockContext *context) {
  ast::Block block;
  block.span = spanOf(context);
  for (Grammar::StmtContext *stmt : context->stmt())
    block.statements.push_back(buildStmt(stmt));
  for (size_t i = 1; i < block.statements.size(); ++i)
    checkLineStart(block.statements[i - 1], block.statements[i], i + 1 == block.statements.size());
  return block;
}

/// A line such as `- b` is an expression, so the grammar takes it; but when it is not the block's
/// value, or is indented as a continuation, it was meant to go on with the line above.
void AstBuilder::checkLineStart(const ast::Stmt &above, const ast::Stmt &stmt, bool isLast) {
  char first = sources.text(stmt.span)[0];
  if (stmt.kind != ast::StmtKind::Expr || (first != '-' && first != '(' && first != '[')) return;
  LineColumn aboveAt = sources.position(fileId, above.span.begin);
  LineColumn at = sources.position(fileId, stmt.span.begin);
  LineColumn aboveEnd = sources.position(fileId, above.span.end);
  if (aboveEnd.line == at.line || (isLast && at.column <= aboveAt.column)) return;
  std::string token(1, first);
  diagnostics
      .error(Kind::Syntax, {fileId, stmt.span.begin, stmt.span.begin + 1},
             "a line that begins with `" + token + "` does not continue the line above")
      .help(first == '-' ? "end the line above with `-`, or put the whole expression in `( )`"
                         : "move `" + token + "` to the end of the line above");
}

ast::Stmt AstBuilder::buildStmt(Grammar::StmtContext *context) {
  if (auto *let = context->letDecl()) return buildLet(let);
  if (auto *require = context->requireStmt())
    return buildCheck(ast::StmtKind::Require, require, require->expr(), require->K_STRING());
  if (auto *expect = context->expectStmt())
    return buildCheck(ast::StmtKind::Expect, expect, expect->expr(), expect->K_STRING());
  ast::Stmt stmt;
  if (auto *next = context->nextStmt()) {
    stmt.kind = ast::StmtKind::Next;
    stmt.span = spanOf(next);
    stmt.target = buildName(next->name());
    stmt.value = buildExpr(next->expr());
    return stmt;
  }
  stmt.kind = ast::StmtKind::Expr;
  stmt.span = spanOf(context->expr());
  stmt.value = buildExpr(context->expr());
  checkReturn(stmt);
  return stmt;
}

/// `return` alone is a name to the grammar; with a value it is an error there.
void AstBuilder::checkReturn(const ast::Stmt &stmt) {
  if (stmt.value->kind != ast::ExprKind::Name || stmt.value->text != "return") return;
  diagnostics.error(Kind::Syntax, stmt.span, "`return` begins no statement").help(noReturn);
}

ast::Stmt AstBuilder::buildLet(Grammar::LetDeclContext *let) {
  ast::Stmt stmt;
  stmt.kind = ast::StmtKind::Let;
  stmt.span = spanOf(let);
  stmt.pattern = buildPattern(let->pattern());
  if (let->typeRef()) stmt.type = buildType(let->typeRef());
  stmt.value = buildExpr(let->expr());
  return stmt;
}

ast::Stmt AstBuilder::buildCheck(ast::StmtKind kind, antlr4::ParserRuleContext *whole,
                                 Grammar::ExprContext *condition,
                                 antlr4::tree::TerminalNode *message) {
  ast::Stmt stmt;
  stmt.kind = kind;
  stmt.span = spanOf(whole);
  stmt.value = buildExpr(condition);
  if (message) stmt.message = stringText(spanOf(message));
  return stmt;
}

ast::Pattern AstBuilder::buildPattern(Grammar::PatternContext *context) {
  ast::Pattern pattern;
  pattern.span = spanOf(context);
  pattern.isTuple = context->K_LPAREN() != nullptr;
  for (Grammar::NameContext *name : context->name())
    pattern.names.push_back(buildName(name));
  return pattern;
}

std::vector<ast::Param> AstBuilder::buildParams(Grammar::ParamsContext *context) {
  std::vector<ast::Param> params;
  for (Grammar::ParamContext *param : context->param())
    params.push_back(buildParam(param));
  return params;
}

ast::Param AstBuilder::buildParam(Grammar::ParamContext *context) {
  ast::Param param;
  param.span = spanOf(context);
  takeDoc(param.span); // allowed behind a parameter on a line of its own
  param.name = buildName(context->name());
  if (context->typeRef()) param.type = buildType(context->typeRef());
  if (context->expr()) param.value = buildExpr(context->expr());
  return param;
}

ast::TypeRefPtr AstBuilder::buildType(Grammar::TypeRefContext *context) {
  if (auto *named = dynamic_cast<Grammar::NamedTypeContext *>(context))
    return buildNamedType(named);
  auto type = std::make_unique<ast::TypeRef>();
  type->span = spanOf(context);
  if (auto *record = dynamic_cast<Grammar::RecordTypeContext *>(context)) {
    type->kind = ast::TypeRef::Record;
    for (Grammar::FieldContext *field : record->field())
      type->fields.push_back(
          {buildName(field->name()), buildType(field->typeRef()), nullptr, spanOf(field)});
  } else if (auto *list = dynamic_cast<Grammar::ListTypeContext *>(context)) {
    type->kind = ast::TypeRef::List;
    type->operands.push_back(buildType(list->typeRef()));
  } else if (auto *function = dynamic_cast<Grammar::FunctionTypeContext *>(context)) {
    type->kind = ast::TypeRef::Function;
    for (Grammar::TypeRefContext *part : function->typeRef())
      type->operands.push_back(buildType(part));
    type->result = std::move(type->operands.back());
    type->operands.pop_back();
  }
  return type;
}

ast::TypeRefPtr AstBuilder::buildNamedType(Grammar::NamedTypeContext *context) {
  auto type = std::make_unique<ast::TypeRef>();
  type->kind = ast::TypeRef::Named;
  type->span = spanOf(context);
  for (Grammar::NameContext *name : context->path()->name())
    type->text += (type->text.empty() ? "" : ".") + buildName(name).text;
  type->isOptional = context->K_QUESTION() != nullptr;
  type->hasDims = context->shape() != nullptr;
  if (!type->hasDims) return type;
  for (Grammar::DimContext *written : context->shape()->dim()) {
    ast::Dim dim;
    dim.span = spanOf(written);
    dim.isEllipsis = written->K_ELLIPSIS() != nullptr;
    if (written->name()) dim.name = buildName(written->name());
    if (written->expr()) dim.size = buildExpr(written->expr());
    type->dims.push_back(std::move(dim));
  }
  return type;
}

/// The text of a string literal with its escapes resolved; reports those that do not exist.
std::string AstBuilder::stringText(Span literal) {
  std::string_view written = sources.text(literal);
  std::string text;
  for (size_t i = 1; i + 1 < written.size(); ++i) {
    if (written[i] != '\\') {
      text += written[i];
      continue;
    }
    size_t start = i++;
    switch (written[i]) {
    case 'n':
      text += '\n';
      continue;
    case 't':
      text += '\t';
      continue;
    case '"':
      text += '"';
      continue;
    case '\\':
      text += '\\';
      continue;
    default:
      break;
    }
    size_t close = written[i] == 'u' && written[i + 1] == '{' ? written.find('}', i) : 0;
    uint32_t codePoint = 0;
    bool isValid = close != std::string_view::npos && close > i + 2 && close <= i + 8;
    for (size_t k = i + 2; isValid && k < close; ++k) {
      isValid = std::isxdigit(static_cast<unsigned char>(written[k])) != 0;
      codePoint = codePoint * 16 +
                  static_cast<uint32_t>(std::stoi("0" + std::string(1, written[k]), nullptr, 16));
    }
    if (isValid && appendCodePoint(text, codePoint)) {
      i = close;
      continue;
    }
    auto begin = static_cast<uint32_t>(literal.begin + start);
    auto length = static_cast<uint32_t>(1 + characterLength(written, i));
    diagnostics
        .error(Kind::Literal, {fileId, begin, begin + length},
               "`" + std::string(written.substr(start, length)) + "` is no escape of a string")
        .help("the escapes are `\\n`, `\\t`, `\\\"`, `\\\\` and `\\u{1F600}`");
  }
  return text;
}

} // namespace dlm
