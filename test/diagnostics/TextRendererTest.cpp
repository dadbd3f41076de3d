// The looks of messages, character by character.

#include "compiler/diagnostics/Render.h"
#include "compiler/source/Utf8.h"

#include <gtest/gtest.h>

namespace dlm {

namespace {

class TextRenderer : public ::testing::Test {
protected:
  /// The place of the n-th occurrence (from 0) of a piece of the file's text.
  Span find(FileId file, const std::string &piece, int n = 0) {
    size_t at = sources.text(file).find(piece);
    while (n-- > 0)
      at = sources.text(file).find(piece, at + 1);
    return {file, uint32_t(at), uint32_t(at + piece.size())};
  }

  SourceManager sources;
  DiagnosticEngine diagnostics{sources};
};

} // namespace

TEST_F(TextRenderer, DrawsBothSidesOfAConflictItsDeclarationAndAnEdit) {
  std::string text(7, '\n');
  text += "model MLP(width: int) {\n";
  text += "  param w1: f32[256, 1024] = normal(std = 0.02)\n";
  text += "\n\n  fn forward(x: f32[B, T, 512]) {\n\n";
  text += "    let h = gelu(x @ w1)\n";
  FileId file = sources.addFile("blocks.dlm", text);
  diagnostics.error(Kind::Syntax, find(file, "w1", 1), "`@` contracts sizes 512 and 256")
      .label(find(file, "w1", 1), "first dimension is 256")
      .secondary({file, find(file, "x @").begin, find(file, "x @").begin + 1},
                 "last dimension is 512")
      .note(find(file, "w1"), "`w1` is declared here")
      .note("in `MLP(width = 512)`, created at gpt.dlm:21:15")
      .help("make the first dimension of `w1` 512", find(file, "256"), "512");
  EXPECT_EQ(renderText(diagnostics), R"(error[syntax]: `@` contracts sizes 512 and 256
  --> blocks.dlm:14:22
   |
14 |     let h = gelu(x @ w1)
   |                  -   ^^ first dimension is 256
   |                  |
   |                  last dimension is 512
note: `w1` is declared here
  --> blocks.dlm:9:9
   |
 9 |   param w1: f32[256, 1024] = normal(std = 0.02)
   |         --
note: in `MLP(width = 512)`, created at gpt.dlm:21:15
help: make the first dimension of `w1` 512
   |
 9 |   param w1: f32[512, 1024] = normal(std = 0.02)
   |                 ~~~
)");
}

TEST_F(TextRenderer, HangsTheTextsOfALineFromRightToLeft) {
  FileId file = sources.addFile("a.dlm", "f(a, b, c)\n");
  diagnostics.error(Kind::Syntax, find(file, "b"), "three parts")
      .label(find(file, "b"), "second")
      .secondary(find(file, "a"), "first")
      .secondary(find(file, "c"), "third");
  EXPECT_EQ(renderText(diagnostics), R"(error[syntax]: three parts
 --> a.dlm:1:6
  |
1 | f(a, b, c)
  |   -  ^  - third
  |   |  |
  |   |  second
  |   first
)");
}

TEST_F(TextRenderer, ShowsLabelsOfSeveralLinesInOrderWithGaps) {
  FileId file = sources.addFile("a.dlm", "one\ntwo\nthree\nfour\nfive\nsix\nseven\n");
  diagnostics.error(Kind::Syntax, find(file, "seven"), "far apart")
      .secondary(find(file, "one"), "here")
      .secondary(find(file, "three"), "and here");
  EXPECT_EQ(renderText(diagnostics), R"(error[syntax]: far apart
 --> a.dlm:7:1
  |
1 | one
  | --- here
2 | two
3 | three
  | ----- and here
 ...
7 | seven
  | ^^^^^
)");
}

TEST_F(TextRenderer, ShowsLabelsOfOtherFilesUnderTheirOwnName) {
  FileId first = sources.addFile("a.dlm", "use b\n");
  FileId second = sources.addFile("b.dlm", "let x = 1\n");
  diagnostics.error(Kind::Syntax, find(first, "b"), "two files")
      .secondary(find(second, "x"), "the other");
  EXPECT_EQ(renderText(diagnostics), R"(error[syntax]: two files
 --> a.dlm:1:5
  |
1 | use b
  |     ^
 ::: b.dlm:1:5
  |
1 | let x = 1
  |     - the other
)");
}

TEST_F(TextRenderer, SortsByPlaceAndPutsThoseWithoutOneFirst) {
  FileId file = sources.addFile("a.dlm", "a b\n");
  diagnostics.error(Kind::Syntax, find(file, "b"), "second");
  diagnostics.error(Kind::Syntax, find(file, "a"), "first");
  diagnostics.error(Kind::MissingFile, {}, "`c.dlm` cannot be read: no such file");
  EXPECT_EQ(renderText(diagnostics), R"(error[missing-file]: `c.dlm` cannot be read: no such file

error[syntax]: first
 --> a.dlm:1:1
  |
1 | a b
  | ^

error[syntax]: second
 --> a.dlm:1:3
  |
1 | a b
  |   ^
)");
}

TEST_F(TextRenderer, KeepsARepeatedMessageOnce) {
  FileId file = sources.addFile("a.dlm", "a\n");
  diagnostics.error(Kind::Syntax, find(file, "a"), "again").note("kept");
  diagnostics.error(Kind::Syntax, find(file, "a"), "again").note("dropped");
  EXPECT_EQ(diagnostics.errorCount(), 1u);
  EXPECT_EQ(renderText(diagnostics).find("dropped"), std::string::npos);
}

TEST_F(TextRenderer, StopsAfterTwentyErrorsAndSaysHowManyAreLeft) {
  FileId file = sources.addFile("a.dlm", std::string(30, 'x'));
  for (uint32_t i = 0; i < 23; ++i)
    diagnostics.error(Kind::Syntax, {file, i, i + 1}, "wrong");
  std::string text = renderText(diagnostics);
  size_t shown = 0;
  for (size_t at = text.find("error[syntax]"); at != std::string::npos;
       at = text.find("error[syntax]", at + 1))
    ++shown;
  EXPECT_EQ(shown, 20u);
  std::string last = "\n3 more errors are not shown; --all-errors shows all\n";
  EXPECT_EQ(text.substr(text.size() - last.size()), last);
}

TEST_F(TextRenderer, OfWarningsShowsAsManyAsOfErrors) {
  FileId file = sources.addFile("a.dlm", std::string(30, 'x'));
  auto ends = [](const std::string &text, const std::string &last) {
    return text.size() > last.size() && text.substr(text.size() - last.size()) == last;
  };
  for (uint32_t i = 0; i < 3; ++i)
    diagnostics.warning(Kind::UnusedName, {file, i, i + 1}, "unused");
  diagnostics.error(Kind::Syntax, {file, 9, 10}, "wrong");
  EXPECT_EQ(renderText(diagnostics, {3, false}).find("not shown"), std::string::npos);
  std::string text = renderText(diagnostics, {2, false});
  EXPECT_TRUE(ends(text, "\n1 more warning is not shown; --all-errors shows all\n")) << text;
  EXPECT_NE(text.find("error[syntax]: wrong"), std::string::npos) << text;
  diagnostics.error(Kind::Syntax, {file, 10, 11}, "wrong");
  text = renderText(diagnostics, {1, false});
  EXPECT_TRUE(ends(text, "\n1 more error and 2 more warnings are not shown; "
                         "--all-errors shows all\n"))
      << text;
  EXPECT_EQ(renderText(diagnostics, {~0u, false}).find("not shown"), std::string::npos);
}

TEST_F(TextRenderer, AlignsUnderTabsAndWideCharacters) {
  FileId file = sources.addFile("a.dlm", "\tlet s = \"\xC3\xA4\xC3\xB6\" + x\n");
  diagnostics.error(Kind::Syntax, find(file, "x"), "aligned");
  EXPECT_EQ(renderText(diagnostics), "error[syntax]: aligned\n"
                                     " --> a.dlm:1:17\n"
                                     "  |\n"
                                     "1 |     let s = \"\xC3\xA4\xC3\xB6\" + x\n"
                                     "  |                    ^\n");
}

TEST_F(TextRenderer, UnderlinesOnlyTheFirstLineOfALongSpan) {
  FileId file = sources.addFile("a.dlm", "train t {\n  batch = 3\n}\n");
  diagnostics.error(Kind::Syntax, {file, 0, 23}, "no loss");
  EXPECT_EQ(renderText(diagnostics), R"(error[syntax]: no loss
 --> a.dlm:1:1
  |
1 | train t {
  | ^^^^^^^^^
)");
}

TEST_F(TextRenderer, MarksTheEndOfALineWithOneCaret) {
  FileId file = sources.addFile("a.dlm", "let x =\n");
  diagnostics.error(Kind::Syntax, {file, 7, 7}, "nothing follows");
  EXPECT_EQ(renderText(diagnostics), R"(error[syntax]: nothing follows
 --> a.dlm:1:8
  |
1 | let x =
  |        ^
)");
}

TEST_F(TextRenderer, CutsVeryLongLinesAroundTheFault) {
  FileId file = sources.addFile("a.dlm", std::string(1000, 'a') + " b " + std::string(1000, 'c'));
  diagnostics.error(Kind::Syntax, find(file, "b"), "in the middle");
  std::string shown = "1 | ..." + std::string(56, 'a') + " b " + std::string(98, 'c') + "...\n";
  std::string underline = "  | " + std::string(60, ' ') + "^\n";
  EXPECT_EQ(renderText(diagnostics),
            "error[syntax]: in the middle\n --> a.dlm:1:1002\n  |\n" + shown + underline);
}

TEST_F(TextRenderer, CutsALineOf100kBWithTabsAndLettersOfSeveralBytes) {
  std::string line;
  while (line.size() < 50'000)
    line += "\t\u00E4\U0001F600";
  FileId file = sources.addFile("a.dlm", line + "here" + line);
  Span place = find(file, "here");
  diagnostics.error(Kind::Syntax, place, "in the middle").help("write it", place, "there");
  std::string text = renderText(diagnostics);
  EXPECT_LT(text.size(), 1500u);
  std::string row = text.substr(text.find("1 | ") + 4);
  row = row.substr(0, row.find('\n'));
  EXPECT_EQ(row.substr(0, 3), "...");
  EXPECT_EQ(row.substr(row.size() - 3), "...");
  std::string caret = text.substr(text.find("  | ", text.find("1 | ")) + 4);
  size_t columns = characterCount(row.substr(0, row.find("here")));
  EXPECT_EQ(caret.substr(0, caret.find('\n')), std::string(columns, ' ') + "^^^^");
  std::string tildes = text.substr(text.rfind("  | ") + 4);
  EXPECT_EQ(tildes, std::string(columns, ' ') + "~~~~~\n");
}

TEST_F(TextRenderer, ShowsAWordOfThousandsOfLettersByItsEnds) {
  FileId file = sources.addFile("a.dlm", "x");
  diagnostics.error(Kind::Syntax, find(file, "x"), "`" + std::string(5000, 'a') + "b` is unknown")
      .note("short, and `\u00E4" + std::string(400, 'c') + "\u00E4\u00E4`");
  std::string text = renderText(diagnostics);
  EXPECT_NE(text.find("`" + std::string(59, 'a') + "..." + std::string(17, 'a') + "b` is unknown"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("short, and `\u00E4" + std::string(57, 'c') + "..."), std::string::npos)
      << text;
  EXPECT_FALSE(firstInvalidUtf8(text));
}

TEST_F(TextRenderer, ShowsInsertionsAndDeletions) {
  FileId file = sources.addFile("a.dlm", "let x 5,\n");
  diagnostics.error(Kind::Syntax, find(file, "5"), "no `=`")
      .help("insert it", {file, 6, 6}, "= ")
      .help("drop the comma", find(file, ","), "");
  EXPECT_EQ(renderText(diagnostics), R"(error[syntax]: no `=`
 --> a.dlm:1:7
  |
1 | let x 5,
  |       ^
help: insert it
  |
1 | let x = 5,
  |       ~~
help: drop the comma
  |
1 | let x 5
)");
}

TEST_F(TextRenderer, WarningsSayThatTheyAre) {
  FileId file = sources.addFile("a.dlm", "/// lost\n");
  diagnostics.warning(Kind::StrayDoc, find(file, "/// lost"), "documents nothing");
  EXPECT_EQ(diagnostics.errorCount(), 0u);
  EXPECT_EQ(diagnostics.warningCount(), 1u);
  EXPECT_EQ(renderText(diagnostics).substr(0, 18), "warning[stray-doc]");
}

TEST_F(TextRenderer, JsonHasTheSameFields) {
  FileId file = sources.addFile("a.dlm", "let x 5\n");
  diagnostics.error(Kind::Syntax, find(file, "5"), "expected `=`")
      .secondary(find(file, "x"), "named here")
      .note("a note")
      .help("insert it", {file, 6, 6}, "= ", Applicability::Exact);
  EXPECT_EQ(renderJson(diagnostics),
            R"({"kind":"syntax","severity":"error","message":"expected `=`","file":"a.dlm",)"
            R"("begin":6,"end":7,"line":1,"column":7,"end_line":1,"end_column":8,"labels":[)"
            R"({"text":"","primary":true,"file":"a.dlm","begin":6,"end":7,"line":1,"column":7,)"
            R"("end_line":1,"end_column":8},{"text":"named here","primary":false,)"
            R"("file":"a.dlm","begin":4,"end":5,"line":1,"column":5,"end_line":1,)"
            R"("end_column":6}],"notes":[{"text":"a note"}],"helps":[{"text":"insert it",)"
            R"("file":"a.dlm","begin":6,"end":6,"line":1,"column":7,"end_line":1,"end_column":7,)"
            R"("replacement":"= ","applicability":"exact"}]})"
            "\n");
}

TEST(Kinds, WordsAreUniqueAndFound) {
  for (const KindInfo &info : allKinds()) {
    ASSERT_TRUE(findKind(info.word));
    EXPECT_EQ(*findKind(info.word), info.kind) << info.word;
    EXPECT_EQ(&kindInfo(info.kind), &info);
    EXPECT_EQ(info.word.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-"),
              std::string_view::npos);
  }
  EXPECT_FALSE(findKind("no-such-kind"));
}

} // namespace dlm
