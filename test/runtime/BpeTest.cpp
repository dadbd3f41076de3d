// Byte-level BPE: a small tokenizer by hand, and files that say what is not done.
#include "runtime/data/formats/ByteLevelWords.h"
#include "runtime/data/formats/Tokenizer.h"

#include <gtest/gtest.h>

using namespace dlm;

namespace {

using BpeIds = std::vector<int32_t>;

const char *const smallVocab =
    R"({"Ġ":0,"a":1,"b":2,"c":3,"'":4,"s":5,"1":6,"!":7,"Ã":8,"©":9,"Ċ":10,"ab":11,"Ġa":12,)"
    R"("Ġab":13,"abc":14,"'s":15,"Ã©":16,"ĠĠ":17})";
const char *const smallMerges = R"(["a b", "Ġ ab", ["ab", "c"], "' s", "Ã ©", "Ġ Ġ", "Ġ a"])";
const char *const smallSplit =
    R"({"type":"ByteLevel","add_prefix_space":false,"trim_offsets":true,"use_regex":true})";

/// A `tokenizer.json`; an entry in `more` takes the place of the usual one.
std::string fileOf(const std::string &vocab, const std::string &merges, const std::string &split,
                   const std::string &more = "") {
  return R"({"version":"1.0","truncation":null,"padding":null,"normalizer":null,)"
         R"("added_tokens":[{"id":18,"content":"<|end|>","single_word":false,"lstrip":false,)"
         R"("rstrip":false,"normalized":false,"special":true}],)"
         R"("post_processor":{"type":"ByteLevel","trim_offsets":false},)"
         R"("decoder":{"type":"ByteLevel"},)"
         R"("pre_tokenizer":)" +
         split + R"(,"model":{"type":"BPE","dropout":null,"unk_token":null,"fuse_unk":false,)" +
         R"("continuing_subword_prefix":"","end_of_word_suffix":null,"vocab":)" + vocab +
         R"(,"merges":)" + merges + "}" + more + "}";
}

std::unique_ptr<Tokenizer> made(const std::string &json) {
  Expected<std::unique_ptr<Tokenizer>> first = makeBpeTokenizer(json, "t.json");
  EXPECT_TRUE(first.isOk()) << first.status().message();
  Expected<std::unique_ptr<Tokenizer>> again = Tokenizer::fromJson((*first)->toJson());
  EXPECT_TRUE(again.isOk()) << again.status().message();
  return again.take();
}

BpeIds bpeIds(const Tokenizer &tokenizer, std::string_view text) {
  TokenList list(tokenizer.vocab());
  Status status = tokenizer.encode(text, list);
  EXPECT_TRUE(status.isOk()) << status.message();
  BpeIds ids(size_t(list.size()));
  list.copy(0, list.size(), ids.data());
  return ids;
}

std::string bpeFailure(const std::string &json) {
  return makeBpeTokenizer(json, "t.json").status().message();
}

/// The words of a text, with `|` between them.
std::string wordsOf(std::string_view text) {
  std::string words;
  for (size_t begin = 0, end; begin < text.size(); begin = end) {
    end = endOfByteLevelWord(text, begin);
    words += (begin ? "|" : "") + std::string(text.substr(begin, end - begin));
  }
  return words;
}

TEST(ByteLevelWords, FollowTheRuleOfGpt2) {
  EXPECT_EQ(wordsOf("Hello world's 12th"), "Hello| world|'s| 12|th");
  EXPECT_EQ(wordsOf("we'll I'D ''s 's"), "we|'ll| I|'|D| ''|s| '|s");
  EXPECT_EQ(wordsOf("a  b   "), "a| | b|   ");
  EXPECT_EQ(wordsOf("a\n b\n\nc"), "a|\n| b|\n|\n|c");
  EXPECT_EQ(wordsOf("x = y_1;"), "x| =| y|_|1|;");
  EXPECT_EQ(wordsOf("naïve 中文 ½€!"), "naïve| 中文| ½|€!");
  EXPECT_EQ(wordsOf("a\u3000\u3000b"), "a|\u3000|\u3000|b");
}

TEST(ByteLevelWords, NamesOfBytes) {
  EXPECT_EQ(bytesOfToken("Ġab"), " ab");
  EXPECT_EQ(bytesOfToken("Ã©"), "é");
  EXPECT_EQ(bytesOfToken("Ā"), std::string(1, '\0'));
  EXPECT_EQ(bytesOfToken("Ń"), "\xAD");
  EXPECT_FALSE(bytesOfToken("中").has_value());
  EXPECT_FALSE(bytesOfToken(" ").has_value());
}

TEST(BpeTokenizer, JoinsPairsInTheOrderOfMerges) {
  std::unique_ptr<Tokenizer> bpe = made(fileOf(smallVocab, smallMerges, smallSplit));
  EXPECT_EQ(bpe->vocab(), 19);
  const std::vector<std::pair<std::string, BpeIds>> cases = {
      {"", {}},
      {"ab", {11}},
      {" ab", {13}},
      {"abc", {14}},
      {" abc", {13, 3}}, // `Ġ ab` stands before `ab c`
      {"ab's", {11, 15}},
      {"ab 's", {11, 0, 4, 5}}, // the words are ` '` and `s`
      {"é", {16}},
      {"a1", {1, 6}},
      {"a   b", {1, 17, 0, 2}},
      {"a  ", {1, 17}},
      {"a\n b", {1, 10, 0, 2}},
      {"!!ab", {7, 7, 11}},
      {"ab<|end|>ab", {11, 18, 11}},
      {"<|end|><|end|>", {18, 18}},
  };
  for (const auto &[text, ids] : cases) {
    EXPECT_EQ(bpeIds(*bpe, text), ids) << text;
    EXPECT_EQ(bpe->decode(ids), text);
  }
  EXPECT_EQ(bpe->idOf("<|end|>"), 18);
  EXPECT_EQ(bpe->idOf(" ab"), 13);
  TokenList list(bpe->vocab());
  EXPECT_EQ(bpe->encode("abz", list).message(),
            "byte 2 is 0x7A, and the tokenizer has no token for it");
}

TEST(BpeTokenizer, AddsASpaceBeforeEachPieceIfTold) {
  std::unique_ptr<Tokenizer> bpe =
      made(fileOf(smallVocab, smallMerges, R"({"type":"ByteLevel","add_prefix_space":true})"));
  EXPECT_EQ(bpeIds(*bpe, "ab<|end|>ab"), (BpeIds{13, 18, 13}));
  EXPECT_EQ(bpeIds(*bpe, " ab"), (BpeIds{13}));
  EXPECT_EQ(bpeIds(*bpe, "'s"), (BpeIds{0, 4, 5})); // `'s` is no ending behind a space
  TokenList list(bpe->vocab());
  EXPECT_EQ(bpe->encode("za", list).message(),
            "byte 0 is 0x7A, and the tokenizer has no token for it");
}

TEST(BpeTokenizer, FindsTheLongestAddedToken) {
  std::unique_ptr<Tokenizer> bpe =
      made(fileOf(smallVocab, smallMerges, smallSplit,
                  R"(,"added_tokens":[{"id":18,"content":"<a"},{"id":19,"content":"<a>"},)"
                  R"({"id":11,"content":"ab","normalized":true},{"id":20,"content":"bc"}])"));
  EXPECT_EQ(bpeIds(*bpe, "<a>"), (BpeIds{19}));
  EXPECT_EQ(bpeIds(*bpe, "<ab"), (BpeIds{18, 2}));
  EXPECT_EQ(bpeIds(*bpe, "abc"), (BpeIds{1, 20})); // those that are not normalized go first
  EXPECT_EQ(bpeIds(*bpe, "aba"), (BpeIds{11, 1}));
}

TEST(BpeTokenizer, LongWordsTakeNoLongTime) {
  std::unique_ptr<Tokenizer> bpe = made(fileOf(smallVocab, smallMerges, smallSplit));
  EXPECT_EQ(bpeIds(*bpe, std::string(1000000, ' ')), BpeIds(500000, 17));
  TokenList list(bpe->vocab());
  Status status = bpe->encode("a" + std::string(17 << 20, ' '), list);
  EXPECT_NE(status.message().find("byte 1: a word of 17825792 bytes"), std::string::npos);
}

TEST(BpeTokenizer, WhatIsNotDoneIsNamed) {
  auto refuses = [](const std::string &more, const std::string &what) {
    std::string said = bpeFailure(fileOf(smallVocab, smallMerges, smallSplit, "," + more));
    EXPECT_EQ(said, "tokenizer `t.json` has " + what +
                        ", which `data.bpe` does not do; it reads byte-level BPE as of GPT-2");
  };
  refuses(R"("normalizer":{"type":"NFC"})", "the normalizer `NFC`");
  refuses(R"("pre_tokenizer":{"type":"Whitespace"})", "the pre_tokenizer `Whitespace`");
  refuses(R"("pre_tokenizer":{"type":"Sequence","pretokenizers":[]})",
          "the pre_tokenizer `Sequence`");
  refuses(R"("pre_tokenizer":null)", "no `pre_tokenizer`");
  refuses(R"("pre_tokenizer":{"type":"ByteLevel","use_regex":false})",
          "`pre_tokenizer.use_regex = false`");
  refuses(R"("post_processor":{"type":"TemplateProcessing"})",
          "the post_processor `TemplateProcessing`");
  refuses(R"("decoder":{"type":"WordPiece"})", "the decoder `WordPiece`");
  refuses(R"("model":{"type":"Unigram"})", "the model `Unigram`");
  refuses(R"("model":{"type":"BPE","dropout":0.1})", "`model.dropout = 0.1`");
  refuses(R"("model":{"type":"BPE","byte_fallback":true})", "`model.byte_fallback = true`");
  refuses(R"("model":{"type":"BPE","end_of_word_suffix":"</w>"})",
          "`model.end_of_word_suffix = \"</w>\"`");
  refuses(R"("added_tokens":[{"id":18,"content":"x","lstrip":true}])",
          "`added_tokens: lstrip = true`");
  refuses(R"("fresh_idea":1)", "`fresh_idea = 1`");
}

TEST(BpeTokenizer, FilesThatAreWrongAreNamed) {
  auto fails = [](const std::string &json, const std::string &what) {
    std::string said = bpeFailure(json);
    EXPECT_NE(said.find(what), std::string::npos) << said;
  };
  fails("", "tokenizer `t.json` is no JSON: byte 1");
  fails("{\"model\":", "is no JSON: byte 10");
  fails("[]", "tokenizer `t.json`: it is no object");
  fails(R"({"pre_tokenizer":{"type":"ByteLevel"}})", "it has no `model`");
  fails(fileOf("[]", smallMerges, smallSplit), "`model.vocab` is no object");
  fails(fileOf(smallVocab, "{}", smallSplit), "`model.merges` is no list");
  fails(fileOf(R"({"a":-1})", "[]", smallSplit), "the id of the token `a` is -1");
  fails(fileOf(R"({"a":99999999})", "[]", smallSplit), "is 99999999, and is a whole number below");
  fails(fileOf(R"({"a":1,"b":1})", "[]", smallSplit), "the tokens `a` and `b` have the same id 1");
  fails(fileOf(R"({"":1})", "[]", smallSplit), "a token without characters");
  fails(fileOf(smallVocab, R"(["a b c"])", smallSplit), "`model.merges[0]` is `a b c`");
  fails(fileOf(smallVocab, R"(["a b", 3])", smallSplit), "`model.merges[1]` is not two tokens");
  fails(fileOf(smallVocab, R"(["a c"])", smallSplit), "`model.merges[0]` needs the token `ac`");
  fails(fileOf(smallVocab, "[]", smallSplit, R"(,"added_tokens":[{"id":18}])"), "has no `content`");
  fails(fileOf(smallVocab, "[]", smallSplit, R"(,"added_tokens":[{"id":3,"content":"a"}])"),
        "`added_tokens[0]` has the id 3, and in `model.vocab` `a` has 1");
  fails(fileOf(R"({"a":0})", "[]", R"({"type":"ByteLevel","add_prefix_space":true})"),
        "tokenizer `t.json`: it adds a space before a text, and has no token for a space");
}

} // namespace
