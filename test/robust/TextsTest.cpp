// Texts that only a program writes. Whatever is wrong with them is told in a message of a few
// lines, and in a time that grows with the text and no faster.
#include "test/robust/CheckText.h"

#include <gtest/gtest.h>

namespace dlm::sema {

namespace {

constexpr double textSecondsMax = 60; // generous: the machine may be busy, the program sanitized

std::string repeated(const std::string &text, size_t count) {
  std::string result;
  for (size_t i = 0; i < count; ++i)
    result += text;
  return result;
}

/// The text so many times behind each other, with commas; `%` is replaced by the number.
std::string numbered(const std::string &text, int count) {
  std::string result;
  for (int i = 0; i < count; ++i) {
    if (i > 0) result += ", ";
    for (char c : text)
      result += c == '%' ? std::to_string(i) : std::string(1, c);
  }
  return result;
}

/// What is said about a text that has faults: soon, and in few words.
CheckOutcome saidOf(const std::string &text) {
  CheckOutcome outcome = checkWhole(text);
  EXPECT_LT(outcome.seconds, textSecondsMax) << text.substr(0, 60);
  EXPECT_LT(outcome.said.size(), 25'000u) << text.substr(0, 60);
  return outcome;
}

} // namespace

TEST(Texts, AFileOfMillionsOfWordsIsRefused) {
  for (const char *word : {"1,", "a ", "\n\n", "$,", "\"\"\n"}) {
    CheckOutcome outcome = saidOf("let x = [" + repeated(word, 2'000'000) + "]\n");
    EXPECT_TRUE(outcome.says("error[work-limit]: the file has more than 500000 words and signs") ||
                outcome.firstKind() == "syntax")
        << word << outcome.said;
  }
  EXPECT_TRUE(saidOf("let x = [" + repeated("1,", 2'000'000) + "]\n")
                  .says("words and signs\n --> a.dlm:1:500006\n  |\n1 | ...,1,1,1,1,1,1"));
}

TEST(Texts, AListOf100000NumbersIsTaken) {
  EXPECT_EQ(saidOf("let x = [" + repeated("1, ", 100'000) + "]\n").said, "");
}

TEST(Texts, FaultsOnEveryLineTakeNoLonger) {
  for (const char *line : {"let x = $\n", "let x x\n", "fn f() {\n", "let x = (\n", ")\n", "}\n",
                           "\"\n", "'a' ", "let x = 1 /// a\n", "<<<<<<<\n"})
    EXPECT_NE(saidOf(repeated(line, 30'000)).firstKind(), "") << line;
}

TEST(Texts, OfALongLineAPartIsShown) {
  std::string ones = repeated("1, ", 50'000), name(100'000, 'a');
  for (const auto &[text, kind] : std::initializer_list<std::pair<std::string, const char *>>{
           {"let x = [" + ones + "?, " + ones + "]\n", "syntax"},
           {"let x = [" + ones + "b, " + ones + "]\n", "unknown-name"},
           {"let x = b" + name + "\n", "unknown-name"},
           {"let x = 12" + name + "\n", "unknown-unit"},
           {"let x = 1" + repeated("2", 100'000) + "\n", "number-range"},
           {"option " + name + " 1\n", "syntax"},
           {"use " + name + "\n", "missing-file"},
           {"let x = \"" + name + "\" + 1\n", "type-mismatch"},
           {"let x = \"" + name + "\n", "literal"},
           {"let x = " + repeated("$", 100'000) + "\n", "syntax"}}) {
    CheckOutcome outcome = saidOf(text);
    EXPECT_EQ(outcome.firstKind(), kind) << outcome.said.substr(0, 500);
    EXPECT_LT(outcome.said.size(), 2'000u) << outcome.said.substr(0, 500);
  }
}

TEST(Texts, ManyParametersThatAreNotUsedAreTold) {
  std::string parameters = numbered("a%", 2'000);
  CheckOutcome outcome = checkWhole("fn f(" + parameters + ") { f }\n");
  EXPECT_EQ(outcome.firstKind(), "");
  EXPECT_TRUE(outcome.says("never uses its parameter `a19`"));
  EXPECT_TRUE(outcome.says("1980 more warnings are not shown; --all-errors shows all"));
  EXPECT_LT(outcome.seconds, textSecondsMax);
}

TEST(Texts, LongListsOfNamesTakeNoLonger) {
  constexpr int count = 20'000; // compared each with each they would take minutes
  std::string names = numbered("a%", count), values = numbered("a% = %", count);
  std::string types = numbered("a%: int", count), keys = numbered("\"a%\" => %", count);
  for (const std::string &text :
       {"let r = (" + values + ")\nlet x = [" + numbered("r.a%", count) + "]\n",
        "fn f(" + names + ") { [" + names + "] }\nlet x = f(" + values + ")\n",
        "fn f(r: (" + types + ")) { r }\nlet x = f((" + values + "))\n",
        "let m = [" + keys + "]\nlet x = [" + numbered("m[\"a%\"]", count) + "]\n",
        "let (" + names + ") = [" + numbered("%", count) + "]\n"})
    EXPECT_EQ(saidOf(text).said.substr(0, 300), "") << text.substr(0, 60);
  EXPECT_EQ(saidOf("let (" + names + ") = 3\n").firstKind(), "pattern-mismatch");
  std::string searches;
  for (int i = 0; i < count; ++i)
    searches += "search s" + std::to_string(i) + " of t { }\n";
  EXPECT_EQ(saidOf(searches).firstKind(), "unknown-name");
}

TEST(Texts, DefaultsThatAreLookedForInAllParametersAreWork) {
  std::string text = "fn f(" + numbered("a% = relu", 30'000) + ") { a0 }\nlet x = f()\n";
  EXPECT_EQ(saidOf(text).firstKind(), "work-limit");
}

TEST(Texts, OfThousandsOfErrorsAThousandAreTold) {
  for (const char *line :
       {"let x x\n", "let x = f(a b)\n", "x y\n", "let x = $\n", "let x = 'a'\n", "let x = (\n",
        "let x = [1)\n", "let x = \"\n", "}\n", "let x = \"\\q\"\n"}) {
    CheckOutcome outcome = saidOf(repeated(line, 30'000));
    EXPECT_TRUE(outcome.says("981 more errors are not shown")) << outcome.said.substr(0, 300);
  }
}

TEST(Texts, NumbersAreTakenOrExplained) {
  for (const auto &[number, kind] : std::initializer_list<std::pair<std::string, const char *>>{
           {"1_000", ""},
           {"1__0", "literal"},
           {"1_", "literal"},
           {"1_000_.5", "literal"},
           {"1_ steps", "literal"},
           {"10_%", "literal"},
           {"1_ms", "literal"},
           {"1e3", ""},
           {"1.5e-3", ""},
           {"9223372036854775807", ""},
           {"9223372036854775808", "number-range"},
           {"1e308", ""},
           {"1e400", "number-range"},
           {"1e" + repeated("9", 10'000), "number-range"},
           {repeated("9", 10'000) + "min", "number-range"},
           {"0x", "unknown-unit"},
           {"0x1F", "syntax"},
           {"0b101", "syntax"},
           {"1e", "unknown-unit"},
           {"1e+", "syntax"},
           {".5", "syntax"},
           {"5.", "syntax"},
           {"1.2.3", "syntax"},
           {"1,000", "syntax"},
           {"1 000", "syntax"},
           {"1'000", "syntax"},
           {"+1", "syntax"},
           {"1.5f", "unknown-unit"},
           {"1h30min", "syntax"}})
    EXPECT_EQ(saidOf("let x = " + number + "\n").firstKind(), kind) << number.substr(0, 20);
}

TEST(Texts, WhatNestsDeeplyIsTakenOrRefused) {
  for (const auto &[begin, after] : std::initializer_list<std::pair<const char *, const char *>>{
           {"option x: [", "]"},
           {"fn f(x: fn(", ") -> int"},
           {"fn f(x: fn() -> ", ""},
           {"fn f(x: (a: ", ")"},
           {"fn f(x: f32[", "]"},
           {"train t { update a { ", "}"},
           {"train t { a { ", "}"},
           {"let x = if false { 1 } else ", ""},
           {"let x = if ", ""},
           {"let x = -", ""},
           {"let x = not ", ""},
           {"let x = 2 ** ", ""}}) {
    std::string head = begin, inside = head.substr(head.find_first_of(":={") + 1);
    std::string text = head + repeated(inside, 10'000) + "1" + repeated(after, 10'000) + "\n";
    EXPECT_EQ(saidOf(text).firstKind(), "nesting") << begin;
  }
}

TEST(Texts, AHugeRealIsNoSize) {
  for (const char *size : {"1e308", "1e-400", "9e15", "1e16"}) {
    CheckOutcome outcome = checkWhole("let x = zeros([" + std::string(size) + "])\n" +
                                      "test \"t\" { expect x == 0 }\n");
    EXPECT_FALSE(outcome.program) << size;
    EXPECT_FALSE(outcome.says("write `-")) << size;
    EXPECT_FALSE(outcome.says("write `0`")) << size;
  }
}

} // namespace dlm::sema
