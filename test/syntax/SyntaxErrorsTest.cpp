// Messages about texts that do not parse, character by character, and how many there are.

#include "compiler/diagnostics/Render.h"
#include "compiler/syntax/Parser.h"

#include <gtest/gtest.h>

namespace dlm {

namespace {

std::string messages(const std::string &text) {
  SourceManager sources;
  DiagnosticEngine diagnostics(sources);
  FileId file = sources.addFile("a.dlm", text);
  parseFile(sources, file, diagnostics);
  return renderText(diagnostics);
}

/// The first lines of all messages, one a line.
std::string headlines(const std::string &text) {
  std::string all = messages(text);
  std::string result;
  for (size_t begin = 0; begin < all.size();) {
    size_t end = all.find('\n', begin);
    std::string line = all.substr(begin, end - begin);
    if (line.substr(0, 6) == "error[" || line.substr(0, 8) == "warning[") result += line + "\n";
    begin = end + 1;
  }
  return result;
}

} // namespace

TEST(SyntaxErrors, ALineThatBeginsWithMinusIsExplained) {
  EXPECT_EQ(messages("fn f(a, b) {\n  let x = a\n    - b\n  x\n}\n"),
            R"(error[syntax]: a line that begins with `-` does not continue the line above
 --> a.dlm:3:5
  |
3 |     - b
  |     ^
help: end the line above with `-`, or put the whole expression in `( )`
)");
  EXPECT_EQ(headlines("train t {\n  batch = 64\n    - 3\n}\n"),
            "error[syntax]: a line that begins with `-` does not continue the line above\n");
}

TEST(SyntaxErrors, ALineThatBeginsWithABracketIsExplained) {
  EXPECT_EQ(messages("fn f(a) {\n  let g = a\n  (1, 2)\n  g\n}\n"),
            R"(error[syntax]: a line that begins with `(` does not continue the line above
 --> a.dlm:3:3
  |
3 |   (1, 2)
  |   ^
help: move `(` to the end of the line above
)");
}

TEST(SyntaxErrors, TheLastLineOfABlockMayBeginWithMinus) {
  EXPECT_EQ(messages("fn f(a) {\n  let b = a\n  -b\n}\n"), "");
}

TEST(SyntaxErrors, APercentageIsNotARemainder) {
  EXPECT_EQ(messages("let x = 10%3\n"), R"(error[syntax]: `10%` is a percentage, and `3` follows it
 --> a.dlm:1:9
  |
1 | let x = 10%3
  |         ^^^^
help: for the remainder of a division put spaces around `%`
  |
1 | let x = 10 % 3
  |         ~~~~~
)");
}

TEST(SyntaxErrors, ComparisonsDoNotChain) {
  EXPECT_EQ(messages("let x = a < b <= c + 1\n"),
            R"(error[chained-comparison]: comparisons do not chain: `<=` follows `<`
 --> a.dlm:1:15
  |
1 | let x = a < b <= c + 1
  |           -   ^^
  |           |
  |           this gives true or false
help: compare twice
  |
1 | let x = a < b and b <= c + 1
  |         ~~~~~~~~~~~~~~~~~~~~
)");
  EXPECT_EQ(messages("let x = (a < b) == c\n"), "");
}

TEST(SyntaxErrors, RangesDoNotChain) {
  EXPECT_EQ(messages("let x = 0..1..2\n"), R"(error[syntax]: a range has two bounds
 --> a.dlm:1:13
  |
1 | let x = 0..1..2
  |          -- ^^
  |          |
  |          they stand around this `..`
)");
}

TEST(SyntaxErrors, AnOpenBracketIsShownWhereItWasOpened) {
  EXPECT_EQ(messages("fn f(a) {\n  let x = g(a, [1, 2\n  let y = 3\n  x + y\n}\n"),
            R"(error[unclosed-bracket]: `[` is never closed
 --> a.dlm:2:16
  |
2 |   let x = g(a, [1, 2
  |                ^
3 |   let y = 3
  |   --- a statement begins here
)");
}

TEST(SyntaxErrors, AMissingBraceIsFoundByIndentation) {
  EXPECT_EQ(messages("model A(n: int) {\n  fn forward(x) {\n    x\n\n}\nmodel B() {\n"
                     "  fn forward(x) { x }\n}\n"),
            R"(error[unclosed-bracket]: `{` is never closed
 --> a.dlm:2:17
  |
2 |   fn forward(x) {
  |                 ^
 ...
6 | model B() {
  | ----- a declaration begins here
)");
}

TEST(SyntaxErrors, ACutFileGivesOneError) {
  EXPECT_EQ(messages("train t {\n  fn loss(b) { f(b"),
            R"(error[unclosed-bracket]: `(` is not closed before the end of the file
 --> a.dlm:2:17
  |
1 | train t {
  |         - this is open too
2 |   fn loss(b) { f(b
  |              -  ^
  |              |
  |              this is open too
)");
}

TEST(SyntaxErrors, BracketsOfTwoKindsAreShownTogether) {
  EXPECT_EQ(messages("let x = f(a]\n"), R"(error[unclosed-bracket]: `(` is closed by `]`
 --> a.dlm:1:12
  |
1 | let x = f(a]
  |          - ^
  |          |
  |          opened here
help: close it with `)`
  |
1 | let x = f(a)
  |            ~
)");
}

TEST(SyntaxErrors, AClosingBracketTooMuchIsAnError) {
  EXPECT_EQ(headlines("let x = a)\nfn f(a) { a ] }\n}\n"),
            "error[syntax]: `)` closes nothing that is open\n"
            "error[syntax]: `]` closes nothing that is open\n"
            "error[syntax]: `}` closes nothing that is open\n");
}

TEST(SyntaxErrors, AMissingOpeningBraceIsOneError) {
  EXPECT_EQ(messages("train t {\n  fn loss(b)\n    let c = b\n    c\n  }\n  seed = 1\n}\n"),
            R"(error[syntax]: expected `{` before the end of the line
 --> a.dlm:2:13
  |
2 |   fn loss(b)
  |             ^
help: the body of a function stands in `{ }`: `fn(x) { x * 2 }`
)");
}

TEST(SyntaxErrors, ASurplusBracketInsideOthersIsOneError) {
  EXPECT_EQ(headlines("let x = f(784, 512])\n"),
            "error[syntax]: `]` closes nothing that is open\n");
  EXPECT_EQ(headlines("train t {\n  let x = f(fn(a) g(a) })\n  seed 1\n}\n"),
            "error[syntax]: expected `{` before `g`\n"
            "error[syntax]: expected `=` before `1`\n");
}

TEST(SyntaxErrors, AMissingAssignIsNamed) {
  EXPECT_EQ(messages("train t {\n  batch 64\n}\n"), R"(error[syntax]: expected `=` before `64`
 --> a.dlm:2:9
  |
2 |   batch 64
  |         ^^
help: give the value behind `=`
  |
2 |   batch = 64
  |         ~~
)");
}

TEST(SyntaxErrors, ReservedWordsAreNoNames) {
  EXPECT_EQ(messages("let in = 4\n"),
            R"(error[reserved-word]: `in` is a word of the language and cannot be a name
 --> a.dlm:1:5
  |
1 | let in = 4
  |     ^^
help: call it `in_`
  |
1 | let in_ = 4
  |     ~~~
)");
  EXPECT_EQ(headlines("fn f(x) { x.let }\n"),
            "error[reserved-word]: `let` is a word of the language and cannot be a name\n");
}

TEST(SyntaxErrors, WordsOfOtherLanguagesAreExplained) {
  EXPECT_EQ(messages("fn g(x) { return x }\n"), R"(error[syntax]: `return` begins no statement
 --> a.dlm:1:11
  |
1 | fn g(x) { return x }
  |           ^^^^^^
help: there is no `return`: the last expression of a block is its value
  |
1 | fn g(x) { x }
)");
  EXPECT_EQ(headlines("import nn\ndef f(x): x\nfn f(a) {\n  for i in a { i }\n}\n"),
            "error[syntax]: `import` begins no statement\n"
            "error[syntax]: `def` begins no statement\n"
            "error[syntax]: `for` begins no statement\n");
}

TEST(SyntaxErrors, ANearWordIsOffered) {
  EXPECT_EQ(messages("modle M(a: int) { }\n"),
            R"(error[syntax]: `modle` does not begin a declaration
 --> a.dlm:1:1
  |
1 | modle M(a: int) { }
  | ^^^^^
help: there is a word `model`
  |
1 | model M(a: int) { }
  | ~~~~~
)");
}

TEST(SyntaxErrors, AssignmentsAreExplained) {
  EXPECT_EQ(messages("fn f(a) {\n  x = 3\n  x\n}\n"),
            R"(error[syntax]: `x` is given a value without `let`
 --> a.dlm:2:5
  |
2 |   x = 3
  |     ^
help: name a new value with `let`; a buffer gets its value of the next step by `next`
  |
2 |   let x = 3
  |   ~~~~
)");
  EXPECT_EQ(headlines("fn f(a) { if a = 3 { 1 } else { 2 } }\n"),
            "error[syntax]: `=` stands inside an expression\n");
}

TEST(SyntaxErrors, WhatWasExpectedIsSaidInTheReadersWords) {
  EXPECT_EQ(headlines("fn f(a) { a + }\n"
                      "fn f(a b) { f(a b) }\n"
                      "fn f(a) { [1; 2] }\n"
                      "fn f(a) { f(a, , b) }\n"
                      "model M() { param w f32 }\n"
                      "model M() { param v: = ones }\n"
                      "search s of { }\n"
                      "test foo { }\n"
                      "option x: int\n"
                      "let a = 1 let b = 2\n"
                      "let a = (1,)\n"),
            "error[syntax]: expected an expression before `}`\n"
            "error[syntax]: expected `,` or `)` before `b`\n"
            "error[syntax]: elements are separated by `,`\n"
            "error[syntax]: expected an expression before `,`\n"
            "error[syntax]: the type of `w` follows `:`\n"
            "error[syntax]: expected a type before `=`\n"
            "error[syntax]: expected a name before `{`\n"
            "error[syntax]: a test is named by a text\n"
            "error[syntax]: expected `=` before the end of the line\n"
            "error[syntax]: expected the end of the statement before `let`\n"
            "error[syntax]: a tuple of one value does not exist\n");
}

TEST(SyntaxErrors, AnUnfinishedLineIsBlamedNotTheNextOne) {
  EXPECT_EQ(messages("let x = a |>\nlet y = 2\n"),
            R"(error[syntax]: expected an expression before the end of the line
 --> a.dlm:1:13
  |
1 | let x = a |>
  |             ^
)");
  EXPECT_EQ(messages("fn f(a) {\n  a |>\n}\n"),
            R"(error[syntax]: expected an expression behind `|>`
 --> a.dlm:2:5
  |
2 |   a |>
  |     ^^
)");
}

TEST(SyntaxErrors, RecordsInBracesAreExplained) {
  EXPECT_EQ(messages("let x = { a = 1 }\n"), R"(error[syntax]: expected an expression before `{`
 --> a.dlm:1:9
  |
1 | let x = { a = 1 }
  |         ^
help: records are written with `( )`, lists and maps with `[ ]`
)");
}

TEST(SyntaxErrors, EveryBadStatementOfABlockIsReported) {
  EXPECT_EQ(headlines("model M() {\n  param w: f32 =\n  fn f(x) {\n    x +\n  }\n  let a 5\n}\n"
                      "train t {\n  batch 64\n  data = \n  fn loss(b) { b b }\n}\n"),
            "error[syntax]: expected an expression before the end of the line\n"
            "error[syntax]: expected an expression behind `+`\n"
            "error[syntax]: expected `=` before `5`\n"
            "error[syntax]: expected `=` before `64`\n"
            "error[syntax]: expected an expression before the end of the line\n"
            "error[syntax]: expected the end of the statement before `b`\n");
}

TEST(SyntaxErrors, StringsAndCharacters) {
  EXPECT_EQ(messages("let s = f(\"abc)\nlet t = 1\n"),
            R"(error[literal]: this string does not end on its line
 --> a.dlm:1:11
  |
1 | let s = f("abc)
  |           ^
)");
  EXPECT_EQ(messages("let s = \"a\\qb\"\n"), R"(error[literal]: `\q` is no escape of a string
 --> a.dlm:1:11
  |
1 | let s = "a\qb"
  |           ^^
help: the escapes are `\n`, `\t`, `\"`, `\\` and `\u{1F600}`
)");
  EXPECT_EQ(messages("let u = a && b\n"), R"(error[syntax]: `&&` is not part of the language
 --> a.dlm:1:11
  |
1 | let u = a && b
  |           ^^
help: the logical operator is `and`
  |
1 | let u = a and b
  |           ~~~
)");
  EXPECT_EQ(headlines("let d = .5\n"), "error[syntax]: expected an expression before `.`\n");
}

TEST(SyntaxErrors, BytesThatAreNotUtf8AreShown) {
  EXPECT_EQ(messages("let s = \"\xFF\"\n"), "error[encoding]: this byte is not UTF-8\n"
                                            " --> a.dlm:1:10\n"
                                            "  |\n"
                                            "1 | let s = \"\xEF\xBF\xBD\"\n"
                                            "  |          ^\n"
                                            "help: save the file as UTF-8\n");
}

TEST(SyntaxErrors, NestingHasALimit) {
  std::string open(257, '(');
  EXPECT_EQ(headlines("let x = " + open + "\n"),
            "error[nesting]: this is nested deeper than 256 levels\n");
}

TEST(SyntaxErrors, ADocCommentNeedsADeclaration) {
  EXPECT_EQ(messages("let x = 1\n/// lost\n"),
            R"(warning[stray-doc]: this `///` comment documents nothing
 --> a.dlm:2:1
  |
2 | /// lost
  | ^^^^^^^^
help: it belongs behind a declaration or on the lines above one; other comments begin with `//`
)");
}

TEST(SyntaxErrors, AColonBehindASettingIsExplained) {
  EXPECT_EQ(messages("train t {\n  batch: 64\n}\n"),
            R"(error[syntax]: a setting gets its value by `=`
 --> a.dlm:2:8
  |
2 |   batch: 64
  |        ^
help: write `=` in place of `:`
  |
2 |   batch = 64
  |        ~~
)");
}

TEST(SyntaxErrors, ModulesAreSeparatedByCommas) {
  EXPECT_EQ(messages("use nn optim\n"), R"(error[syntax]: expected `,` before `optim`
 --> a.dlm:1:8
  |
1 | use nn optim
  |        ^^^^^
help: modules are separated by commas
  |
1 | use nn, optim
  |       ~
)");
  EXPECT_EQ(headlines("use nn as n optim\n"), "error[syntax]: expected `,` before `optim`\n");
}

TEST(SyntaxErrors, ACommaBetweenSettingsIsExplained) {
  EXPECT_EQ(messages("train t {\n  evaluate { every = 5, batches = 3 }\n}\n"),
            R"(error[syntax]: declarations and settings are not separated by `,`
 --> a.dlm:2:23
  |
2 |   evaluate { every = 5, batches = 3 }
  |                       ^
help: they are separated by a new line or `;`
  |
2 |   evaluate { every = 5; batches = 3 }
  |                       ~
)");
}

TEST(SyntaxErrors, AnIfBehindAValueIsExplained) {
  EXPECT_EQ(messages("let x = 3 if true else 4\n"),
            R"(error[syntax]: expected the end of the statement before `if`
 --> a.dlm:1:11
  |
1 | let x = 3 if true else 4
  |           ^^
help: a choice is written `if condition { a } else { b }`
)");
}

} // namespace dlm
