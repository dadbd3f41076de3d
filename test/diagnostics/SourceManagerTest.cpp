// Places in texts: what offsets, lines and columns mean at the edges.

#include "compiler/source/SourceManager.h"
#include "compiler/source/LargeStack.h"
#include "compiler/source/Utf8.h"

#include <gtest/gtest.h>
#include <stdexcept>
#include <vector>

namespace dlm {

TEST(SourceManager, CountsLinesAndColumnsFromOne) {
  SourceManager sources;
  FileId file = sources.addFile("a.dlm", "ab\ncd\n");
  EXPECT_EQ(sources.position(file, 0).line, 1u);
  EXPECT_EQ(sources.position(file, 0).column, 1u);
  EXPECT_EQ(sources.position(file, 4).line, 2u);
  EXPECT_EQ(sources.position(file, 4).column, 2u);
  EXPECT_EQ(sources.lineText(file, 2), "cd");
}

TEST(SourceManager, TheLineEndBelongsToItsLine) {
  SourceManager sources;
  FileId file = sources.addFile("a.dlm", "ab\ncd");
  EXPECT_EQ(sources.position(file, 2).line, 1u);
  EXPECT_EQ(sources.position(file, 2).column, 3u);
}

TEST(SourceManager, ACarriageReturnAloneEndsALine) {
  SourceManager sources;
  FileId file = sources.addFile("a.dlm", "a\rb\r\nc\r\rd\r");
  EXPECT_EQ(sources.text(file), "a\nb\r\nc\n\nd\n");
  EXPECT_EQ(sources.lineCount(file), 6u);
  EXPECT_EQ(sources.lineText(file, 2), "b");
  EXPECT_EQ(sources.position(file, 8).line, 5u);
}

TEST(SourceManager, ColumnsCountCharacters) {
  SourceManager sources;
  FileId file = sources.addFile("a.dlm", "\"\xC3\xA4\xE2\x82\xAC\" x");
  EXPECT_EQ(sources.position(file, 8).column, 6u);
}

TEST(SourceManager, ColumnsOfALongLineCountEachOfItsCharacters) {
  SourceManager sources;
  std::string text = "first\n";
  std::vector<uint32_t> begins; // of the characters of the second line: one to four bytes, or stray
  for (int i = 0; i < 1'000; ++i)
    for (const char *character : {"a", "\xC3\xA4", "\xE2\x82\xAC", "\xF0\x9F\x98\x80", "\x80"}) {
      begins.push_back(uint32_t(text.size()));
      text += character;
    }
  FileId file = sources.addFile("a.dlm", text + "\nlast");
  for (uint32_t i = 0; i < begins.size(); ++i) {
    ASSERT_EQ(sources.position(file, begins[i]).column, i + 1);
    ASSERT_EQ(sources.position(file, begins[i]).line, 2u);
  }
  EXPECT_EQ(sources.position(file, uint32_t(text.size()) + 1).column, 1u);
  EXPECT_EQ(sources.position(file, uint32_t(text.size()) + 5).column, 5u);
}

TEST(SourceManager, OffsetsBehindTheEndCountAsTheEnd) {
  SourceManager sources;
  FileId file = sources.addFile("a.dlm", "");
  EXPECT_EQ(sources.position(file, 100).line, 1u);
  EXPECT_EQ(sources.position(file, 100).column, 1u);
  EXPECT_EQ(sources.lineText(file, 1), "");
}

TEST(SourceManager, DropsByteOrderMarkAndCarriageReturns) {
  SourceManager sources;
  FileId file = sources.addFile("a.dlm", "\xEF\xBB\xBFlet x = 1\r\nlet y = 2\r\n");
  EXPECT_EQ(sources.text(file).substr(0, 3), "let");
  EXPECT_EQ(sources.lineText(file, 1), "let x = 1");
}

TEST(SourceManager, SaysWhyAFileCannotBeLoaded) {
  SourceManager sources;
  std::string reason;
  EXPECT_FALSE(sources.load("no/such/file.dlm", reason));
  EXPECT_EQ(reason, "no such file");
  EXPECT_FALSE(sources.load(".", reason));
  EXPECT_EQ(reason, "it is a directory");
}

TEST(Utf8, FindsTheFirstByteThatIsNotWellFormed) {
  EXPECT_FALSE(firstInvalidUtf8("plain \xC3\xA4 \xF0\x9F\x98\x80"));
  EXPECT_EQ(firstInvalidUtf8("ab\xFF"), 2u);
  EXPECT_EQ(firstInvalidUtf8("a\xC0\x80"), 1u) << "overlong";
  EXPECT_EQ(firstInvalidUtf8("\xED\xA0\x80"), 0u) << "surrogate";
  EXPECT_EQ(firstInvalidUtf8("\xF4\x90\x80\x80"), 0u) << "above U+10FFFF";
  EXPECT_EQ(firstInvalidUtf8("abc\xE2\x82"), 3u) << "cut off";
}

TEST(Utf8, ReplacesStrayBytes) { EXPECT_EQ(replaceInvalidUtf8("a\xFFz"), "a\xEF\xBF\xBDz"); }

TEST(LargeStack, HasRoomForDeepRecursion) {
  std::function<int(int)> depth = [&](int n) {
    volatile char frame[512] = {};
    return n == 0 ? frame[0] : 1 + depth(n - 1);
  };
  int reached = 0;
  runOnLargeStack([&] { reached = depth(100'000); });
  EXPECT_EQ(reached, 100'000);
}

TEST(LargeStack, PassesExceptionsOn) {
  EXPECT_THROW(runOnLargeStack([] { throw std::runtime_error("seen"); }), std::runtime_error);
}

} // namespace dlm
