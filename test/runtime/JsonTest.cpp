// JSON lines: records, types, decoded samples, and what is wrong with them.
#include "runtime/data/Dataset.h"
#include "runtime/data/formats/JsonTable.h"
#include "runtime/data/formats/ShownText.h"
#include "test/runtime/IdxFolder.h"

#include <gtest/gtest.h>

using namespace dlm;
using namespace dlm::test;

namespace {

class Lines : public testing::Test {
protected:
  std::string file(const std::string &text) {
    std::string path = folder / "data.jsonl";
    writeTestFile(path, {text.begin(), text.end()});
    return path;
  }

  /// The fields of a file as text, or the failure.
  std::string fields(const std::string &text) {
    int64_t count = 0;
    Expected<JsonTable> table = surveyJson(file(text), count);
    if (!table) return table.status().message();
    std::string result = std::to_string(count) + ":";
    for (const JsonField &field : table->fields) {
      result += " " + field.name + (field.isCategory ? " category" : "") + " ";
      result += dtypeName(field.dtype);
      for (int64_t size : field.shape)
        result += "x" + std::to_string(size);
    }
    return result;
  }

  void fails(const std::string &text, const std::string &message) {
    std::string got = fields(text);
    EXPECT_NE(got.find(message), std::string::npos) << got;
  }

  TemporaryFolder folder;
};

TEST(ShownTexts, HoldNothingThatATerminalActsOn) {
  EXPECT_EQ(shownText("a b\x1B[1m\n\x7F"), "a b?[1m??");
  EXPECT_EQ(shownText("\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80"),
            "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80");
  EXPECT_EQ(shownText("\xC3(\xC0\x80\xED\xA0\x80\xC2\x85\xFF"), "?(???????");
  EXPECT_EQ(shownText(std::string(59, 'x') + "\xC3\xA9y"), std::string(59, 'x') + "\xC3\xA9...");
}

TEST_F(Lines, TypesFollowFromTheValues) {
  EXPECT_EQ(fields("{\"a\": 1, \"b\": 2.5, \"c\": true, \"d\": \"x\"}\n"),
            "1: a I32 b F32 c BOOL d category I32");
  EXPECT_EQ(fields("{\"a\": 1}\n\n  \r\n{\"a\": 1e0}"), "2: a F32");
  EXPECT_EQ(fields("{\"a\": [1, 2, 3]}\n{\"a\":[4,5,6]}\n"), "2: a I32x3");
  EXPECT_EQ(fields("{\"a\": [[1, 2], [3.5, 4], [5, 6]]}"), "1: a F32x3x2");
  EXPECT_EQ(fields("\xEF\xBB\xBF{\"a\": [true]}\n"), "1: a BOOLx1");
  EXPECT_EQ(fields("{\"a\": 3000000000, \"b\": 1}\n{\"b\": 2, \"a\": 0.5}"), "2: a F32 b I32");
}

TEST_F(Lines, ABadLineIsNamed) {
  std::string good = "{\"a\": 1, \"b\": [1, 2]}\n";
  fails("", "is empty");
  fails(good + "{\"a\": 1}\n", "line 2: it lacks the key `b`");
  fails(good + "{\"a\": 1, \"b\": [1, 2], \"c\": 1}\n", "line 2: it has the key `c`");
  fails(good + "{\"a\": 1, \"a\": 2}\n", "line 2: the key `a` stands twice");
  fails(good + "{\"a\": \"x\", \"b\": [1, 2]}",
        "line 2: `a` holds strings, and before it held numbers");
  fails(good + "{\"a\": [1], \"b\": [1, 2]}",
        "line 2: `a` is an array [1], and before it was a single");
  fails(good + "{\"a\": 1, \"b\": [1, 2, 3]}", "line 2: `b` is an array [3], and before");
  fails(good + "{\"a\": null, \"b\": [1, 2]}", "line 2: `a` is null");
  fails(good + "{\"a\": 1, \"b\": [1, 2]", "line 2: it is not JSON at byte");
  fails(good + "{\"a\": 1, \"b\": [1, 2]} 7", "line 2: it is not JSON at byte");
  fails(good + "[1, 2]", "line 2: it is not an object");
  fails(good + "7", "line 2: it is not an object");
  fails(good + "{}", "line 2: it holds no keys");
  fails(good + "\n\xFF{", "line 3: it is not JSON");
  fails("{\"a\": \"\xC3\x28\"}", "line 1: it is not UTF-8");
  fails("{\"a\": {\"b\": 1}}", "line 1: `a` is an object");
  fails("{\"a\": [\"x\"]}", "line 1: `a` is an array of strings");
  fails("{\"a\": [1, true]}", "line 1: `a` holds numbers beside true or false");
  fails("{\"a\": []}", "line 1: `a` holds an empty array");
  fails("{\"a\": [[1], [2, 3]]}", "line 1: `a` holds arrays of different sizes");
  fails("{\"a\": [1, [2]]}", "different sizes");
  fails("{\"a\": [[1], 2]}", "different sizes");
  fails("{\"a\": [[[[[[[[1]]]]]]]]}", "more than 7 axes");
  fails("{\"a\": 1e60}", "line 1: `a` holds 1e60, beyond the range of f32");
  fails("{\"a\": 1e999}", "beyond the range of f32");
  fails("{\"a\": 1}\n{\"a\": 3000000000}\n",
        "line 2: `a` holds 3000000000, beyond the range of i32");
  fails("{\"a\": \"" + std::string(17 << 20, 'x') + "\"}", "longer than 16 MiB");
}

TEST_F(Lines, KeysThatAreNotReadHoldAnything) {
  std::string path =
      file("{\"x\": 1, \"a\": null, \"b\": {\"x\": [{}, [\"y\"]]}, \"c\": [], \"c\": [1, [2]], "
           "\"d\": 1e39, \"e\": [\"s\", null, true]}\n"
           "{\"b\": {\"x\": 5}, \"y\": {}}\n{}\n");
  Expected<JsonLines> lines = JsonLines::open(path);
  ASSERT_TRUE(lines.isOk());
  lines->readOnly({"x"});
  JsonRecord record;
  ASSERT_TRUE(lines->next(record).isOk()) << lines->next(record).status().message();
  ASSERT_EQ(record.values.size(), 1u);
  EXPECT_EQ(record.values[0].key, "x");
  EXPECT_EQ(record.values[0].numbers, std::vector<float>{1});
  ASSERT_TRUE(lines->next(record).isOk());
  EXPECT_TRUE(record.values.empty()); // an inner key is none of the record
  EXPECT_NE(lines->next(record).status().message().find("holds no keys"), std::string::npos);
}

TEST_F(Lines, ClassesAreThoseOfTheTrainingSamples) {
  std::string path = file("{\"label\": \"b\"}\n{\"label\": \"a\"}\n{\"label\": \"c\"}\n");
  int64_t count = 0;
  Expected<JsonTable> table = surveyJson(path, count);
  ASSERT_TRUE(table.isOk());
  ASSERT_TRUE(fitJson(*table, path, 2).isOk());
  EXPECT_EQ(table->classes, 2);
  Expected<JsonTable> again = JsonTable::fromJson(table->toJson());
  ASSERT_TRUE(again.isOk());
  JsonDecoder decoder(*again);
  Expected<JsonLines> lines = JsonLines::open(path);
  JsonRecord record;
  int32_t label = -1;
  void *places[] = {&label};
  for (int32_t expected : {1, 0}) {
    ASSERT_TRUE(*lines->next(record));
    ASSERT_TRUE(decoder.decode(*lines, record, places).isOk());
    EXPECT_EQ(label, expected);
  }
  ASSERT_TRUE(*lines->next(record));
  EXPECT_NE(decoder.decode(*lines, record, places)
                .message()
                .find("line 3: `label` is \"c\", which no training sample has"),
            std::string::npos);
}

TEST_F(Lines, ASourceCutsItsParts) {
  std::string path = file("{\"x\": [1, 2], \"label\": 0}\n{\"label\": 2, \"x\": [3, 4.5]}\n"
                          "{\"x\": [5, 6], \"label\": 1}\n");
  int64_t count = 0;
  Expected<JsonTable> table = surveyJson(path, count);
  ASSERT_TRUE(table.isOk());
  ASSERT_TRUE(fitJson(*table, path, 2).isOk());
  DataSpec spec;
  spec.name = "lines";
  spec.kind = "jsonl";
  spec.path = path;
  spec.facts = table->toJson();
  spec.fields = {{"label", DType::I32, {}}, {"x", DType::F32, {2}}};
  spec.counts[0] = 2;
  spec.counts[1] = 1;
  auto source = openDataSource(spec);
  ASSERT_TRUE(source.isOk()) << source.status().message();
  auto read = [&](Split split, int64_t index) {
    auto dataset = (*source)->get(split);
    EXPECT_TRUE(dataset.isOk()) << dataset.status().message();
    int32_t label = -1;
    float x[2] = {};
    void *places[] = {&label, x};
    EXPECT_TRUE((*dataset)->read(index, places).isOk());
    return std::to_string(label) + ":" + std::to_string(x[1]);
  };
  EXPECT_EQ(read(Split::Train, 1), "2:4.500000");
  EXPECT_EQ(read(Split::Validation, 0), "1:6.000000");
  // The file has changed since the program was compiled.
  file("{\"x\": [1, 2], \"label\": 0}\n{\"label\": 3, \"x\": [3, 4.5]}\n");
  auto changed = openDataSource(spec);
  EXPECT_NE((*changed)->get(Split::Train).status().message().find("line 2: `label` is 3"),
            std::string::npos);
  EXPECT_NE((*changed)->get(Split::Validation).status().message().find("line 2: `label` is 3"),
            std::string::npos);
}

} // namespace
