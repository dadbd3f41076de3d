// Expressions of the syntax tree. Operators that associate to the left, calls, members and
// subscripts lean to the left without a limit (`a + b + ...` of 20,000 terms is 20,000 levels), so
// that side is walked in a loop; all other nesting is limited by the token filter.

#include "compiler/syntax/AstBuilder.h"

#include <algorithm>
#include <cctype>

namespace dlm {

namespace {

grammar::DlmParser::ExprContext *leftOperand(grammar::DlmParser::ExprContext *expr) {
  using Grammar = grammar::DlmParser;
  bool leansLeft = dynamic_cast<Grammar::BinaryContext *>(expr) ||
                   dynamic_cast<Grammar::MemberOfContext *>(expr) ||
                   dynamic_cast<Grammar::CallContext *>(expr) ||
                   dynamic_cast<Grammar::SubscriptContext *>(expr);
  return leansLeft ? static_cast<Grammar::ExprContext *>(expr->children.front()) : nullptr;
}

bool isComparison(size_t type) {
  using Grammar = grammar::DlmParser;
  return (type >= Grammar::K_EQ && type <= Grammar::K_GT) || type == Grammar::K_IN;
}

} // namespace

ast::ExprPtr AstBuilder::makeExpr(ast::ExprKind kind, antlr4::ParserRuleContext *context) {
  auto expr = std::make_unique<ast::Expr>();
  expr->kind = kind;
  expr->span = spanOf(context);
  return expr;
}

ast::ExprPtr AstBuilder::buildExpr(Grammar::ExprContext *context) {
  std::vector<Grammar::ExprContext *> spine;
  while (Grammar::ExprContext *left = leftOperand(context)) {
    spine.push_back(context);
    context = left;
  }
  ast::ExprPtr expr = buildOperand(context);
  for (auto outer = spine.rbegin(); outer != spine.rend(); ++outer)
    expr = extendExpr(std::move(expr), *outer);
  return expr;
}

/// An expression that does not begin with another one.
ast::ExprPtr AstBuilder::buildOperand(Grammar::ExprContext *context) {
  if (auto *atom = dynamic_cast<Grammar::AtomContext *>(context))
    return buildPrimary(atom->primary());
  auto *prefix = static_cast<Grammar::PrefixContext *>(context);
  ast::ExprPtr expr = makeExpr(ast::ExprKind::Unary, context);
  expr->nameSpan = tokenSpan(fileId, *prefix->op);
  expr->text = textOf(expr->nameSpan);
  expr->operands.push_back(buildExpr(prefix->expr()));
  return expr;
}

ast::ExprPtr AstBuilder::extendExpr(ast::ExprPtr left, Grammar::ExprContext *context) {
  if (auto *binary = dynamic_cast<Grammar::BinaryContext *>(context))
    return buildBinary(std::move(left), binary);
  ast::ExprPtr expr = makeExpr(ast::ExprKind::Call, context);
  expr->operands.push_back(std::move(left));
  if (auto *member = dynamic_cast<Grammar::MemberOfContext *>(context)) {
    expr->kind = ast::ExprKind::Member;
    expr->nameSpan = spanOf(member->name());
    expr->text = textOf(expr->nameSpan);
  } else if (auto *call = dynamic_cast<Grammar::CallContext *>(context)) {
    expr->arguments = buildArguments(call->arguments());
  } else if (auto *subscript = dynamic_cast<Grammar::SubscriptContext *>(context)) {
    expr->kind = ast::ExprKind::Subscript;
    for (Grammar::IndexContext *index : subscript->index())
      expr->indices.push_back(buildIndex(index));
  }
  return expr;
}

ast::ExprPtr AstBuilder::buildBinary(ast::ExprPtr left, Grammar::BinaryContext *context) {
  checkChain(context);
  bool isPipe = context->op->getType() == Grammar::K_PIPE;
  ast::ExprPtr expr = makeExpr(isPipe ? ast::ExprKind::Pipe : ast::ExprKind::Binary, context);
  expr->nameSpan = tokenSpan(fileId, *context->op);
  expr->text = textOf(expr->nameSpan);
  expr->operands.push_back(std::move(left));
  expr->operands.push_back(
      buildExpr(static_cast<Grammar::ExprContext *>(context->children.back())));
  return expr;
}

/// Reports `a < b < c` and `a .. b .. c`.
void AstBuilder::checkChain(Grammar::BinaryContext *context) {
  auto *left = dynamic_cast<Grammar::BinaryContext *>(context->children.front());
  if (!left) return;
  size_t first = left->op->getType();
  size_t second = context->op->getType();
  Span firstOp = tokenSpan(fileId, *left->op);
  Span secondOp = tokenSpan(fileId, *context->op);
  if (first == Grammar::K_DOTDOT && second == Grammar::K_DOTDOT)
    diagnostics.error(Kind::Syntax, secondOp, "a range has two bounds")
        .secondary(firstOp, "they stand around this `..`");
  if (!isComparison(first) || !isComparison(second)) return;
  auto *middle = static_cast<Grammar::ExprContext *>(left->children.back());
  auto *right = static_cast<Grammar::ExprContext *>(context->children.back());
  auto isLess = [](size_t op) { return op == Grammar::K_LT || op == Grammar::K_LE; };
  auto isGreater = [](size_t op) { return op == Grammar::K_GT || op == Grammar::K_GE; };
  bool isOneWay = (isLess(first) && isLess(second)) || (isGreater(first) && isGreater(second));
  bool isCalled = textOf(spanOf(middle)).find('(') != std::string::npos; // `0 < uniform([3]) < 1`
  auto isEquality = [](size_t op) { return op == Grammar::K_EQ || op == Grammar::K_NE; };
  if (isEquality(first) != isEquality(second)) {
    std::string inner =
        isEquality(second)
            ? "(" + textOf(spanOf(left)) + ") " + textOf(secondOp) + " " + textOf(spanOf(right))
            : textOf(spanOf(static_cast<Grammar::ExprContext *>(left->children.front()))) + " " +
                  textOf(firstOp) + " (" + textOf(spanOf(middle)) + " " + textOf(secondOp) + " " +
                  textOf(spanOf(right)) + ")";
    diagnostics
        .error(Kind::ChainedComparison, secondOp,
               "comparisons do not chain: `" + textOf(secondOp) + "` follows `" + textOf(firstOp) +
                   "`")
        .secondary(firstOp, "this gives true or false")
        .help("put one of them into parentheses", spanOf(context), inner);
    return;
  }
  std::string edited = textOf(spanOf(left)) + " and " + textOf(spanOf(middle)) + " " +
                       textOf(secondOp) + " " + textOf(spanOf(right));
  auto builder = diagnostics.error(Kind::ChainedComparison, secondOp,
                                   "comparisons do not chain: `" + textOf(secondOp) +
                                       "` follows `" + textOf(firstOp) + "`");
  builder.secondary(firstOp, "this gives true or false");
  if (isCalled)
    builder.help("name what stands between them with `let`, and compare it twice");
  else
    builder.help("compare twice", spanOf(context), edited,
                 isOneWay ? Applicability::Exact : Applicability::Guess);
}

ast::ExprPtr AstBuilder::buildPrimary(Grammar::PrimaryContext *context) {
  if (auto *number = dynamic_cast<Grammar::NumberContext *>(context)) {
    ast::ExprPtr expr = makeExpr(ast::ExprKind::Number, context);
    expr->text = numberText(spanOf(number->K_NUMBER()));
    if (!number->name()) return expr;
    expr->nameSpan = spanOf(number->name());
    expr->unit = textOf(expr->nameSpan);
    return expr;
  }
  if (auto *nameRef = dynamic_cast<Grammar::NameRefContext *>(context)) {
    ast::ExprPtr expr = makeExpr(ast::ExprKind::Name, context);
    expr->nameSpan = expr->span;
    expr->text = buildName(nameRef->name()).text;
    return expr;
  }
  if (auto *literal = dynamic_cast<Grammar::LiteralContext *>(context))
    return buildLiteral(literal);
  if (auto *group = dynamic_cast<Grammar::GroupContext *>(context)) return buildGroup(group);
  if (auto *list = dynamic_cast<Grammar::ListContext *>(context)) return buildList(list);
  if (auto *choice = dynamic_cast<Grammar::ChoiceContext *>(context))
    return buildIf(choice->ifExpr());
  return buildLambda(static_cast<Grammar::LambdaContext *>(context));
}

ast::ExprPtr AstBuilder::buildLiteral(Grammar::LiteralContext *context) {
  ast::ExprPtr expr = makeExpr(ast::ExprKind::Bool, context);
  expr->text = textOf(expr->span);
  switch (context->start->getType()) {
  case Grammar::K_PERCENT:
    expr->kind = ast::ExprKind::Percent;
    expr->text = numberText(expr->span);
    expr->text.pop_back();
    break;
  case Grammar::K_QUANTITY:
    expr->kind = ast::ExprKind::Quantity;
    expr->text = numberText(expr->span);
    break;
  case Grammar::K_STRING:
    expr->kind = ast::ExprKind::String;
    expr->text = stringText(expr->span);
    break;
  case Grammar::K_NONE:
    expr->kind = ast::ExprKind::None;
    break;
  default:
    break;
  }
  return expr;
}

/// A number without its `_`; reports those that do not stand between two digits.
std::string AstBuilder::numberText(Span literal) {
  std::string_view written = sources.text(literal);
  std::string digits, mended;
  auto isDigit = [&](size_t i) {
    return i < written.size() && std::isdigit(static_cast<unsigned char>(written[i]));
  };
  for (size_t i = 0; i < written.size(); ++i) {
    bool isMark = written[i] == '_';
    if (!isMark) digits += written[i];
    bool isKept =
        !isMark || (mended.back() != '_' && written.find_first_not_of('_', i) < written.size() &&
                    isDigit(written.find_first_not_of('_', i)));
    if (isKept) mended += written[i];
  }
  if (mended != written)
    diagnostics.error(Kind::Literal, literal, "digits are separated by single `_`")
        .help("write `" + mended + "`", literal, mended, Applicability::Exact);
  return digits;
}

/// `(x)` is x; a comma or a name makes it a record.
ast::ExprPtr AstBuilder::buildGroup(Grammar::GroupContext *context) {
  Grammar::ArgumentsContext *arguments = context->arguments();
  std::vector<Grammar::ArgumentContext *> list = arguments->argument();
  if (list.size() == 1 && !list[0]->name() && arguments->K_COMMA().empty())
    return buildExpr(list[0]->expr());
  ast::ExprPtr expr = makeExpr(ast::ExprKind::Record, context);
  expr->arguments = buildArguments(arguments);
  if (list.size() == 1 && !list[0]->name())
    diagnostics
        .error(Kind::Syntax, spanOf(arguments->K_COMMA()[0]), "a tuple of one value does not exist")
        .help("leave the comma out for the value itself, or name the field: `(a = 1)`");
  return expr;
}

ast::ExprPtr AstBuilder::buildList(Grammar::ListContext *context) {
  ast::ExprPtr expr = makeExpr(ast::ExprKind::List, context);
  for (Grammar::EntryContext *entry : context->entry())
    expr->entries.push_back(buildEntry(entry));
  if (context->forClause().empty()) return expr;
  expr->kind = ast::ExprKind::Comprehension;
  for (Grammar::ForClauseContext *clause : context->forClause())
    expr->clauses.push_back({buildPattern(clause->pattern()), buildExpr(clause->expr())});
  if (context->expr()) expr->operands.push_back(buildExpr(context->expr()));
  return expr;
}

ast::ExprPtr AstBuilder::buildIf(Grammar::IfExprContext *context) {
  ast::ExprPtr expr = makeExpr(ast::ExprKind::If, context);
  std::vector<Grammar::BlockContext *> blocks = context->block();
  expr->operands.push_back(buildExpr(context->expr()));
  expr->body = std::make_unique<ast::Block>(buildBlock(blocks[0]));
  if (blocks.size() > 1) expr->elseBody = std::make_unique<ast::Block>(buildBlock(blocks[1]));
  if (context->ifExpr()) expr->operands.push_back(buildIf(context->ifExpr()));
  return expr;
}

ast::ExprPtr AstBuilder::buildLambda(Grammar::LambdaContext *context) {
  ast::ExprPtr expr = makeExpr(ast::ExprKind::Lambda, context);
  expr->params = buildParams(context->signature()->params());
  if (context->signature()->typeRef())
    expr->resultType = buildType(context->signature()->typeRef());
  expr->body = std::make_unique<ast::Block>(buildBlock(context->block()));
  return expr;
}

std::vector<ast::Argument> AstBuilder::buildArguments(Grammar::ArgumentsContext *context) {
  std::vector<ast::Argument> arguments;
  for (Grammar::ArgumentContext *written : context->argument()) {
    ast::Argument argument;
    argument.span = spanOf(written);
    if (written->name()) argument.name = buildName(written->name());
    argument.value = buildExpr(written->expr());
    arguments.push_back(std::move(argument));
  }
  return arguments;
}

ast::Index AstBuilder::buildIndex(Grammar::IndexContext *context) {
  ast::Index index;
  index.span = spanOf(context);
  if (context->K_ELLIPSIS()) {
    index.kind = ast::Index::Ellipsis;
    return index;
  }
  index.kind = context->K_COLON() ? ast::Index::Slice : ast::Index::Single;
  bool isBehindColon = false;
  for (antlr4::tree::ParseTree *child : context->children) {
    if (auto *bound = dynamic_cast<Grammar::ExprContext *>(child))
      (isBehindColon ? index.end : index.begin) = buildExpr(bound);
    else
      isBehindColon = true;
  }
  return index;
}

ast::Entry AstBuilder::buildEntry(Grammar::EntryContext *context) {
  std::vector<Grammar::ExprContext *> parts = context->expr();
  ast::Entry entry;
  if (parts.size() == 2) entry.key = buildExpr(parts[0]);
  entry.value = buildExpr(parts.back());
  return entry;
}

} // namespace dlm
