// From parse tree to syntax tree. Only declarations without syntax errors are built, so no node of
// the parse tree is missing here.
//
// Some rules are easier to check on the tree than in the grammar and are checked here: `a < b < c`
// and `a .. b .. c` do not chain, escapes in strings exist, and a line that begins with `-` in the
// middle of a block continues nothing.
#pragma once

#include "compiler/diagnostics/DiagnosticEngine.h"
#include "compiler/syntax/Ast.h"
#include "compiler/syntax/TokenFilter.h"
#include "grammar/DlmParser.h"

#include <map>

namespace dlm {

class AstBuilder {
public:
  using Grammar = grammar::DlmParser;

  AstBuilder(const SourceManager &sources, FileId file, std::vector<DocComment> docs,
             DiagnosticEngine &diagnostics);

  /// Adds a declaration to the file.
  void addDecl(ast::File &file, Grammar::DeclContext *decl);

  /// Warns about doc comments that belong to no declaration.
  void reportStrayDocs();

private:
  // Declarations (BuildDeclarations.cpp).
  ast::Function buildFunction(antlr4::ParserRuleContext *whole, Grammar::NameContext *name,
                              Grammar::SignatureContext *signature, Grammar::BlockContext *body);
  ast::Function buildFunction(Grammar::FnDeclContext *decl);
  std::vector<ast::Member> buildMembers(Grammar::MembersContext *members);
  ast::Member buildMember(Grammar::MemberContext *member);
  std::unique_ptr<ast::Stored> buildStored(Grammar::StoredDeclContext *decl);
  std::vector<ast::Item> buildItems(Grammar::ItemsContext *items);
  ast::Item buildItem(Grammar::ItemContext *item);
  void addUse(ast::File &file, Grammar::UseDeclContext *decl);
  void addOption(ast::File &file, Grammar::OptionDeclContext *decl);
  void addModel(ast::File &file, Grammar::ModelDeclContext *decl);
  void addOptimizer(ast::File &file, Grammar::OptimizerDeclContext *decl);
  ast::Derived buildDerived(antlr4::ParserRuleContext *decl,
                            const std::vector<Grammar::NameContext *> &names,
                            Grammar::ItemsContext *items);

  // Statements and types (BuildStatements.cpp).
  ast::Block buildBlock(Grammar::BlockContext *block);
  void checkReturn(const ast::Stmt &stmt);
  ast::Stmt buildStmt(Grammar::StmtContext *stmt);
  ast::Stmt buildLet(Grammar::LetDeclContext *let);
  ast::Stmt buildCheck(ast::StmtKind kind, antlr4::ParserRuleContext *whole,
                       Grammar::ExprContext *condition, antlr4::tree::TerminalNode *message);
  void checkLineStart(const ast::Stmt &above, const ast::Stmt &stmt, bool isLast);
  ast::Pattern buildPattern(Grammar::PatternContext *pattern);
  std::vector<ast::Param> buildParams(Grammar::ParamsContext *params);
  ast::Param buildParam(Grammar::ParamContext *param);
  ast::TypeRefPtr buildType(Grammar::TypeRefContext *type);
  ast::TypeRefPtr buildNamedType(Grammar::NamedTypeContext *type);

  // Expressions (BuildExpressions.cpp).
  ast::ExprPtr buildExpr(Grammar::ExprContext *expr);
  ast::ExprPtr buildOperand(Grammar::ExprContext *expr);
  ast::ExprPtr extendExpr(ast::ExprPtr left, Grammar::ExprContext *expr);
  ast::ExprPtr buildBinary(ast::ExprPtr left, Grammar::BinaryContext *expr);
  ast::ExprPtr buildPrimary(Grammar::PrimaryContext *primary);
  ast::ExprPtr buildLiteral(Grammar::LiteralContext *literal);
  ast::ExprPtr buildGroup(Grammar::GroupContext *group);
  ast::ExprPtr buildList(Grammar::ListContext *list);
  ast::ExprPtr buildIf(Grammar::IfExprContext *ifExpr);
  ast::ExprPtr buildLambda(Grammar::LambdaContext *lambda);
  std::vector<ast::Argument> buildArguments(Grammar::ArgumentsContext *arguments);
  ast::Index buildIndex(Grammar::IndexContext *index);
  ast::Entry buildEntry(Grammar::EntryContext *entry);
  void checkChain(Grammar::BinaryContext *expr);

  // Names, texts and places.
  ast::ExprPtr makeExpr(ast::ExprKind kind, antlr4::ParserRuleContext *context);
  Span spanOf(antlr4::ParserRuleContext *context) const;
  Span spanOf(antlr4::tree::TerminalNode *node) const;
  std::string textOf(Span span) const { return std::string(sources.text(span)); }
  ast::Name buildName(Grammar::NameContext *name) const;
  std::string stringText(Span literal);
  std::string numberText(Span literal);
  std::string takeDoc(Span declaration);

  const SourceManager &sources;
  FileId fileId;
  std::vector<DocComment> docs;
  std::vector<bool> docIsUsed;
  /// By line and 0 of those behind code, by 0 and the next token's offset of those that stand
  /// alone.
  std::map<std::pair<uint32_t, uint32_t>, std::vector<size_t>> docsAt;
  DiagnosticEngine &diagnostics;
};

} // namespace dlm
