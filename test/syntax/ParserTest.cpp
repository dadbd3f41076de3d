// What the parser understands, read back through the printer.

#include "compiler/syntax/Parser.h"
#include "compiler/diagnostics/Render.h"
#include "compiler/syntax/PrintAst.h"

#include <gtest/gtest.h>

namespace dlm {

namespace {

/// The tree of a text, or its messages.
std::string parsed(const std::string &text) {
  SourceManager sources;
  DiagnosticEngine diagnostics(sources);
  FileId file = sources.addFile("a.dlm", text);
  std::unique_ptr<ast::File> tree = parseFile(sources, file, diagnostics);
  return tree ? printAst(*tree) : renderText(diagnostics);
}

/// The value of `let x = ...`, every operator in parentheses.
std::string expression(const std::string &text) {
  std::string tree = parsed("let x = " + text + "\n");
  return tree.substr(0, 8) == "let x = " ? tree.substr(8, tree.size() - 9) : tree;
}

} // namespace

TEST(Parser, OrdersOperatorsByTheTableOfTheReference) {
  EXPECT_EQ(expression("a.b(c)[d] ** 2"), "(a.b(c)[d] ** 2)");
  EXPECT_EQ(expression("-x ** 2"), "(-(x ** 2))");
  EXPECT_EQ(expression("2 ** -x"), "(2 ** (-x))");
  EXPECT_EQ(expression("-a * b"), "((-a) * b)");
  EXPECT_EQ(expression("a + b * c"), "(a + (b * c))");
  EXPECT_EQ(expression("a * b @ c / d % e"), "((((a * b) @ c) / d) % e)");
  EXPECT_EQ(expression("0..n - 1"), "(0 .. (n - 1))");
  EXPECT_EQ(expression("i in 0..n"), "(i in (0 .. n))");
  EXPECT_EQ(expression("not a == b"), "(not (a == b))");
  EXPECT_EQ(expression("not a and b or c"), "(((not a) and b) or c)");
  EXPECT_EQ(expression("a or b |> f"), "((a or b) |> f)");
}

TEST(Parser, AssociatesToTheLeftButForPowers) {
  EXPECT_EQ(expression("a - b - c"), "((a - b) - c)");
  EXPECT_EQ(expression("a ** b ** c"), "(a ** (b ** c))");
  EXPECT_EQ(expression("a |> b |> c"), "((a |> b) |> c)");
}

TEST(Parser, TellsGroupsFromRecords) {
  EXPECT_EQ(expression("(a)"), "a");
  EXPECT_EQ(expression("(a, b)"), "(a, b)");
  EXPECT_EQ(expression("(a = 1)"), "(a = 1)");
  EXPECT_EQ(expression("()"), "()");
}

TEST(Parser, ReadsEveryKindOfLiteral) {
  EXPECT_EQ(expression("1_000_000"), "1000000");
  EXPECT_EQ(expression("1e-3"), "1e-3");
  EXPECT_EQ(expression("1e3"), "1e3");
  EXPECT_EQ(expression("30min"), "30min");
  EXPECT_EQ(expression("250 steps"), "250 steps");
  EXPECT_EQ(expression("12.5%"), "12.5%");
  EXPECT_EQ(expression("10 % 3"), "(10 % 3)");
  EXPECT_EQ(expression("n%3"), "(n % 3)");
  EXPECT_EQ(expression("\"a\\n\\t\\\"\\\\\\u{e4}\""), "\"a\\n\\t\\\"\\\\\xC3\xA4\"");
  EXPECT_EQ(expression("[true, false, none]"), "[true, false, none]");
}

TEST(Parser, ReadsSlices) {
  EXPECT_EQ(expression("x[:, a:, :b, a:b, ..., new, -1]"), "x[:, a:, :b, a:b, ..., new, (-1)]");
}

TEST(Parser, ALineThatBeginsWithAnOperatorContinuesTheLineAbove) {
  EXPECT_EQ(parsed("let x = a\n  + b\n  |> f\n"), "let x = ((a + b) |> f)\n");
}

TEST(Parser, MinusContinuesALineOnlyInsideBrackets) {
  EXPECT_EQ(parsed("let x = (a\n  - b)\n"), "let x = (a - b)\n");
  EXPECT_EQ(parsed("fn f(a) {\n  let b = a\n  -b\n}\n"), "fn f(a) {\n  let b = a\n  (-b)\n}\n");
}

TEST(Parser, CommentsAndWindowsLineEndsChangeNothing) {
  EXPECT_EQ(parsed("let x = 1 // one\r\n\r\n// two\r\nlet y = 2\r\n"), "let x = 1\nlet y = 2\n");
}

TEST(Parser, TheLastLineNeedsNoLineEnd) {
  EXPECT_EQ(parsed("let x = 1"), "let x = 1\n");
  EXPECT_EQ(parsed(""), "");
  EXPECT_EQ(parsed("\n\n;;\n"), "");
}

TEST(Parser, SemicolonsSeparateLikeLineEnds) {
  EXPECT_EQ(parsed("let x = 1; let y = 2;\n"), "let x = 1\nlet y = 2\n");
}

TEST(Parser, DocCommentsBelongToTheirLineOrTheNextDeclaration) {
  EXPECT_EQ(parsed("/// one\n/// two\n\noption a = 1\noption b = 2 /// three\n"),
            "/// one\n/// two\noption a = 1\n/// three\noption b = 2\n");
}

TEST(Parser, SpansCoverWhatWasWritten) {
  SourceManager sources;
  DiagnosticEngine diagnostics(sources);
  FileId file = sources.addFile("a.dlm", "let s = \"\xC3\xA4\" + (b * c).d\n");
  std::unique_ptr<ast::File> tree = parseFile(sources, file, diagnostics);
  ASSERT_TRUE(tree);
  const ast::Expr &sum = *tree->lets[0].value;
  EXPECT_EQ(sources.text(sum.span), "\"\xC3\xA4\" + (b * c).d");
  EXPECT_EQ(sources.text(sum.nameSpan), "+");
  EXPECT_EQ(sources.text(sum.operands[1]->span), "(b * c).d");
  EXPECT_EQ(sources.text(sum.operands[1]->nameSpan), "d");
  EXPECT_EQ(sources.text(sum.operands[1]->operands[0]->span), "b * c");
  EXPECT_EQ(sources.text(tree->lets[0].pattern.span), "s");
}

TEST(Parser, IndicesWithoutBoundsHaveNone) {
  SourceManager sources;
  DiagnosticEngine diagnostics(sources);
  FileId file = sources.addFile("a.dlm", "let y = x[:b]\n");
  std::unique_ptr<ast::File> tree = parseFile(sources, file, diagnostics);
  ASSERT_TRUE(tree);
  const ast::Index &index = tree->lets[0].value->indices[0];
  EXPECT_EQ(index.kind, ast::Index::Slice);
  EXPECT_FALSE(index.begin);
  EXPECT_EQ(index.end->text, "b");
}

} // namespace dlm
