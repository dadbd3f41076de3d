// Which names count as near.

#include "compiler/diagnostics/NearWords.h"
#include "runtime/base/EditDistance.h"

#include <gtest/gtest.h>

namespace dlm {

TEST(NearWords, CountsInsertionsDeletionsReplacementsAndSwaps) {
  EXPECT_EQ(editDistance("model", "model", 2), 0u);
  EXPECT_EQ(editDistance("modle", "model", 2), 1u);
  EXPECT_EQ(editDistance("mode", "model", 2), 1u);
  EXPECT_EQ(editDistance("Linaer", "Linear", 2), 1u);
  EXPECT_EQ(editDistance("abc", "xyz", 2), 3u);
  EXPECT_EQ(editDistance("", "abcdef", 2), 3u);
}

TEST(NearWords, OffersNothingThatIsFarAway) {
  EXPECT_EQ(nearestWord("ab", {"xy", "pq"}), "");
  EXPECT_EQ(nearestWord("bath", {"batch", "math"}), "batch");
  EXPECT_EQ(nearestWord("head", {"mean"}), "");
  EXPECT_EQ(nearestWord("K", {"B", "H"}), "");
}

TEST(NearWords, KnowsNamesWrittenInAnotherWay) {
  EXPECT_EQ(nearestWord("SiLU", {"silu", "relu"}), "silu");
  EXPECT_EQ(nearestWord("TopK", {"top_k"}), "top_k");
  EXPECT_EQ(certainWord("LeakyReLU", {"leaky_relu"}), ""); // it may be a model
}

TEST(NearWords, KnowsBeginningsWhereNothingElseIsNear) {
  EXPECT_EQ(nearestWord("mem", {"memory", "report"}), "memory");
  EXPECT_EQ(nearestWord("eval", {"evaluate", "guard"}), "evaluate");
  EXPECT_EQ(nearestWord("me", {"memory"}), "");
  EXPECT_EQ(nearestWord("layer", {"layers", "layer_count"}), "layers");
}

TEST(NearWords, OffersAtMostThreeNearestFirst) {
  std::vector<std::string> words = {"width", "widths", "wide", "with", "widthh", "height"};
  std::vector<std::string> near = nearWords("width", words);
  ASSERT_EQ(near.size(), 3u);
  EXPECT_EQ(near[0], "width");
}

} // namespace dlm
