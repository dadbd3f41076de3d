// Texts to ids and back.
#include "runtime/data/formats/BpeTokenizer.h"
#include "runtime/data/formats/ByteLevelWords.h"
#include "runtime/data/formats/TextPieces.h"
#include "runtime/data/formats/UnicodeClasses.h"
#include "runtime/data/formats/Utf8.h"
#include "test/runtime/IdxFolder.h"

#include <algorithm>
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

/// A token for each byte and for some pairs, and tokens that are looked for as they are.
std::unique_ptr<Tokenizer> byteBpe(bool addsPrefixSpace) {
  BpeModel model;
  for (char32_t point = 0x21; point < 0x144; ++point) {
    std::string written;
    appendUtf8(written, point);
    if (bytesOfToken(written)) model.written.push_back(written);
  }
  auto idOf = [&](const std::string &written) {
    return uint32_t(std::find(model.written.begin(), model.written.end(), written) -
                    model.written.begin());
  };
  for (auto [left, right] : {std::pair("a", "b"), {"Ġ", "a"}, {"Ġ", "Ġ"}, {"Ċ", "Ċ"}, {"'", "s"}}) {
    model.merges.emplace_back(idOf(left), idOf(right));
    model.written.push_back(std::string(left) + right);
  }
  for (const char *content : {"<|end|>", "<a b>", "b\n"}) {
    model.added.push_back({content, uint32_t(model.written.size()), content[0] == 'b'});
    model.written.push_back(content);
  }
  model.addsPrefixSpace = addsPrefixSpace;
  return takeOf(makeBpeTokenizer(std::move(model)));
}

/// Encodes a text in two pieces, cut at a place.
Ids idsInPieces(const Tokenizer &tokenizer, std::string_view text, size_t cut) {
  TokenList list(tokenizer.vocab());
  std::unique_ptr<TextEncoder> encoder = tokenizer.encoder();
  EXPECT_TRUE(encoder->encode(text.substr(0, cut), list).isOk());
  EXPECT_TRUE(encoder->encode(text.substr(cut), list).isOk());
  Ids ids(size_t(list.size()));
  list.copy(0, list.size(), ids.data());
  return ids;
}

/// Wherever the tokenizer says that a text may be cut, knowing the beginning of it, it may be.
int expectCutsAnywhere(const Tokenizer &tokenizer, const std::string &text) {
  int cuts = 0;
  Ids whole = idsOf(tokenizer, text);
  for (size_t known = 1; known <= text.size(); ++known) {
    size_t end = endOfUtf8(std::string_view(text).substr(0, known));
    size_t cut = tokenizer.cutBehind(std::string_view(text).substr(0, end), 0);
    if (cut == 0) continue;
    ++cuts;
    EXPECT_EQ(idsInPieces(tokenizer, text, cut), whole) << text << "\nat " << cut;
  }
  return cuts;
}

/// Texts of the pieces that tokenizers treat in some special way.
std::string oddText(uint32_t seed) {
  const char *const parts[] = {"a",       "b",     "ab", " ",  "  ", "\n",    "\n\n",
                               "\r\n",    "'s",    "'",  "1",  "!",  "é",     "\u00A0",
                               "<|end|>", "<a b>", "\t", " a", "<",  "\u3000"};
  std::string text;
  for (int i = 0; i < 40; ++i) {
    seed = seed * 1664525u + 1013904223u;
    text += parts[(seed >> 16) % (sizeof parts / sizeof *parts)];
  }
  return text;
}

TEST(TextPieces, HaveTheTokensOfTheWhole) {
  int cuts[4] = {};
  for (uint32_t seed = 0; seed < 300; ++seed) {
    std::string text = oddText(seed);
    cuts[0] += expectCutsAnywhere(*takeOf(makeCharTokenizer({text})), text);
    cuts[1] += expectCutsAnywhere(*takeOf(makeWordTokenizer({text})), text);
    for (bool addsSpace : {false, true})
      cuts[2 + addsSpace] += expectCutsAnywhere(*byteBpe(addsSpace), text);
  }
  for (int count : cuts)
    EXPECT_GT(count, 1000);
}

TEST(TextPieces, OfAFileAreReadOneAfterTheOther) {
  TemporaryFolder folder;
  std::string text;
  for (uint32_t seed = 0; text.size() < 3000000; ++seed)
    text += oddText(seed);
  writeTestFile(folder / "a", {text.begin(), text.end()});
  writeTestFile(folder / "a.gz", gzipBytes({text.begin(), text.end()}));
  std::vector<std::unique_ptr<Tokenizer>> tokenizers;
  tokenizers.push_back(takeOf(makeCharTokenizerOfFiles({folder / "a"})));
  tokenizers.push_back(takeOf(makeWordTokenizerOfFiles({folder / "a.gz"})));
  tokenizers.push_back(byteBpe(true));
  EXPECT_EQ(tokenizers[0]->toJson(), (*makeCharTokenizer({text}))->toJson());
  EXPECT_EQ(tokenizers[1]->toJson(), (*makeWordTokenizer({text}))->toJson());
  for (const auto &tokenizer : tokenizers)
    for (const char *name : {"a", "a.gz"}) {
      TokenList list(tokenizer->vocab());
      int pieces = 0;
      Status status = encodeFile(*tokenizer, folder / name, [&](const TokenList &ids) {
        list.append(ids);
        ++pieces;
        return Status::ok();
      });
      EXPECT_TRUE(status.isOk()) << status.message();
      EXPECT_GT(pieces, 2);
      Ids ids(size_t(list.size()));
      list.copy(0, list.size(), ids.data());
      EXPECT_EQ(ids, idsOf(*tokenizer, text));
    }
}

TEST(TextPieces, NameTheByteInTheFile) {
  TemporaryFolder folder;
  std::string text(2500000, 'a');
  for (size_t i = 100; i < text.size(); i += 100)
    text[i] = ' ';
  std::unique_ptr<Tokenizer> chars = takeOf(makeCharTokenizer({"a "}));
  auto failure = [&](size_t place, char byte) {
    std::string changed = text;
    changed[place] = byte;
    writeTestFile(folder / "a", {changed.begin(), changed.end()});
    return encodeFile(*chars, folder / "a", [](const TokenList &) { return Status::ok(); })
        .message();
  };
  EXPECT_NE(failure(2400001, 'b').find("byte 2400001: the character `b`"), std::string::npos);
  EXPECT_NE(failure(2400001, '\xFF').find("is not UTF-8: byte 2400001 is 0xFF"), std::string::npos);
  EXPECT_NE(failure(2499999, '\xC3').find("is not UTF-8: byte 2499999 is 0xC3"), std::string::npos);
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
