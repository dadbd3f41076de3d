// Long chains lean to the left, so that side of an expression is printed by a loop: first all
// opening parentheses, then the innermost operand, then what follows it, from the inside out.

#include "compiler/syntax/PrintAst.h"

namespace dlm {

namespace {

std::string quoteText(const std::string &text) {
  std::string quoted = "\"";
  for (char c : text) {
    if (c == '\n')
      quoted += "\\n";
    else if (c == '\t')
      quoted += "\\t";
    else if (c == '"' || c == '\\')
      quoted += std::string("\\") + c;
    else
      quoted += c;
  }
  return quoted + "\"";
}

class AstPrinter {
public:
  std::string out;
  bool withDocs = true;

  void printFile(const ast::File &file) {
    for (const ast::Use &use : file.uses)
      printUse(use);
    for (const ast::Option &option : file.options)
      printOption(option);
    for (const ast::Stmt &let : file.lets)
      printStmtLine(let);
    for (const ast::Stmt &condition : file.conditions)
      printStmtLine(condition);
    for (const ast::Function &function : file.functions)
      printFunctionLines("fn", function);
    for (const ast::Model &model : file.models) {
      printDoc(model.doc);
      out += "model " + model.name.text;
      printParams(model.params);
      printMembers(model.members);
    }
    for (const ast::Optimizer &optimizer : file.optimizers) {
      printDoc(optimizer.doc);
      out += "optimizer " + optimizer.name.text;
      printParams(optimizer.params);
      out += " for ";
      printParam(optimizer.target);
      printMembers(optimizer.members);
    }
    for (const ast::Train &train : file.trains) {
      printDoc(train.doc);
      out += "train " + train.name.text;
      printItems(train.items);
    }
    for (const ast::Derived &search : file.searches)
      printDerived("search", search);
    for (const ast::Derived &exported : file.exports)
      printDerived("export", exported);
    for (const ast::Test &test : file.tests) {
      out += "test " + quoteText(test.title);
      printBlockLines(test.body);
    }
  }

  void printExpr(const ast::Expr &expr) {
    std::vector<const ast::Expr *> spine = {&expr};
    while (leansLeft(*spine.back()))
      spine.push_back(spine.back()->operands[0].get());
    for (const ast::Expr *outer : spine)
      if (isInfix(*outer)) out += "(";
    printHead(*spine.back());
    for (size_t i = spine.size() - 1; i-- > 0;)
      printTail(*spine[i]);
  }

  void printType(const ast::TypeRef &type) {
    switch (type.kind) {
    case ast::TypeRef::Named:
      printNamedType(type);
      break;
    case ast::TypeRef::Record:
      out += "(";
      for (size_t i = 0; i < type.fields.size(); ++i) {
        out += i == 0 ? "" : ", ";
        printParam(type.fields[i]);
      }
      out += ")";
      break;
    case ast::TypeRef::List:
      out += "[";
      printType(*type.operands[0]);
      out += "]";
      break;
    case ast::TypeRef::Function:
      out += "fn(";
      for (size_t i = 0; i < type.operands.size(); ++i) {
        out += i == 0 ? "" : ", ";
        printType(*type.operands[i]);
      }
      out += ") -> ";
      printType(*type.result);
      break;
    }
  }

private:
  static bool isInfix(const ast::Expr &expr) {
    return expr.kind == ast::ExprKind::Binary || expr.kind == ast::ExprKind::Pipe;
  }

  static bool leansLeft(const ast::Expr &expr) {
    return isInfix(expr) || expr.kind == ast::ExprKind::Member ||
           expr.kind == ast::ExprKind::Call || expr.kind == ast::ExprKind::Subscript;
  }

  void beginLine() { out += "\n" + std::string(2 * indentation, ' '); }

  void printDoc(const std::string &doc) {
    size_t begin = 0;
    while (withDocs && !doc.empty() && begin <= doc.size()) {
      size_t end = std::min(doc.find('\n', begin), doc.size());
      out += "/// " + doc.substr(begin, end - begin);
      indentation == 0 ? void(out += "\n") : beginLine();
      begin = end + 1;
    }
  }

  void printUse(const ast::Use &use) {
    out += "use ";
    for (size_t i = 0; i < use.path.size(); ++i)
      out += (i == 0 ? "" : ".") + use.path[i].text;
    if (!use.alias.text.empty()) out += " as " + use.alias.text;
    out += "\n";
  }

  void printOption(const ast::Option &option) {
    printDoc(option.doc);
    out += "option " + option.name.text;
    printTyped(option.type.get());
    out += " = ";
    printExpr(*option.value);
    out += "\n";
  }

  void printTyped(const ast::TypeRef *type) {
    if (!type) return;
    out += ": ";
    printType(*type);
  }

  void printParam(const ast::Param &param) {
    out += param.name.text;
    printTyped(param.type.get());
    if (!param.value) return;
    out += " = ";
    printExpr(*param.value);
  }

  void printParams(const std::vector<ast::Param> &params) {
    out += "(";
    for (size_t i = 0; i < params.size(); ++i) {
      out += i == 0 ? "" : ", ";
      printParam(params[i]);
    }
    out += ")";
  }

  void printSignature(const std::vector<ast::Param> &params, const ast::TypeRef *result) {
    printParams(params);
    if (!result) return;
    out += " -> ";
    printType(*result);
  }

  void printFunction(const char *word, const ast::Function &function) {
    out += std::string(word) + " " + function.name.text;
    printSignature(function.params, function.result.get());
    printBlockBody(function.body);
  }

  void printFunctionLines(const char *word, const ast::Function &function) {
    printDoc(function.doc);
    printFunction(word, function);
    out += "\n";
  }

  void printBlockBody(const ast::Block &block) {
    out += " {";
    ++indentation;
    for (size_t i = 0; i < block.statements.size(); ++i) {
      const ast::Stmt &stmt = block.statements[i];
      // A line of the middle that began with the bracket of an operator would be refused.
      bool isMiddle = i > 0 && i + 1 < block.statements.size();
      if (isMiddle && stmt.kind == ast::StmtKind::Expr)
        out += "; ";
      else
        beginLine();
      printStmt(stmt);
    }
    --indentation;
    beginLine();
    out += "}";
  }

  void printBlockLines(const ast::Block &block) {
    printBlockBody(block);
    out += "\n";
  }

  void printStmtLine(const ast::Stmt &stmt) {
    printStmt(stmt);
    out += "\n";
  }

  void printPattern(const ast::Pattern &pattern) {
    if (pattern.isTuple) out += "(";
    for (size_t i = 0; i < pattern.names.size(); ++i)
      out += (i == 0 ? "" : ", ") + pattern.names[i].text;
    if (pattern.isTuple) out += ")";
  }

  void printStmt(const ast::Stmt &stmt) {
    switch (stmt.kind) {
    case ast::StmtKind::Let:
      out += "let ";
      printPattern(stmt.pattern);
      printTyped(stmt.type.get());
      out += " = ";
      break;
    case ast::StmtKind::Next:
      out += "next " + stmt.target.text + " = ";
      break;
    case ast::StmtKind::Require:
      out += "require ";
      break;
    case ast::StmtKind::Expect:
      out += "expect ";
      break;
    case ast::StmtKind::Expr:
      break;
    }
    printExpr(*stmt.value);
    if (!stmt.message.empty()) out += ", " + quoteText(stmt.message);
  }

  void printMembers(const std::vector<ast::Member> &members) {
    out += " {";
    ++indentation;
    for (const ast::Member &member : members) {
      beginLine();
      if (member.function) {
        printDoc(member.function->doc);
        printFunction("fn", *member.function);
      } else if (member.statement) {
        printStmt(*member.statement);
      } else {
        printStored(*member.stored);
      }
    }
    --indentation;
    out += "\n}\n";
  }

  void printStored(const ast::Stored &stored) {
    static const char *const words[] = {"param ", "buffer ", "state "};
    printDoc(stored.doc);
    out += words[stored.kind] + stored.name.text;
    printTyped(stored.type.get());
    if (!stored.init) return;
    out += " = ";
    printExpr(*stored.init);
  }

  void printDerived(const char *word, const ast::Derived &derived) {
    out += std::string(word) + " " + derived.name.text + " of " + derived.of.text;
    printItems(derived.items);
  }

  void printItems(const std::vector<ast::Item> &items) {
    printItemsBody(items);
    out += "\n";
  }

  void printItemsBody(const std::vector<ast::Item> &items) {
    out += " {";
    ++indentation;
    for (const ast::Item &item : items) {
      beginLine();
      printDoc(item.doc);
      printItem(item);
    }
    --indentation;
    beginLine();
    out += "}";
  }

  void printItem(const ast::Item &item) {
    switch (item.kind) {
    case ast::Item::Let:
    case ast::Item::Require:
      printStmt(*item.statement);
      break;
    case ast::Item::Fn:
      printFunction("fn", *item.function);
      break;
    case ast::Item::Command:
      printFunction("command", *item.function);
      break;
    case ast::Item::Setting:
      out += item.name.text + " = ";
      printExpr(*item.value);
      break;
    case ast::Item::Update:
    case ast::Item::Section:
      out += (item.kind == ast::Item::Update ? "update " : "") + item.name.text;
      printItemsBody(item.items);
      break;
    }
  }

  void printNamedType(const ast::TypeRef &type) {
    out += type.text;
    if (type.hasDims) out += "[";
    for (size_t i = 0; i < type.dims.size(); ++i) {
      const ast::Dim &dim = type.dims[i];
      out += i == 0 ? "" : ", ";
      if (dim.isEllipsis)
        out += "..." + dim.name.text;
      else
        printExpr(*dim.size);
    }
    if (type.hasDims) out += "]";
    if (type.isOptional) out += "?";
  }

  void printBlockInline(const ast::Block &block) {
    out += "{";
    for (size_t i = 0; i < block.statements.size(); ++i) {
      out += i == 0 ? " " : "; ";
      printStmt(block.statements[i]);
    }
    out += " }";
  }

  void printArguments(const std::vector<ast::Argument> &arguments) {
    out += "(";
    for (size_t i = 0; i < arguments.size(); ++i) {
      out += i == 0 ? "" : ", ";
      if (!arguments[i].name.text.empty()) out += arguments[i].name.text + " = ";
      printExpr(*arguments[i].value);
    }
    out += ")";
  }

  void printIndices(const std::vector<ast::Index> &indices) {
    out += "[";
    for (size_t i = 0; i < indices.size(); ++i) {
      out += i == 0 ? "" : ", ";
      if (indices[i].kind == ast::Index::Ellipsis) out += "...";
      if (indices[i].begin) printExpr(*indices[i].begin);
      if (indices[i].kind == ast::Index::Slice) out += ":";
      if (indices[i].end) printExpr(*indices[i].end);
    }
    out += "]";
  }

  void printEntries(const std::vector<ast::Entry> &entries) {
    for (size_t i = 0; i < entries.size(); ++i) {
      out += i == 0 ? "" : ", ";
      if (entries[i].key) {
        printExpr(*entries[i].key);
        out += " => ";
      }
      printExpr(*entries[i].value);
    }
  }

  void printComprehension(const ast::Expr &expr) {
    out += "[";
    printEntries(expr.entries);
    for (const ast::ForClause &clause : expr.clauses) {
      out += " for ";
      printPattern(clause.pattern);
      out += " in ";
      printExpr(*clause.list);
    }
    if (!expr.operands.empty()) {
      out += " if ";
      printExpr(*expr.operands[0]);
    }
    out += "]";
  }

  void printIf(const ast::Expr &expr) {
    out += "if ";
    printExpr(*expr.operands[0]);
    out += " ";
    printBlockInline(*expr.body);
    if (!expr.elseBody && expr.operands.size() < 2) return;
    out += " else ";
    if (expr.elseBody)
      printBlockInline(*expr.elseBody);
    else
      printIf(*expr.operands[1]);
  }

  /// What does not begin with an expression.
  void printHead(const ast::Expr &expr) {
    switch (expr.kind) {
    case ast::ExprKind::Number:
      out += expr.text + (expr.unit.empty() ? "" : " ") + expr.unit;
      break;
    case ast::ExprKind::Percent:
      out += expr.text + "%";
      break;
    case ast::ExprKind::String:
      out += quoteText(expr.text);
      break;
    case ast::ExprKind::Unary:
      out += expr.text == "-" ? "(-" : "(" + expr.text + " ";
      printExpr(*expr.operands[0]);
      out += ")";
      break;
    case ast::ExprKind::Record:
      printArguments(expr.arguments);
      break;
    case ast::ExprKind::List:
      out += "[";
      printEntries(expr.entries);
      out += "]";
      break;
    case ast::ExprKind::Comprehension:
      printComprehension(expr);
      break;
    case ast::ExprKind::If:
      printIf(expr);
      break;
    case ast::ExprKind::Lambda:
      out += "fn";
      printSignature(expr.params, expr.resultType.get());
      out += " ";
      printBlockInline(*expr.body);
      break;
    default:
      out += expr.text;
      break;
    }
  }

  /// What follows operands[0].
  void printTail(const ast::Expr &expr) {
    switch (expr.kind) {
    case ast::ExprKind::Member:
      out += "." + expr.text;
      break;
    case ast::ExprKind::Call:
      printArguments(expr.arguments);
      break;
    case ast::ExprKind::Subscript:
      printIndices(expr.indices);
      break;
    default:
      out += " " + expr.text + " ";
      printExpr(*expr.operands[1]);
      out += ")";
      break;
    }
  }

  size_t indentation = 0;
};

} // namespace

std::string printAst(const ast::File &file, bool withDocs) {
  AstPrinter printer;
  printer.withDocs = withDocs;
  printer.printFile(file);
  return std::move(printer.out);
}

std::string printExpr(const ast::Expr &expr) {
  AstPrinter printer;
  printer.printExpr(expr);
  return std::move(printer.out);
}

std::string printType(const ast::TypeRef &type) {
  AstPrinter printer;
  printer.printType(type);
  return std::move(printer.out);
}

} // namespace dlm
