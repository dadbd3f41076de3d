// Declarations, members and items of the syntax tree, and the doc comments that belong to them.

#include "compiler/syntax/AstBuilder.h"

namespace dlm {

AstBuilder::AstBuilder(const SourceManager &sources, FileId file, std::vector<DocComment> docs,
                       DiagnosticEngine &diagnostics)
    : sources(sources), fileId(file), docs(std::move(docs)), docIsUsed(this->docs.size()),
      diagnostics(diagnostics) {
  for (size_t i = 0; i < this->docs.size(); ++i)
    docsAt[{this->docs[i].line, this->docs[i].line ? 0 : this->docs[i].nextCode}].push_back(i);
}

void AstBuilder::addDecl(ast::File &file, Grammar::DeclContext *decl) {
  if (auto *use = decl->useDecl()) return addUse(file, use);
  if (auto *option = decl->optionDecl()) return addOption(file, option);
  if (auto *model = decl->modelDecl()) return addModel(file, model);
  if (auto *optimizer = decl->optimizerDecl()) return addOptimizer(file, optimizer);
  if (auto *function = decl->fnDecl()) {
    file.functions.push_back(buildFunction(function));
  } else if (auto *let = decl->letDecl()) {
    file.lets.push_back(buildLet(let));
    takeDoc(spanOf(let)); // allowed, and kept by nobody
  } else if (auto *require = decl->requireStmt()) {
    file.conditions.push_back(
        buildCheck(ast::StmtKind::Require, require, require->expr(), require->K_STRING()));
  } else if (auto *train = decl->trainDecl()) {
    Span span = spanOf(train);
    std::string doc = takeDoc(span);
    file.trains.push_back({buildName(train->name()), buildItems(train->items()), doc, span});
  } else if (auto *search = decl->searchDecl()) {
    file.searches.push_back(buildDerived(search, search->name(), search->items()));
  } else if (auto *exported = decl->exportDecl()) {
    file.exports.push_back(buildDerived(exported, exported->name(), exported->items()));
  } else if (auto *test = decl->testDecl()) {
    takeDoc(spanOf(test));
    file.tests.push_back(
        {stringText(spanOf(test->K_STRING())), buildBlock(test->block()), spanOf(test)});
  }
}

void AstBuilder::addUse(ast::File &file, Grammar::UseDeclContext *decl) {
  for (Grammar::UsePathContext *usePath : decl->usePath()) {
    ast::Use use;
    use.span = spanOf(usePath);
    for (Grammar::NameContext *name : usePath->path()->name())
      use.path.push_back(buildName(name));
    if (usePath->name()) use.alias = buildName(usePath->name());
    file.uses.push_back(std::move(use));
  }
}

void AstBuilder::addOption(ast::File &file, Grammar::OptionDeclContext *decl) {
  ast::Option option;
  option.span = spanOf(decl);
  option.doc = takeDoc(option.span);
  option.name = buildName(decl->name());
  if (decl->typeRef()) option.type = buildType(decl->typeRef());
  option.value = buildExpr(decl->expr());
  file.options.push_back(std::move(option));
}

void AstBuilder::addModel(ast::File &file, Grammar::ModelDeclContext *decl) {
  ast::Model model;
  model.span = spanOf(decl);
  model.doc = takeDoc(model.span);
  model.name = buildName(decl->name());
  model.params = buildParams(decl->params());
  model.members = buildMembers(decl->members());
  file.models.push_back(std::move(model));
}

void AstBuilder::addOptimizer(ast::File &file, Grammar::OptimizerDeclContext *decl) {
  ast::Optimizer optimizer;
  optimizer.span = spanOf(decl);
  optimizer.doc = takeDoc(optimizer.span);
  optimizer.name = buildName(decl->name());
  optimizer.params = buildParams(decl->params());
  optimizer.target = buildParam(decl->param());
  optimizer.members = buildMembers(decl->members());
  file.optimizers.push_back(std::move(optimizer));
}

ast::Derived AstBuilder::buildDerived(antlr4::ParserRuleContext *decl,
                                      const std::vector<Grammar::NameContext *> &names,
                                      Grammar::ItemsContext *items) {
  takeDoc(spanOf(decl));
  return {buildName(names[0]), buildName(names[1]), buildItems(items), spanOf(decl)};
}

ast::Function AstBuilder::buildFunction(Grammar::FnDeclContext *decl) {
  return buildFunction(decl, decl->name(), decl->signature(), decl->block());
}

ast::Function AstBuilder::buildFunction(antlr4::ParserRuleContext *whole,
                                        Grammar::NameContext *name,
                                        Grammar::SignatureContext *signature,
                                        Grammar::BlockContext *body) {
  ast::Function function;
  function.span = spanOf(whole);
  function.doc = takeDoc(function.span);
  function.name = buildName(name);
  function.params = buildParams(signature->params());
  if (signature->typeRef()) function.result = buildType(signature->typeRef());
  function.body = buildBlock(body);
  return function;
}

std::vector<ast::Member> AstBuilder::buildMembers(Grammar::MembersContext *members) {
  std::vector<ast::Member> result;
  for (Grammar::MemberContext *member : members->member())
    result.push_back(buildMember(member));
  return result;
}

ast::Member AstBuilder::buildMember(Grammar::MemberContext *context) {
  ast::Member member;
  if (auto *stored = context->storedDecl()) {
    member.kind = ast::Member::StoredValue;
    member.stored = buildStored(stored);
    member.span = member.stored->span;
  } else if (auto *let = context->letDecl()) {
    member.kind = ast::Member::Let;
    takeDoc(spanOf(let));
    member.statement = std::make_unique<ast::Stmt>(buildLet(let));
    member.span = member.statement->span;
  } else if (auto *function = context->fnDecl()) {
    member.kind = ast::Member::Fn;
    member.function = std::make_unique<ast::Function>(buildFunction(function));
    member.span = member.function->span;
  } else if (auto *require = context->requireStmt()) {
    member.kind = ast::Member::Require;
    member.statement = std::make_unique<ast::Stmt>(
        buildCheck(ast::StmtKind::Require, require, require->expr(), require->K_STRING()));
    member.span = member.statement->span;
  }
  return member;
}

std::unique_ptr<ast::Stored> AstBuilder::buildStored(Grammar::StoredDeclContext *decl) {
  auto stored = std::make_unique<ast::Stored>();
  stored->kind = decl->K_PARAM()    ? ast::Stored::Param
                 : decl->K_BUFFER() ? ast::Stored::Buffer
                                    : ast::Stored::State;
  stored->span = spanOf(decl);
  stored->doc = takeDoc(stored->span);
  stored->name = buildName(decl->name());
  stored->type = buildType(decl->typeRef());
  if (decl->expr()) stored->init = buildExpr(decl->expr());
  return stored;
}

std::vector<ast::Item> AstBuilder::buildItems(Grammar::ItemsContext *items) {
  std::vector<ast::Item> result;
  for (Grammar::ItemContext *item : items->item())
    result.push_back(buildItem(item));
  return result;
}

ast::Item AstBuilder::buildItem(Grammar::ItemContext *context) {
  ast::Item item;
  if (auto *let = context->letDecl()) {
    item.kind = ast::Item::Let;
    item.span = spanOf(let);
    item.doc = takeDoc(item.span);
    item.statement = std::make_unique<ast::Stmt>(buildLet(let));
  } else if (auto *function = context->fnDecl()) {
    item.kind = ast::Item::Fn;
    item.function = std::make_unique<ast::Function>(buildFunction(function));
    item.span = item.function->span;
    item.doc = item.function->doc;
  } else if (auto *require = context->requireStmt()) {
    item.kind = ast::Item::Require;
    item.span = spanOf(require);
    item.statement = std::make_unique<ast::Stmt>(
        buildCheck(ast::StmtKind::Require, require, require->expr(), require->K_STRING()));
  } else if (auto *command = context->commandItem()) {
    item.kind = ast::Item::Command;
    item.function = std::make_unique<ast::Function>(
        buildFunction(command, command->name(), command->signature(), command->block()));
    item.span = item.function->span;
    item.doc = item.function->doc;
  } else if (auto *update = context->updateItem()) {
    item.kind = ast::Item::Update;
    item.span = spanOf(update);
    item.doc = takeDoc(item.span);
    item.name = buildName(update->name());
    item.items = buildItems(update->items());
  } else if (auto *setting = context->settingItem()) {
    item.kind = setting->items() ? ast::Item::Section : ast::Item::Setting;
    item.span = spanOf(setting);
    item.doc = takeDoc(item.span);
    item.name = buildName(setting->name());
    if (setting->expr()) item.value = buildExpr(setting->expr());
    if (setting->items()) item.items = buildItems(setting->items());
  }
  return item;
}

/// The comment behind the declaration's first or last line, or the lines of comment above it.
std::string AstBuilder::takeDoc(Span declaration) {
  uint32_t firstLine = sources.line(fileId, declaration.begin);
  uint32_t lastLine = sources.line(fileId, declaration.end);
  std::string text;
  auto take = [&](std::pair<uint32_t, uint32_t> place) {
    auto found = docsAt.find(place);
    if (found == docsAt.end()) return;
    for (size_t i : found->second) {
      bool isAbove = place.first == 0;
      if (docIsUsed[i] || (!isAbove && docs[i].span.begin <= declaration.begin)) continue;
      docIsUsed[i] = true;
      text += (text.empty() ? "" : "\n") + docs[i].text;
    }
  };
  take({0, declaration.begin});
  take({firstLine, 0});
  take({lastLine, 0});
  return text;
}

void AstBuilder::reportStrayDocs() {
  for (size_t i = 0; i < docs.size(); ++i)
    if (!docIsUsed[i])
      diagnostics.warning(Kind::StrayDoc, docs[i].span, "this `///` comment documents nothing")
          .help("it belongs behind a declaration or on the lines above one; other comments begin "
                "with `//`");
}

} // namespace dlm
