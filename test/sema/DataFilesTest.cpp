// Files of data that are not what they should be, and descriptions of data that are wrong.

#include "test/sema/TinyData.h"

#include "compiler/diagnostics/Render.h"
#include "compiler/sema/Check.h"
#include "compiler/syntax/Parser.h"

#include <gtest/gtest.h>
#include <zlib.h>

namespace dlm::sema {

namespace {

namespace fs = std::filesystem;

/// What is said of a program that trains on the source.
std::string saidOf(const std::string &source) {
  SourceManager sources;
  DiagnosticEngine diagnostics(sources);
  FileId file =
      sources.addFile("a.dlm", "use data\nlet d = " + source + "\ntrain t { data = d }\n");
  std::unique_ptr<ast::File> tree = parseFile(sources, file, diagnostics);
  EXPECT_TRUE(tree);
  if (tree) check(*tree, sources, diagnostics, {});
  std::string said = renderText(diagnostics);
  return said.substr(0, said.find("error[missing-setting]")); // the train block is not finished
}

/// Whether the source is refused with this text at the beginning, or behind the path of a file.
::testing::AssertionResult isRefused(const std::string &source, const std::string &text) {
  std::string said = saidOf(source);
  std::string error = said.substr(0, said.find('\n') + 1);
  bool isThere =
      error.find(": " + text) != std::string::npos || error.find("/" + text) != std::string::npos;
  if (isThere && error.find("error[data-source]: ") != std::string::npos)
    return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << said;
}

const char *const tiny = "data.idx(\"tiny\")";
const fs::path trainImages = "tiny/train-images-idx3-ubyte";
const fs::path trainLabels = "tiny/train-labels-idx1-ubyte";

std::string bytesOf(const fs::path &path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void writeBytes(const fs::path &path, const std::string &bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

/// Writes the bytes in a gzip file beside the plain one, of several parts if told so, instead of
/// it.
fs::path compress(const fs::path &plain, int parts = 1) {
  std::string bytes = bytesOf(plain);
  fs::path packed = plain.string() + ".gz";
  size_t size = bytes.size() / size_t(parts);
  for (int i = 0; i < parts; ++i) {
    std::string piece = i + 1 < parts ? bytes.substr(i * size, size) : bytes.substr(i * size);
    gzFile file = gzopen(packed.c_str(), i == 0 ? "wb" : "ab");
    gzwrite(file, piece.data(), unsigned(piece.size()));
    gzclose(file);
  }
  fs::remove(plain);
  return packed;
}

} // namespace

TEST(IdxFiles, OfSeveralCompressedPartsAreRead) {
  TinyData data;
  compress(trainImages, 2);
  compress(trainLabels, 3);
  EXPECT_EQ(saidOf(tiny), "");
}

TEST(IdxFiles, AreRefusedWhereverAPlainFileIsCut) {
  TinyData data;
  for (const fs::path &path : {trainImages, trainLabels}) {
    std::string whole = bytesOf(path);
    for (size_t size = 0; size < whole.size(); ++size) {
      writeBytes(path, whole.substr(0, size));
      EXPECT_TRUE(isRefused(tiny, path.filename().string() + "` is cut off: ")) << size;
    }
    writeBytes(path, whole);
  }
}

TEST(IdxFiles, AreRefusedWhereverACompressedFileIsCut) {
  TinyData data;
  for (const fs::path &plain : {trainImages, trainLabels}) {
    fs::path path = compress(plain);
    std::string whole = bytesOf(path);
    for (size_t size = 0; size < whole.size(); ++size) {
      writeBytes(path, whole.substr(0, size));
      EXPECT_NE(saidOf(tiny).find(path.filename().string() + "`"), std::string::npos) << size;
    }
    writeBytes(path, whole.substr(0, whole.size() - 1));
    EXPECT_TRUE(isRefused(tiny, path.filename().string() + "` is cut off"));
    writeBytes(path, whole);
  }
}

TEST(IdxFiles, ThatAreDamagedAreRefused) {
  TinyData data;
  fs::path path = compress(trainLabels);
  std::string bytes = bytesOf(path);
  bytes[bytes.size() - 8] ^= 1; // of the checksum
  writeBytes(path, bytes);
  EXPECT_TRUE(isRefused(tiny, "train-labels-idx1-ubyte.gz`: damaged gzip data"));
}

TEST(IdxFiles, SayWhatTheirHeaderPromises) {
  TinyData data;
  fs::resize_file(trainImages, 16 + 35);
  EXPECT_TRUE(isRefused(tiny, "train-images-idx3-ubyte` is cut off: its header says 6 x 2 x 3, "
                              "36 bytes, and 35 follow it"));
  fs::resize_file(trainImages, 16 + 40);
  EXPECT_TRUE(isRefused(tiny, "train-images-idx3-ubyte` is too long: its header says 6 x 2 x 3, "
                              "36 bytes, and 40 follow it"));
  compress(trainImages);
  EXPECT_TRUE(isRefused(tiny, "train-images-idx3-ubyte.gz` holds more than its header says"));
}

TEST(IdxFiles, OfAnotherKindAreNamed) {
  TinyData data;
  std::string whole = bytesOf(trainImages);
  writeBytes(trainImages, "\x7f" + whole.substr(1));
  EXPECT_TRUE(isRefused(tiny, "train-images-idx3-ubyte` is no IDX file: it begins with the bytes "
                              "7f 00 08 03"));
  std::string reals = whole;
  reals[2] = 13;
  writeBytes(trainImages, reals);
  EXPECT_TRUE(isRefused(tiny, "train-images-idx3-ubyte` holds elements of the type 0d"));
  fs::copy_file(trainLabels, trainImages, fs::copy_options::overwrite_existing);
  EXPECT_TRUE(isRefused(tiny, "`train-images-idx3-ubyte` has 1 dimension, and a file of images "
                              "has 3"));
  writeBytes(trainImages, whole.substr(0, 4) + std::string(12, '\xff'));
  EXPECT_TRUE(isRefused(tiny, "train-images-idx3-ubyte` cannot be as large"));
}

TEST(IdxFiles, ADescriptionStandsForMissingFilesOnly) {
  TinyData data;
  std::string described = R"({ "train": 6, "fields": { "image": "u8[2, 3]", "label": "i32" } })";
  data.writeText("d.schema.json", described);
  EXPECT_EQ(saidOf("data.idx(\"elsewhere\")"), "");
  fs::resize_file(trainImages, 20);
  EXPECT_TRUE(isRefused(tiny, "train-images-idx3-ubyte` is cut off"));
  data.writeText("d.schema.json", R"({ "train": 6 })");
  EXPECT_TRUE(isRefused("data.idx(\"elsewhere\")", "the description of this data lacks `fields`"));
}

TEST(Descriptions, SayWhatIsWrongInThem) {
  TinyData data;
  auto isWrong = [&](const std::string &description, const std::string &reason) {
    data.writeText("d.schema.json", description);
    return isRefused("data.npy(\"x.npy\")",
                     "the description of this data is not usable: " + reason + "\n");
  };
  auto isWrongField = [&](const std::string &field, const std::string &reason) {
    return isWrong("{ \"train\": 5, \"fields\": { " + field + " } }", reason);
  };
  EXPECT_TRUE(isWrong(R"({ "train": 5, "train": 6 })", "`train` stands twice in it"));
  EXPECT_TRUE(isWrong(R"({ "train": 5, "": 6 })", "a name in it is empty"));
  EXPECT_TRUE(isWrong("{ \"train\": 5,\n \"test\" }",
                      "it is not JSON: line 2 is wrong, or ends too early"));
  EXPECT_TRUE(isWrongField(R"("x": "f32", "x": "i32")", "`x` stands twice in it"));
  EXPECT_TRUE(isWrongField(R"("": "f32")", "a name in it is empty"));
  for (std::string name : {"in", "true", "a b", "1a", "a-b"})
    EXPECT_TRUE(isWrongField("\"" + name + "\": \"f32\"",
                             "the field `" + name +
                                 "` has a name that no program can write: a "
                                 "name consists of letters, digits and `_`, and is no word such as "
                                 "`in`"));
  EXPECT_TRUE(isWrongField(R"("size": "f32")", "a field cannot be called `size`: `batch.size` is "
                                               "the number of samples"));
  EXPECT_TRUE(isWrongField(R"("x": "float32[168]")",
                           "the type of the field `x`, `float32[168]`, is written `f32[168]`"));
  EXPECT_TRUE(isWrongField(R"("x": "uint8")", "the type of the field `x`, `uint8`, is written "
                                              "`u8`"));
  for (std::string type : {"str", "f32[28x28]", "f32[n <= 5, n <= 6]", "f32[0]", "f32[2"})
    EXPECT_TRUE(isWrongField("\"x\": \"" + type + "\"",
                             "the type of the field `x`, `" + type +
                                 "`, is not of the form `u8[height <= 512, 28, 3]`"));
  EXPECT_TRUE(isWrongField(R"("x": "f32[n <= 5]", "y": "f32[n <= 6]")",
                           "the size `n` has two bounds, 5 and 6"));
  auto isWrongColumn = [&](const std::string &column, const std::string &reason) {
    return isWrong("{ \"train\": 5, \"columns\": [{ \"kind\": \"number\", " + column + " }] }",
                   reason);
  };
  EXPECT_TRUE(isWrongColumn(R"("name": "")", "the name of a column is empty"));
  EXPECT_TRUE(isWrongColumn(R"("name": "a", "sise": 3)",
                            "`sise` means nothing in a column; there are `name`, `kind` and "
                            "`size`"));
}

TEST(Descriptions, ANameOfADeclarationIsAName) {
  TinyData data;
  data.writeText(
      "d.schema.json",
      R"({ "train": 5, "fields": { "model": "f32[]", "next": "f32[n <= 3, n <= 3]" } })");
  EXPECT_EQ(saidOf("data.npy(\"x.npy\")"), "");
}

TEST(Descriptions, AnExampleIsOfTheKindOfTheSource) {
  TinyData data;
  for (auto [source, key] : {std::pair("data.npy(\"x.npy\")", "\"fields\": {"),
                             {"data.csv(\"x.csv\", target = \"y\")", "\"columns\": ["},
                             {"data.tokens(\"x.bin\", window = 5)", "\"vocab\": 65"},
                             {"data.images(train = \"x\")", "\"classes\": 10"}}) {
    std::string said = saidOf(source);
    EXPECT_NE(said.find(key), std::string::npos) << said;
    EXPECT_NE(said.find("`d.schema.json` beside the program"), std::string::npos) << said;
    data.writeText("d.schema.json", R"({ "train": 5 })");
    said = saidOf(source);
    EXPECT_NE(said.find("lacks `"), std::string::npos) << said;
    EXPECT_NE(said.find(key), std::string::npos) << said;
    fs::remove("d.schema.json");
  }
}

TEST(Tables, ColumnsThatAreLeftOutAreNamedOnceAndLeaveSome) {
  TinyData data;
  data.writeText("a.csv", "id,x,y\n1,2,no\n2,3,\n3,4,yes\n");
  EXPECT_TRUE(isRefused("data.csv(\"a.csv\", drop = [\"y\", \"id\", \"id\"])",
                        "the column \"id\" stands twice in `drop`"));
  EXPECT_TRUE(isRefused("data.csv(\"a.csv\", label = \"y\", drop = [\"id\", \"x\"])",
                        "`drop` leaves no column that a model could read"));
  EXPECT_TRUE(isRefused("data.csv(\"a.csv\", label = \"y\", drop = [\"id\"])",
                        "a.csv`, line 3, column \"y\": there is no value, and it is the label; "
                        "fill the cell in, or take the record out of the file"));
}

TEST(Tables, AColumnWithoutValuesIsWarnedOf) {
  TinyData data;
  data.writeText("a.csv", "x,e,y\n1,,5\n2,NA,6\n3,7,7\n");
  std::string source = "data.csv(\"a.csv\", target = \"y\", missing = allowed", said;
  EXPECT_EQ(saidOf(source + ")"), "");         // one of its cells has a value
  said = saidOf(source + ", validation = 1)"); // and that is no training sample
  EXPECT_NE(said.find("[empty-column]: the column \"e\" holds no value in any"), std::string::npos)
      << said;
  EXPECT_NE(said.find("`drop = [\"e\"]` leaves it out"), std::string::npos) << said;
  EXPECT_EQ(saidOf(source + ", validation = 1, drop = [\"e\"])"), "");
}

TEST(Parts, OneWithoutSamplesIsWarnedOf) {
  TinyData data;
  data.writeText("a.csv", "x,y\n1,5\n2,6\n3,7\n");
  for (const char *part : {"validation = 0", "validation = 0.1%", "test = 30%"}) {
    std::string said = saidOf(std::string("data.csv(\"a.csv\", target = \"y\", ") + part + ")");
    EXPECT_NE(said.find(" part gets none of the 3 samples"), std::string::npos) << said;
    EXPECT_NE(said.find("[empty-part]"), std::string::npos) << said;
  }
  EXPECT_NE(saidOf("data.idx(\"tiny\", validation = 1%)").find("none of the 6 samples"),
            std::string::npos);
  std::string mixed = "data.csv(\"a.csv\", target = \"y\", split = shuffled";
  EXPECT_NE(saidOf(mixed + ")").find("[empty-part]: `split` says how parts are cut, and no part"),
            std::string::npos);
  EXPECT_EQ(saidOf(mixed + ", test = 1)"), "");
}

} // namespace dlm::sema
