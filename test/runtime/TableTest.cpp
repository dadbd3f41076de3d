// Tables in files: records, columns, decoded samples, and what is wrong with them.
#include "runtime/data/formats/Table.h"
#include "runtime/data/Dataset.h"
#include "runtime/data/SampleParts.h"
#include "runtime/data/formats/SimilarNames.h"
#include "test/runtime/IdxFolder.h"

#include <gtest/gtest.h>

using namespace dlm;
using namespace dlm::test;

namespace {

class Tables : public testing::Test {
protected:
  std::string file(const std::string &text, const std::string &name = "table.csv") {
    std::string path = folder / name;
    EXPECT_TRUE(writeFileBytes(path, {text.begin(), text.end()}).isOk());
    return path;
  }

  /// The records of a file, cells joined by `|`; or the failure.
  std::string records(const std::string &text) {
    Expected<CsvFile> csv = CsvFile::open(file(text));
    if (!csv) return csv.status().message();
    std::string result;
    for (const std::string &name : csv->columns())
      result += name + "|";
    CsvRecord record;
    for (;;) {
      Expected<bool> got = csv->next(record);
      if (!got) return got.status().message();
      if (!*got) return result;
      result += "\n" + std::to_string(record.line) + ":";
      for (std::string_view cell : record.cells)
        result += std::string(cell) + "|";
    }
  }

  TemporaryFolder folder;
};

TEST_F(Tables, RecordsFollowRfc4180) {
  EXPECT_EQ(records("a,b\n1,2\n"), "a|b|\n2:1|2|");
  EXPECT_EQ(records("a,b\r\n1,2"), "a|b|\n2:1|2|");
  EXPECT_EQ(records("\xEF\xBB\xBF"
                    "a;b\n1,5;2\n"),
            "a|b|\n2:1,5|2|");
  EXPECT_EQ(records("a\tb\n1\t\n"), "a|b|\n2:1||");
  EXPECT_EQ(records("a,b\n\"x,\"\"y\"\"\nz\",\"\"\n\n3,4\n"), "a|b|\n2:x,\"y\"\nz||\n5:3|4|");
  EXPECT_EQ(records("1,2\n3,4\n"), "0|1|\n1:1|2|\n2:3|4|");
  EXPECT_EQ(records("a,\n1,2\n"), "a|1|\n2:1|2|");
}

TEST_F(Tables, RecordsLongerThanTheBuffer) {
  std::string longCell(1 << 20, 'x');
  EXPECT_EQ(records("a,b\n" + longCell + ",2\n"), "a|b|\n2:" + longCell + "|2|");
  std::string many = "a\n";
  for (int i = 0; i < 200000; ++i)
    many += std::to_string(i) + "\n";
  Expected<TableSurvey> survey = surveyTable(file(many));
  ASSERT_TRUE(survey.isOk());
  EXPECT_EQ(survey->count, 200000);
}

TEST_F(Tables, WhatIsNoTableIsNamed) {
  auto fails = [&](const std::string &text, const std::string &message) {
    std::string got = records(text);
    EXPECT_NE(got.find(message), std::string::npos) << got;
  };
  fails("", "table.csv` is empty");
  fails("\n\n", "table.csv` is empty");
  fails("a,a\n1,2\n", "two columns called \"a\"");
  fails("a,b\n1,2\n1\n", "line 3: 1 cells, and there are 2 columns");
  fails("a,b\n1,2,3\n", "line 2: 3 cells, and there are 2 columns");
  fails("a,b\n\"1,2\n", "line 2: a quote is opened and never closed");
  fails("a,b\r1,2\r", "end in a carriage return alone");
  fails(std::string("a,b\n1,\0\n", 8), "line 2: a byte 0");
  fails("a,b\n\"" + std::string(17 << 20, 'x') + "\",2\n", "for more than 16 MiB");
}

TEST_F(Tables, NumbersOfCells) {
  EXPECT_EQ(numberOfCell(" +1.5e3 "), 1500.0f);
  EXPECT_EQ(numberOfCell("-0"), 0.0f);
  EXPECT_EQ(numberOfCell("1e-60"), 0.0f); // too small for f32
  for (const char *text : {"", "x", "1,5", "1e60", "inf", "nan", "++1", "0x10", "1 2"})
    EXPECT_FALSE(numberOfCell(text).has_value()) << text;
  for (const char *text : {"", " ", "NA", "NaN", "?", "null"})
    EXPECT_TRUE(isMissingCell(text)) << text;
  EXPECT_FALSE(isMissingCell("0"));
}

TEST_F(Tables, SurveySaysWhatIsSeen) {
  Expected<TableSurvey> survey = surveyTable(file("n,name,m\n1,x,\n2.5,3,NA\n"));
  ASSERT_TRUE(survey.isOk());
  EXPECT_EQ(survey->count, 2);
  EXPECT_EQ(survey->isNumber, (std::vector<bool>{true, false, true}));
  EXPECT_EQ(survey->misfits, (std::vector<std::string>{"", "", ""})); // `x` beside one number
  std::string path = file("n,name\n1,x\noops,y\n2,z\nNA,1\nlast,2\n4,w\n");
  survey = surveyTable(path);
  ASSERT_TRUE(survey.isOk());
  EXPECT_EQ(survey->misfits[0], "data file `" + path +
                                    "`, line 3, column \"n\": `oops` is no number that f32 can "
                                    "hold");
  EXPECT_EQ(survey->misfits[1], "");
  EXPECT_EQ(survey->mixtures[0], "3 of 5 cells are numbers, and line 3 holds `oops`");
  EXPECT_EQ(survey->mixtures[1], "");
  EXPECT_NE(surveyTable(file("n,m\n")).status().message().find("and no records"),
            std::string::npos);
}

TEST_F(Tables, CategoriesAreFittedToTheFirstRecords) {
  std::string path = file("c,d\n10,b\n9,a\n10,a\n7,\nx,z\n");
  Table table;
  table.columns = {{"c", true}, {"d", true, false, 2, true}};
  ASSERT_TRUE(fitTable(table, path, 4).isOk());
  EXPECT_EQ(table.columns[0].values, (std::vector<std::string>{"7", "9", "10"}));
  EXPECT_EQ(table.columns[1].values, (std::vector<std::string>{"a"}));
  EXPECT_EQ(table.columns[1].rare, (std::vector<std::string>{"", "b"}));
  EXPECT_EQ(table.columns[1].size(), 3); // a, the rare ones, the unknown ones

  Expected<Table> again = Table::fromJson(table.toJson());
  ASSERT_TRUE(again.isOk());
  EXPECT_EQ(again->toJson(), table.toJson());
  EXPECT_FALSE(Table::fromJson("{\"columns\": [1]}").isOk());
  EXPECT_FALSE(Table::fromJson("no").isOk());

  Expected<CsvFile> csv = CsvFile::open(path);
  ASSERT_TRUE(csv.isOk());
  Expected<TableDecoder> decoder = TableDecoder::make(table, *csv);
  ASSERT_TRUE(decoder.isOk());
  std::vector<int32_t> seen;
  CsvRecord record;
  int32_t ids[2];
  TableRow row;
  row.category = ids;
  for (int i = 0; i < 4; ++i) {
    ASSERT_TRUE(*csv->next(record));
    ASSERT_TRUE(decoder->decode(record, row).isOk());
    seen.insert(seen.end(), {ids[0], ids[1]});
  }
  EXPECT_EQ(seen, (std::vector<int32_t>{2, 1, 1, 0, 2, 0, 0, 1}));
  ASSERT_TRUE(*csv->next(record));
  Status status = decoder->decode(record, row);
  EXPECT_NE(status.message().find("line 6, column \"c\": `x` is in no training sample"),
            std::string::npos)
      << status.message();
}

/// A source over a file of six records, of which one is for validation and two are for test.
DataSpec specOf(const std::string &path, const Table &table) {
  DataSpec spec;
  spec.name = "houses";
  spec.kind = "csv";
  spec.path = path;
  spec.facts = table.toJson();
  spec.fields = {{"number", DType::F32, {2}},
                 {"present", DType::Bool, {2}},
                 {"category", DType::I32, {1}},
                 {"target", DType::F32, {}}};
  spec.counts[0] = 3;
  spec.counts[1] = 1;
  spec.counts[2] = 2;
  return spec;
}

Table houseTable() {
  Table table;
  table.columns = {{"b", false, true}, {"a"}, {"c", true}, {"y"}};
  table.columns[2].values = {"p", "q"};
  table.target = "y";
  return table;
}

TEST_F(Tables, SourceCutsItsPartsInOrder) {
  std::string path = file("a,y,c,b\n1,10,p,5\n2,20,q,\n3,30,p,7\n4,40,q,8\n5,50,p,9\n6,60,q,10\n");
  auto source = openDataSource(specOf(path, houseTable()));
  ASSERT_TRUE(source.isOk());
  auto sample = [&](Split split, int64_t index) {
    Expected<const Dataset *> dataset = (*source)->get(split);
    if (!dataset) return dataset.status().message();
    float number[2], target;
    bool present[2];
    int32_t category;
    void *out[] = {number, present, &category, &target};
    EXPECT_TRUE((*dataset)->read(index, out).isOk());
    char text[80];
    std::snprintf(text, sizeof text, "%g/%d %g/%d %d %g", double(number[0]), present[0],
                  double(number[1]), present[1], category, double(target));
    return std::string(text);
  };
  EXPECT_EQ(sample(Split::Train, 0), "5/1 1/1 0 10");
  EXPECT_EQ(sample(Split::Train, 1), "0/0 2/1 1 20");
  EXPECT_EQ(sample(Split::Validation, 0), "8/1 4/1 1 40");
  EXPECT_EQ(sample(Split::Test, 1), "10/1 6/1 1 60");
}

TEST_F(Tables, WhatIsNotUtf8IsNamed) {
  auto fits = [&](const std::string &text) {
    std::string path = file(text);
    Table table;
    table.columns = {{"a", true}};
    return fitTable(table, path, 2).message();
  };
  EXPECT_EQ(fits("a\nM\xC3\xBCller\nMeier\n"), "");
  std::string got = fits("a\nMeier\nM\xFCller\n");
  EXPECT_NE(got.find("line 3, column \"a\": `M?ller` is not UTF-8"), std::string::npos) << got;
  got = records("M\xFCller,b\n1,2\n");
  EXPECT_NE(got.find("the name of a column, \"M?ller\", is not UTF-8"), std::string::npos) << got;
}

TEST_F(Tables, ATestPartStandsBehindTheTrainingSamplesWhateverIsReadBetween) {
  DataSpec spec =
      specOf(file("a,y,c,b\n1,10,p,5\n2,20,q,\n3,30,p,7\n4,40,q,8\n5,50,p,9\n"), houseTable());
  spec.validationPath = file("a,y,c,b\n6,60,q,10\n", "validation.csv");
  auto source = openDataSource(spec);
  ASSERT_TRUE(source.isOk());
  Expected<const Dataset *> dataset = (*source)->get(Split::Test);
  ASSERT_TRUE(dataset.isOk()) << dataset.status().message();
  float number[2], target;
  bool present[2];
  int32_t category;
  void *out[] = {number, present, &category, &target};
  ASSERT_TRUE((*dataset)->read(0, out).isOk());
  EXPECT_EQ(target, 40);
}

TEST_F(Tables, SourceNamesWhatChangedSinceItWasCompiled) {
  std::string head = "a,y,c,b\n1,10,p,5\n2,20,q,\n3,30,p,7\n4,40,q,8\n";
  auto failure = [&](const std::string &text, Split split) {
    auto source = openDataSource(specOf(file(text), houseTable()));
    EXPECT_TRUE(source.isOk());
    return (*source)->get(split).status().message();
  };
  auto expect = [](const std::string &got, const std::string &message) {
    EXPECT_NE(got.find(message), std::string::npos) << got;
  };
  expect(failure(head + "5,50,p,9\n", Split::Test), "the test part holds 1 samples, the program "
                                                    "was compiled for 2");
  expect(failure(head + "5,50,p,9\n6,60,q,10\n7,70,q,1\n", Split::Test), "holds 3 samples");
  expect(failure("a,c,b\n1,p,5\n", Split::Train), "has no column \"y\"");
  expect(failure("a,y,c,b\n,10,p,5\n", Split::Train), "line 2, column \"a\": there is no value");
  expect(failure("a,y,c,b\n1,,p,5\n", Split::Train), "column \"y\": there is no value, and it is");
  expect(failure("a,y,c,b\n1,ten,p,5\n", Split::Train), "`ten` is no number");
  expect(failure("a,y,c,b\n1,1,r,5\n", Split::Train), "`r` is in no training sample");
  DataSpec spec = specOf(folder / "absent.csv", houseTable());
  auto source = openDataSource(spec);
  ASSERT_TRUE(source.isOk());
  expect((*source)->get(Split::Train).status().message(), "absent.csv");
}

TEST(SampleParts, MixedPartsAreFromAllOverAndAlwaysTheSame) {
  int64_t counts[SplitCount] = {700, 200, 100};
  SampleParts mixed(counts, true), again(counts, true), end(counts, false);
  std::vector<int64_t> validation = mixed.samplesOf(Split::Validation);
  EXPECT_EQ(mixed.samplesOf(Split::Train).size(), 700u);
  EXPECT_EQ(mixed.samplesOf(Split::Test).size(), 100u);
  ASSERT_EQ(validation.size(), 200u);
  EXPECT_EQ(validation, again.samplesOf(Split::Validation));
  EXPECT_TRUE(std::is_sorted(validation.begin(), validation.end()));
  for (int64_t i = 0; i < 1000; i += 250) { // each quarter has about a quarter of them
    auto in = std::count_if(validation.begin(), validation.end(),
                            [&](int64_t sample) { return sample >= i && sample < i + 250; });
    EXPECT_GT(in, 30) << i;
    EXPECT_LT(in, 70) << i;
  }
  // Another choice would make training samples of what a checkpoint was measured on.
  EXPECT_EQ(std::vector<int64_t>(validation.begin(), validation.begin() + 6),
            (std::vector<int64_t>{1, 11, 12, 13, 14, 19}));
  EXPECT_EQ(end.partOf(699), Split::Train);
  EXPECT_EQ(end.partOf(700), Split::Validation);
  EXPECT_EQ(end.partOf(900), Split::Test);
  EXPECT_EQ(end.samplesOf(Split::Test).front(), 900);
}

TEST_F(Tables, MixedPartsOfASourceAreTheirSamplesInTheOrderOfTheFile) {
  DataSpec spec = specOf(
      file("a,y,c,b\n1,10,p,5\n2,20,q,\n3,30,p,7\n4,40,q,8\n5,50,p,9\n6,60,q,10\n"), houseTable());
  spec.arePartsMixed = true;
  auto source = openDataSource(spec);
  ASSERT_TRUE(source.isOk());
  SampleParts parts = SampleParts::ofTrainingFile(spec);
  for (Split split : {Split::Train, Split::Validation, Split::Test}) {
    Expected<const Dataset *> dataset = (*source)->get(split);
    ASSERT_TRUE(dataset.isOk()) << dataset.status().message();
    std::vector<int64_t> samples = parts.samplesOf(split);
    ASSERT_EQ((*dataset)->size(), spec.counts[int(split)]);
    for (size_t i = 0; i < samples.size(); ++i) {
      float number[2], target;
      void *out[] = {number, nullptr, nullptr, &target};
      bool present[2];
      int32_t category;
      out[1] = present;
      out[2] = &category;
      ASSERT_TRUE((*dataset)->read(int64_t(i), out).isOk());
      EXPECT_EQ(target, 10.0f * float(samples[i] + 1));
    }
  }
}

TEST(SimilarNames, DifferInCapitalsAndSpacesOnly) {
  EXPECT_EQ(foldedName("  White  Oak\t"), "white oak");
  EXPECT_EQ(foldedName(" "), "");
  EXPECT_EQ(firstSimilar({{"oak", {3, 9}}, {"birch", {1, 2}}}), "");
  EXPECT_EQ(firstSimilar({{"Oak", {1, 9}}, {"oak", {3, 4}}, {"A", {1, 20}}, {"a", {1, 2}}}),
            "\"oak\" in line 4 and \"Oak\" in line 9");
}

TEST_F(Tables, AValueThatLooksLikeAnotherIsToldOf) {
  std::string path = file("c,y\nOak,1\nbirch,2\n oak,3\nbirch,4\n");
  Table table;
  table.columns = {{"c", true}, {"y"}};
  ASSERT_TRUE(fitTable(table, path, 4).isOk());
  EXPECT_EQ(table.columns[0].similar, "\"Oak\" in line 2 and \"oak\" in line 4");
  Table some;
  some.columns = {{"c", true}, {"y"}};
  ASSERT_TRUE(fitTable(some, path, 4, [](int64_t record) { return record != 2; }).isOk());
  EXPECT_EQ(some.columns[0].values, (std::vector<std::string>{"Oak", "birch"}));
  EXPECT_EQ(some.columns[0].similar, "");
  EXPECT_NE(checkRecords(some, path)
                .message()
                .find("line 4, column \"c\": `oak` is in no training sample, where there is `Oak`"),
            std::string::npos);
}

} // namespace
