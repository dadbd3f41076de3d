// Samples that stay in their files: they are those that memory would hold, and a file that changes
// under a run is a failure of the sample, not of the process.
#include "runtime/data/DataMemory.h"
#include "runtime/data/formats/SeekableFile.h"
#include "runtime/data/formats/TokenFacts.h"
#include "test/runtime/ArrayFiles.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

using namespace dlm;
using namespace dlm::test;

namespace {

/// A source that is open, and what its samples are.
class OpenSource {
public:
  explicit OpenSource(const DataSpec &given) : spec(given) {
    Expected<std::unique_ptr<DataSource>> opened = openDataSource(spec);
    EXPECT_TRUE(opened.isOk()) << opened.status().message();
    source = opened.take();
  }

  /// All bytes of a sample; or the failure.
  std::string sample(Split split, int64_t index) {
    Expected<const Dataset *> dataset = source->get(split);
    if (!dataset) return dataset.status().message();
    std::vector<std::string> fields;
    std::vector<void *> out;
    for (const FieldSpec &field : spec.fields)
      fields.emplace_back(size_t(field.sizeBytes()), '?');
    for (std::string &field : fields)
      out.push_back(field.data());
    Status status = (*dataset)->read(index, out.data());
    if (!status.isOk()) return status.message();
    std::string all;
    for (const std::string &field : fields)
      all += field + "|";
    return all;
  }

private:
  DataSpec spec;
  std::unique_ptr<DataSource> source;
};

void expectIn(const std::string &text, const std::string &part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

class FileResident : public testing::Test {
protected:
  /// Compares the samples that are read where they are with those that are kept.
  void expectSame(DataSpec spec) {
    spec.keptBytesMax = UINT64_MAX;
    OpenSource kept(spec);
    uint64_t keptBytes = dataBytes(spec);
    spec.keptBytesMax = 0;
    OpenSource resident(spec);
    EXPECT_LT(dataBytes(spec), keptBytes);
    for (Split split : {Split::Train, Split::Validation, Split::Test})
      for (int64_t i = 0; i < spec.counts[int(split)]; ++i)
        EXPECT_EQ(resident.sample(split, i), kept.sample(split, i)) << splitName(split) << i;
  }

  DataSpec images() {
    writeIdxPair(folder, "train", 20, 4, false);
    writeIdxPair(folder, "t10k", 5, 4, false);
    DataSpec spec;
    spec.name = "digits";
    spec.kind = "idx";
    spec.path = folder.path;
    spec.fields = {{"image", DType::U8, {4, 4}}, {"label", DType::I32, {}}};
    spec.counts[0] = 14;
    spec.counts[1] = 6;
    spec.counts[2] = 5;
    spec.classes = 10;
    return spec;
  }

  DataSpec arrays(const std::string &name = "arrays") {
    mkdir((folder / name).c_str(), 0777);
    std::vector<double> x(12 * 3000);
    for (size_t i = 0; i < x.size(); ++i)
      x[i] = double(i) / 7;
    writeTestFile(folder / name + "/x.npy", npyArray<double>("<f8", "(12, 3000)", x));
    writeTestFile(folder / name + "/label.npy",
                  npyArray<int64_t>("<i8", "(12,)", {0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2}));
    DataSpec spec;
    spec.name = "arrays";
    spec.kind = "npy";
    spec.path = folder / name;
    spec.fields = {{"x", DType::F32, {3000}}, {"label", DType::I32, {}}};
    spec.counts[0] = 7;
    spec.counts[1] = 2;
    spec.counts[2] = 3;
    spec.classes = 3;
    return spec;
  }

  std::string tokenFile(const std::string &name, int64_t first, int64_t count, int64_t vocab) {
    TokenList list(vocab);
    for (int64_t i = 0; i < count; ++i)
      list.append(uint32_t((first + i) * 7919 % vocab));
    EXPECT_TRUE(writeTokenFile(folder / name, list, 3, "").isOk());
    return folder / name;
  }

  /// Windows that are longer than a piece on the stack.
  DataSpec tokens(int64_t vocab) {
    tokenFile("a.tokens", 0, 5000, vocab);
    tokenFile("b.tokens", 5000, 1, vocab);
    tokenFile("c.tokens", 5001, 5000, vocab);
    TokenFacts facts;
    facts.vocab = vocab;
    facts.end = 3;
    DataSpec spec;
    spec.name = "corpus";
    spec.kind = "tokens";
    spec.path = folder / "*.tokens";
    spec.facts = facts.toJson();
    for (const char *name : {"ids", "next", "position", "segment", "next_segment"})
      spec.fields.push_back({name, DType::I32, {1500}});
    spec.counts[0] = 4;
    spec.counts[1] = 1;
    spec.counts[2] = 1;
    return spec;
  }

  TemporaryFolder folder;
};

TEST_F(FileResident, ImagesAreThoseOfMemory) { expectSame(images()); }
TEST_F(FileResident, ArraysAreThoseOfMemory) { expectSame(arrays()); }
TEST_F(FileResident, TokensAreThoseOfMemory) {
  expectSame(tokens(100));
  expectSame(tokens(70000)); // of 4 bytes
}

TEST_F(FileResident, AnArrayWithAFileOfItsOwnIsReadFromIt) {
  DataSpec spec = arrays();
  spec.testPath = arrays("other").path;
  spec.counts[0] = 12;
  spec.counts[1] = 0;
  spec.counts[2] = 12;
  expectSame(spec);
}

TEST_F(FileResident, AFileThatIsCutOffFailsTheSample) {
  DataSpec spec = images();
  spec.keptBytesMax = 0;
  OpenSource source(spec);
  std::string before = source.sample(Split::Train, 0);
  std::string path = folder / "train-images-idx3-ubyte";
  ASSERT_EQ(truncate(path.c_str(), 16 + 16 * 3), 0);
  EXPECT_EQ(source.sample(Split::Train, 0), before);
  expectIn(source.sample(Split::Train, 3),
           "data file `" + path + "` was cut off while it was in use: it ended at byte 336");
}

TEST_F(FileResident, AValueThatIsChangedFailsTheSample) {
  DataSpec spec = tokens(100);
  spec.keptBytesMax = 0;
  OpenSource source(spec);
  EXPECT_EQ(source.sample(Split::Train, 0).find("token file"), std::string::npos);
  std::FILE *file = std::fopen((folder / "a.tokens").c_str(), "r+");
  std::fseek(file, 64 + 2 * 1600, SEEK_SET);
  std::fputc(200, file);
  std::fclose(file);
  expectIn(source.sample(Split::Train, 1),
           "a.tokens` was changed while it was in use: the id at byte 3264 is 200");
  spec = arrays();
  spec.keptBytesMax = 0;
  OpenSource numbers(spec);
  EXPECT_EQ(numbers.sample(Split::Train, 0).find("data file"), std::string::npos);
  writeTestFile(folder / "arrays/label.npy",
                npyArray<int64_t>("<i8", "(12,)", {0, 7, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2}));
  expectIn(numbers.sample(Split::Train, 1), "label.npy`: sample 1 is 7, and the training samples");
}

TEST_F(FileResident, WhatIsWrongIsFoundAtTheStart) {
  DataSpec spec = arrays();
  spec.keptBytesMax = 0;
  writeTestFile(folder / "arrays/label.npy",
                npyArray<int64_t>("<i8", "(12,)", {0, 1, 2, 0, 1, 9, 0, 1, 2, 0, 1, 2}));
  expectIn(OpenSource(spec).sample(Split::Train, 0), "sample 5 is 9");
  spec = tokens(100);
  spec.keptBytesMax = 0;
  std::FILE *file = std::fopen((folder / "c.tokens").c_str(), "r+");
  std::fseek(file, -2, SEEK_END);
  std::fputc(99, file);
  std::fclose(file);
  expectIn(OpenSource(spec).sample(Split::Train, 0), "c.tokens` is damaged: its checksum differs");
}

TEST_F(FileResident, PackedFilesAreKept) {
  DataSpec spec = images();
  spec.keptBytesMax = 0;
  EXPECT_EQ(dataBytes(spec), 25u); // labels
  std::string plain = folder / "train-images-idx3-ubyte";
  writeTestFile(plain + ".gz", gzipBytes(*readFileBytes(plain)));
  std::string before = OpenSource(spec).sample(Split::Validation, 5);
  ASSERT_EQ(unlink(plain.c_str()), 0);
  EXPECT_EQ(OpenSource(spec).sample(Split::Validation, 5), before);
  EXPECT_EQ(dataBytes(spec), 25u + 20 * 16);
}

TEST_F(FileResident, MoreFilesThanAProcessHoldsAreOpenedForEachRead) {
  std::vector<SeekableFile> files;
  for (int i = 0; i < 1500; ++i) {
    std::string path = folder / ("f" + std::to_string(i));
    writeTestFile(path, {uint8_t(i), uint8_t(i >> 8)});
    Expected<SeekableFile> file = SeekableFile::open(path);
    ASSERT_TRUE(file.isOk()) << file.status().message();
    files.push_back(file.take());
  }
  for (int i = 0; i < 1500; ++i) {
    uint8_t bytes[2];
    ASSERT_TRUE(files[size_t(i)].read(0, bytes, 2).isOk());
    EXPECT_EQ(bytes[0] | bytes[1] << 8, i);
  }
  writeTestFile(folder / "new", {1, 2});
  ASSERT_EQ(rename((folder / "new").c_str(), (folder / "f1499").c_str()), 0);
  uint8_t byte;
  expectIn(files[1499].read(0, &byte, 1).message(), "f1499` was replaced while it was in use");
  expectIn(files[1498].read(2, &byte, 1).message(), "was cut off while it was in use");
}

TEST_F(FileResident, TextsAndTablesAreCountedFromTheProgram) {
  DataSpec spec;
  spec.kind = "csv";
  spec.fields = {{"number", DType::F32, {3}}, {"label", DType::I32, {}}};
  spec.counts[0] = 1000;
  spec.counts[2] = 10;
  EXPECT_EQ(dataBytes(spec), 1010u * 16);
  expectIn(adviceOnDataMemory("csv"), "data.npy");
  expectIn(adviceOnDataMemory("text"), "dlmc pack");
}

} // namespace
