// Windows of texts and of token files.
#include "runtime/data/Dataset.h"
#include "runtime/data/formats/FilePattern.h"
#include "runtime/data/formats/TokenFacts.h"
#include "runtime/data/formats/Tokenizer.h"
#include "test/runtime/IdxFolder.h"

#include <gtest/gtest.h>

using namespace dlm;
using namespace dlm::test;

namespace {

using Ids = std::vector<int32_t>;

class Windows : public testing::Test {
protected:
  std::string file(const std::string &text, const std::string &name) {
    std::string path = folder / name;
    EXPECT_TRUE(writeFileBytes(path, {text.begin(), text.end()}).isOk());
    return path;
  }

  std::string tokenFile(const std::string &name, const Ids &ids, int64_t vocab = 100,
                        int64_t end = -1, const std::string &tokenizer = "") {
    TokenList list(vocab);
    for (int32_t id : ids)
      list.append(uint32_t(id));
    EXPECT_TRUE(writeTokenFile(folder / name, list, end, tokenizer).isOk());
    return folder / name;
  }

  DataSpec specOf(const std::string &kind, const std::string &path, const std::string &facts,
                  int64_t window, std::vector<int64_t> counts) {
    DataSpec spec;
    spec.name = "text";
    spec.kind = kind;
    spec.path = path;
    spec.facts = facts;
    spec.fields = {{"ids", DType::I32, {window}}, {"next", DType::I32, {window}}};
    std::copy(counts.begin(), counts.end(), spec.counts);
    return spec;
  }

  /// The fields of a sample, each in brackets; or the failure.
  static std::string sample(const DataSpec &spec, Split split, int64_t index) {
    Expected<std::unique_ptr<DataSource>> source = openDataSource(spec);
    if (!source) return source.status().message();
    Expected<const Dataset *> dataset = (*source)->get(split);
    if (!dataset) return dataset.status().message();
    std::vector<Ids> fields;
    std::vector<void *> out;
    for (const FieldSpec &field : spec.fields)
      fields.emplace_back(size_t(field.elementCount()));
    for (Ids &field : fields)
      out.push_back(field.data());
    EXPECT_TRUE((*dataset)->read(index, out.data()).isOk());
    std::string text;
    for (const Ids &field : fields) {
      text += "[";
      for (int32_t id : field)
        text += (text.back() == '[' ? "" : " ") + std::to_string(id);
      text += "]";
    }
    return text;
  }

  static void expectIn(const std::string &text, const std::string &part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  }

  TemporaryFolder folder;
};

TEST_F(Windows, OfATextStandOneBehindTheOther) {
  std::string path = file("abcabcabcab", "a.txt"); // 5 windows of 2, and one token behind them
  std::string chars = (*makeCharTokenizer({"abc"}))->toJson();
  DataSpec spec = specOf("text", path, chars, 2, {3, 1, 1});
  EXPECT_EQ(sample(spec, Split::Train, 0), "[0 1][1 2]");
  EXPECT_EQ(sample(spec, Split::Train, 1), "[2 0][0 1]");
  EXPECT_EQ(sample(spec, Split::Train, 2), "[1 2][2 0]");
  EXPECT_EQ(sample(spec, Split::Validation, 0), "[0 1][1 2]");
  EXPECT_EQ(sample(spec, Split::Test, 0), "[2 0][0 1]");
  spec.testPath = file("cbacb", "b.txt");
  spec.counts[2] = 2;
  spec.counts[1] = 2;
  EXPECT_EQ(sample(spec, Split::Test, 0), "[2 1][1 0]");
  EXPECT_EQ(sample(spec, Split::Validation, 1), "[2 0][0 1]");
}

TEST_F(Windows, OfAChangedTextAreFailures) {
  std::string chars = (*makeCharTokenizer({"abc"}))->toJson();
  std::string path = file("abcabcabcab", "a.txt");
  auto failure = [&](std::vector<int64_t> counts) {
    return sample(specOf("text", path, chars, 2, counts), Split::Train, 0);
  };
  expectIn(failure({4, 0, 0}), "the train part holds 5 samples, the program was compiled for 4");
  expectIn(failure({6, 0, 0}), "the train part holds 5 samples");
  expectIn(sample(specOf("text", path, chars, 2, {4, 3, 0}), Split::Validation, 0),
           "the validation part holds 1 samples, the program was compiled for 3");
  file("abxabcabcab", "a.txt");
  expectIn(failure({5, 0, 0}), "data `text`: data file `" + path + "`: byte 2: the character `x`");
  file("ab\xFF", "a.txt");
  expectIn(failure({5, 0, 0}), "is not UTF-8: byte 2 is 0xFF");
  file("", "a.txt");
  expectIn(failure({5, 0, 0}), "holds 0 samples");
  DataSpec spec = specOf("text", path, "{}", 2, {5, 0, 0});
  expectIn(sample(spec, Split::Train, 0), "tokenizer is damaged");
  spec.fields[1].shape = {3};
  expectIn(sample(spec, Split::Train, 0), "the fields of a window are i32[window]");
}

TEST_F(Windows, OfTokenFilesGoOnFromFileToFile) {
  tokenFile("b.tokens", {5, 6, 7});
  tokenFile("a.tokens", {1, 2, 3, 4});
  TokenFacts facts;
  facts.vocab = 100;
  DataSpec spec = specOf("tokens", folder / "*.tokens", facts.toJson(), 3, {1, 1});
  EXPECT_EQ(sample(spec, Split::Train, 0), "[1 2 3][2 3 4]");
  EXPECT_EQ(sample(spec, Split::Validation, 0), "[4 5 6][5 6 7]");
}

TEST_F(Windows, SayWhichDocumentEachTokenIsOf) {
  // Documents end at 9: [1 2 9] [3 4 | 5 6 9] [7 | 8] and, in the next file, [1 2].
  tokenFile("a.tokens", {1, 2, 9, 3, 4, 5, 6, 9, 7, 8}, 10, 9);
  tokenFile("b.tokens", {1, 2, 3}, 10, 9);
  TokenFacts facts;
  facts.vocab = 10;
  facts.end = 9;
  DataSpec spec = specOf("tokens", folder / "*.tokens", facts.toJson(), 4, {3});
  for (const char *name : {"position", "segment", "next_segment"})
    spec.fields.push_back({name, DType::I32, {4}});
  EXPECT_EQ(sample(spec, Split::Train, 0), "[1 2 9 3][2 9 3 4][0 1 2 0][0 0 0 1][0 0 1 1]");
  EXPECT_EQ(sample(spec, Split::Train, 1), "[4 5 6 9][5 6 9 7][0 1 2 3][0 0 0 0][0 0 0 1]");
  EXPECT_EQ(sample(spec, Split::Train, 2), "[7 8 1 2][8 1 2 3][0 1 0 1][0 0 1 1][0 1 1 1]");
}

TEST_F(Windows, FilesOfOtherTokensAreFailures) {
  TokenFacts facts;
  facts.vocab = 100;
  facts.tokenizer = "chars";
  auto failure = [&](const std::string &path) {
    return sample(specOf("tokens", path, facts.toJson(), 2, {1}), Split::Train, 0);
  };
  expectIn(failure(tokenFile("a", {1, 2, 3}, 65)),
           "has a vocabulary of 65 tokens; the program and");
  expectIn(failure(tokenFile("a", {1, 2, 3}, 100, 7)), "id 7 ends a document; in the files before");
  expectIn(failure(tokenFile("a", {1, 2, 3}, 100, -1, "words")), "made by another tokenizer");
  EXPECT_EQ(failure(tokenFile("a", {1, 2, 3}, 100, -1, "chars")), "[1 2][2 3]");
  expectIn(failure(folder / "*.none"), "no token file fits `" + folder / "*.none" + "`");
  expectIn(sample(specOf("tokens", folder / "a", "x", 2, {1}), Split::Train, 0), "is damaged");
}

TEST_F(Windows, TokenFilesHoldIdsOfBothSizes) {
  for (int64_t vocab : {int64_t(65536), int64_t(65537), int64_t(INT32_MAX)}) {
    int32_t last = int32_t(vocab - 1);
    std::string path = tokenFile("a", {0, last, 258}, vocab, last, "{}");
    Expected<TokenFile> file = openTokenFile(path);
    ASSERT_TRUE(file.isOk()) << file.status().message();
    EXPECT_EQ(file->idBytes, vocab <= 65536 ? 2 : 4);
    EXPECT_EQ(file->end, last);
    EXPECT_EQ(file->tokenizer, "{}");
    TokenList ids(vocab);
    ASSERT_TRUE(readTokenFile(*file, ids).isOk());
    EXPECT_EQ(ids.size(), 3);
    EXPECT_EQ(int64_t(ids[1]), vocab - 1);
    EXPECT_EQ(ids[2], 258u);
  }
  std::vector<uint8_t> plain = *readFileBytes(folder / "a");
  ASSERT_TRUE(writeFileBytes(folder / "a.gz", gzipBytes(plain)).isOk());
  Expected<TokenFile> file = openTokenFile(folder / "a.gz");
  ASSERT_TRUE(file.isOk()) << file.status().message();
  TokenList ids(file->vocab);
  EXPECT_TRUE(readTokenFile(*file, ids).isOk());
}

/// What is said of a token file with these bytes.
std::string saidOf(const std::string &path, const std::vector<uint8_t> &bytes) {
  EXPECT_TRUE(writeFileBytes(path, bytes).isOk());
  Expected<TokenFile> file = openTokenFile(path);
  if (!file) return file.status().message();
  TokenList ids(file->vocab);
  return readTokenFile(*file, ids).message();
}

/// Puts the checksum of a changed header right.
std::vector<uint8_t> signedHeader(std::vector<uint8_t> bytes) {
  uint32_t crc = uint32_t(crc32(0, bytes.data(), 60));
  for (int i = 0; i < 4; ++i)
    bytes[size_t(60 + i)] = uint8_t(crc >> (8 * i));
  return bytes;
}

TEST_F(Windows, TokenFilesThatAreDamagedAreNamed) {
  std::string path = tokenFile("a", {1, 2, 3}, 10, 9, "{}");
  const std::vector<uint8_t> whole = *readFileBytes(path);
  ASSERT_EQ(whole.size(), 64u + 2 + 6);
  EXPECT_EQ(saidOf(path, whole), "");
  auto with = [&](size_t place, uint8_t byte) {
    std::vector<uint8_t> bytes = whole;
    bytes[place] = byte;
    return bytes;
  };
  std::string name = "token file `" + path + "`";
  expectIn(saidOf(path, {}), "`" + path + "` is no token file");
  expectIn(saidOf(path, {'a', 'b'}), "`" + path + "` is no token file");
  expectIn(saidOf(path, with(0, 'd')), "does not begin with `DLMTOKEN`; `dlmc pack` makes");
  expectIn(saidOf(path, with(8, 2)), name + " is of version 2, and version 1 can be read");
  expectIn(saidOf(path, with(17, 1)), name + ": the header, bytes 0 to 63, is damaged");
  expectIn(saidOf(path, with(64, '[')), name + " is damaged: its checksum differs");
  expectIn(saidOf(path, with(66, 2)), name + " is damaged: its checksum differs");
  expectIn(saidOf(path, with(66, 200)),
           name + ": the id at byte 66 is 200, and the vocabulary has");
  expectIn(saidOf(path, signedHeader(with(12, 3))), "has ids of 3 bytes, and ids have 2 or 4");
  expectIn(saidOf(path, signedHeader(with(12, 4))), "and the file has no more than 8 bytes");
  expectIn(saidOf(path, signedHeader(with(16, 0))), "has a vocabulary of 0 tokens");
  expectIn(saidOf(path, signedHeader(with(23, 1))), "and it has 1 to 2147483647");
  expectIn(saidOf(path, signedHeader(with(18, 1))), "65546 tokens, whose ids need 4");
  expectIn(saidOf(path, signedHeader(with(16, 5))), "the id that ends a document is 9");
  expectIn(saidOf(path, signedHeader(with(24, 2))), "tells of 2 ids of 2 bytes and a tokenizer of");
  expectIn(saidOf(path, signedHeader(with(31, 0xFF))), "and the file has no more than 8 bytes");
  expectIn(saidOf(path, signedHeader(with(47, 0xFF))), "and the file has no more than 8 bytes");
  for (size_t size = 8; size < whole.size(); ++size)
    expectIn(saidOf(path, {whole.begin(), whole.begin() + ptrdiff_t(size)}), path);
  std::vector<uint8_t> longer = whole;
  longer.push_back(0);
  expectIn(saidOf(path, longer), "and the file has 9 bytes behind its header");
}

TEST_F(Windows, PatternsAreSortedAndNamesWithStarsAreNames) {
  for (const char *name : {"b.bin", "a.bin", "C.bin", "[x].bin"})
    file("", name);
  EXPECT_EQ(filesOf(folder / "?.bin"),
            (std::vector<std::string>{folder / "C.bin", folder / "a.bin", folder / "b.bin"}));
  EXPECT_EQ(filesOf(folder / "[x].bin"), (std::vector<std::string>{folder / "[x].bin"}));
  EXPECT_TRUE(filesOf(folder / "*.none").empty());
}

} // namespace
