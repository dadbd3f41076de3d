// Texts to ids and back.
#include "runtime/data/formats/Tokenizer.h"
#include "runtime/data/formats/UnicodeClasses.h"
#include "runtime/data/formats/Utf8.h"
#include "test/runtime/IdxFolder.h"

#include <gtest/gtest.h>

using namespace dlm;
using namespace dlm::test;

namespace {

using Ids = std::vector<int32_t>;

std::unique_ptr<Tokenizer> takeOf(Expected<std::unique_ptr<Tokenizer>> made) {
  EXPECT_TRUE(made.isOk()) << made.status().message();
  if (!made) return nullptr;
  // As it is after the way through a plan.
  Expected<std::unique_ptr<Tokenizer>> again = Tokenizer::fromJson((*made)->toJson());
  EXPECT_TRUE(again.isOk()) << again.status().message();
  EXPECT_EQ((*again)->toJson(), (*made)->toJson());
  return again.take();
}

Ids idsOf(const Tokenizer &tokenizer, std::string_view text) {
  TokenList list(tokenizer.vocab());
  Status status = tokenizer.encode(text, list);
  EXPECT_TRUE(status.isOk()) << status.message();
  Ids ids(size_t(list.size()));
  list.copy(0, list.size(), ids.data());
  return ids;
}

std::string failureOf(const Tokenizer &tokenizer, std::string_view text) {
  TokenList list(tokenizer.vocab());
  return tokenizer.encode(text, list).message();
}

TEST(Utf8, ReadsWellFormedSequencesOnly) {
  EXPECT_EQ(endOfUtf8("a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80"), 10u);
  EXPECT_EQ(codePointAt("\xF0\x9F\x98\x80", 0).value, 0x1F600u);
  for (std::string_view wrong :
       {"\x80", "\xC0\x80", "\xC3", "\xC3z", "\xE0\x80\x80", "\xED\xA0\x80", "\xF0\x80\x80\x80",
        "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF"})
    EXPECT_EQ(endOfUtf8("ab" + std::string(wrong)), 2u) << wrong;
  for (char32_t point : {0x7Fu, 0x80u, 0x7FFu, 0x800u, 0xFFFFu, 0x10000u, 0x10FFFFu}) {
    std::string text;
    appendUtf8(text, point);
    EXPECT_EQ(codePointAt(text, 0).value, point);
    EXPECT_EQ(codePointAt(text, 0).size, text.size());
  }
}

TEST(UnicodeClasses, AreThoseOfTheStandard) {
  for (char32_t point : {U'a', U'Z', U'é', U'ß', U'Ж', U'中', U'ʰ', U'ª', U'𐐀'})
    EXPECT_TRUE(isLetter(point) && !isNumber(point) && !isSpace(point)) << shownPoint(point);
  for (char32_t point : {U'0', U'9', U'²', U'½', U'Ⅷ', U'٣', U'〇'})
    EXPECT_TRUE(isNumber(point) && !isLetter(point)) << shownPoint(point);
  for (char32_t point : {U' ', U'\t', U'\u00A0', U'\u0085', U'\u2003', U'\u3000'})
    EXPECT_TRUE(isSpace(point) && !isLetter(point)) << shownPoint(point);
  for (char32_t point :
       {U'@', U'[', U'`', U'{', U'/', U':', U'!', U'_', U'€', U'\u0301', U'\u200B'})
    EXPECT_FALSE(isLetter(point) || isNumber(point) || isSpace(point)) << shownPoint(point);
}

TEST(CharTokenizer, NumbersCodePointsInOrder) {
  std::unique_ptr<Tokenizer> chars = takeOf(makeCharTokenizer({"ba\n", "é€b"}));
  EXPECT_EQ(chars->vocab(), 5);
  EXPECT_EQ(idsOf(*chars, "a€\nb"), (Ids{1, 4, 0, 2}));
  EXPECT_EQ(chars->decode({1, 3, 4, 2}), "aé€b");
  EXPECT_EQ(chars->idOf("é"), 3);
  EXPECT_EQ(chars->idOf("z"), -1);
  EXPECT_EQ(failureOf(*chars, "ab\t"), "byte 2: the character U+0009 is none of the 5 tokens that "
                                       "the texts gave when the vocabulary was made");
  EXPECT_NE(failureOf(*chars, "ézb").find("byte 2: the character `z` (U+007A)"), std::string::npos);
}

TEST(WordTokenizer, CutsWithoutLosingAnything) {
  std::string text = "The cat's 2nd  naïve try:\n\tThe end.";
  std::unique_ptr<Tokenizer> words = takeOf(makeWordTokenizer({text}));
  EXPECT_EQ(words->decode(idsOf(*words, text)), text);
  EXPECT_EQ(idsOf(*words, "The cat's").size(), 5u); // The, space, cat, ', s
  EXPECT_EQ(idsOf(*words, "2nd naïve").size(), 3u);
  EXPECT_EQ(idsOf(*words, "\n\t  ").size(), 4u);
  EXPECT_NE(failureOf(*words, "The dog").find("byte 4: the word `dog` is none"), std::string::npos);
}

TEST(Tokenizers, StopWhenCancelled) {
  std::unique_ptr<Tokenizer> chars = takeOf(makeCharTokenizer({"a"}));
  std::atomic<bool> cancel{true};
  TokenList list(1);
  EXPECT_EQ(chars->encode("aa", list, &cancel).code(), Code::Interrupted);
}

TEST(Tokenizers, OfADamagedPlanAreRefused) {
  for (const char *json : {"", "3", "{}", R"({"kind": "morse"})", R"({"kind": "chars"})",
                           R"({"kind": "words", "tokens": [1]})",
                           R"({"kind": "bpe", "tokens": ["a"], "merges": [0, 0], "added": [],
                               "prefix_space": false})",
                           R"({"kind": "bpe", "tokens": ["a"], "merges": [7, 0], "added": [],
                               "prefix_space": false})",
                           R"({"kind": "bpe", "tokens": [1]})"})
    EXPECT_FALSE(Tokenizer::fromJson(json).isOk()) << json;
}

TEST(TextFiles, AreUtf8) {
  TemporaryFolder folder;
  auto read = [&](const std::string &bytes) {
    std::string path = folder / "a.txt";
    EXPECT_TRUE(writeFileBytes(path, {bytes.begin(), bytes.end()}).isOk());
    Expected<std::string> text = readText(path);
    return text ? *text : text.status().message();
  };
  EXPECT_EQ(read(""), "");
  EXPECT_EQ(read("aé\r\n"), "aé\r\n");
  std::vector<uint8_t> packed = gzipBytes({'a', 'b'});
  EXPECT_EQ(read({packed.begin(), packed.end()}), "ab");
  EXPECT_EQ(read(std::string(3 << 20, 'x') + "\xE9"),
            "data file `" + folder / "a.txt" +
                "` is not UTF-8: byte 3145728 is 0xE9; `iconv -f "
                "ENCODING -t UTF-8` converts it");
  EXPECT_NE(readText(folder / "none.txt").status().message().find("none.txt"), std::string::npos);
}

} // namespace
