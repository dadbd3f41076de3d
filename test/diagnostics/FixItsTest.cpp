// Which edits are applied, and what they make of a text.

#include "compiler/diagnostics/FixIts.h"
#include "compiler/diagnostics/NearWords.h"

#include <gtest/gtest.h>

namespace dlm {

namespace {

class FixIts : public ::testing::Test {
protected:
  void propose(uint32_t begin, uint32_t end, const std::string &replacement,
               Applicability applicability = Applicability::Exact) {
    diagnostics.error(Kind::Syntax, {file, begin, end}, "message " + std::to_string(count++))
        .help("help", {file, begin, end}, replacement, applicability);
  }

  std::string edited() { return applyFixIts(sources.text(file), exactFixIts(diagnostics, file)); }

  SourceManager sources;
  DiagnosticEngine diagnostics{sources};
  FileId file = sources.addFile("a.dlm", "let x = 5GB && y\n");
  int count = 0;
};

} // namespace

TEST_F(FixIts, ExactOnesAreAppliedInTheOrderOfTheText) {
  propose(12, 14, "and");
  propose(9, 11, "GiB");
  propose(16, 16, "_");
  EXPECT_EQ(edited(), "let x = 5GiB and y_\n");
}

TEST_F(FixIts, GuessesAndPlaceholdersAreNot) {
  propose(4, 5, "z", Applicability::Guess);
  propose(9, 11, "GiB", Applicability::Placeholder);
  EXPECT_EQ(edited(), "let x = 5GB && y\n");
}

TEST_F(FixIts, OfTwoThatOverlapTheFirstStays) {
  propose(8, 11, "5GiB");
  propose(9, 11, "MiB");
  propose(11, 11, " ");
  EXPECT_EQ(edited(), "let x = 5GiB  && y\n");
}

TEST_F(FixIts, OtherFilesAreLeftAlone) {
  FileId other = sources.addFile("b.dlm", "let z = 1\n");
  diagnostics.error(Kind::Syntax, {other, 4, 5}, "elsewhere")
      .help("help", {other, 4, 5}, "w", Applicability::Exact);
  EXPECT_EQ(edited(), "let x = 5GB && y\n");
}

TEST(CertainWord, IsOneEditFromALongWordAndTheOnlyOneNear) {
  EXPECT_EQ(certainWord("hiden", {"hidden", "output"}), "hidden");
  EXPECT_EQ(certainWord("batchs", {"batch", "batches"}), "");
  EXPECT_EQ(certainWord("leyers", {"lawyer"}), "");
  EXPECT_EQ(certainWord("seed", {"speed"}), "");
  EXPECT_EQ(certainWord("layer1", {"layer2"}), "");
  EXPECT_EQ(certainWord("layers", {"layer"}), "");
  EXPECT_EQ(certainWord("loss_a", {"loss_b"}), "");
  EXPECT_EQ(certainWord("blockA", {"blockB"}), "");
}

} // namespace dlm
