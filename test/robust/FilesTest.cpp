// Files that are none, are too large or never end, and files that use each other.
#include "test/robust/CheckText.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace dlm::sema {

namespace {

std::string faultOf(const std::string &path) {
  SourceManager sources;
  std::string reason;
  EXPECT_FALSE(sources.load(path, reason)) << path;
  return reason;
}

void writeSparse(const std::string &path, off_t size) {
  int file = open(path.c_str(), O_WRONLY | O_CREAT, 0600);
  ASSERT_EQ(ftruncate(file, size), 0);
  close(file);
}

} // namespace

TEST(Files, WhatIsNoTextFileIsRefusedWithItsReason) {
  TinyData data;
  mkfifo("pipe.dlm", 0600);
  mkdir("folder.dlm", 0700);
  writeSparse("sparse.dlm", off_t(1) << 30);
  ASSERT_EQ(symlink("loop.dlm", "loop.dlm"), 0);
  EXPECT_EQ(faultOf("pipe.dlm"), "it is a pipe, not a file");
  EXPECT_EQ(faultOf("folder.dlm"), "it is a directory");
  EXPECT_EQ(faultOf("sparse.dlm"), "it is larger than 4 MiB");
  EXPECT_EQ(faultOf("/dev/zero"), "it is larger than 4 MiB");
  EXPECT_EQ(faultOf("absent.dlm"), "no such file");
  EXPECT_EQ(faultOf("pipe.dlm/absent.dlm"), "no such file");
  EXPECT_EQ(faultOf("loop.dlm"), "Too many levels of symbolic links");
}

TEST(Files, AModuleThatIsNoTextFileIsRefusedWithItsReason) {
  TinyData data;
  mkfifo("pipe.dlm", 0600);
  mkdir("folder.dlm", 0700);
  writeSparse("sparse.dlm", off_t(1) << 30);
  CheckOutcome outcome =
      checkWhole("use nn, optim, data, pipe, folder, sparse\nlet x = pipe.y\n" + smallTrain);
  EXPECT_TRUE(
      outcome.says("error[missing-file]: `pipe.dlm` cannot be read: it is a pipe, not a file"));
  EXPECT_TRUE(outcome.says("error[missing-file]: `folder.dlm` cannot be read: it is a directory"));
  EXPECT_TRUE(
      outcome.says("error[missing-file]: `sparse.dlm` cannot be read: it is larger than 4 MiB"));
  EXPECT_FALSE(outcome.says("pipe.y"));
}

TEST(Files, AFileThatUsesItselfIsAnError) {
  TinyData data;
  std::string text = "use nn, optim, data, a\n" + smallTrain;
  data.writeText("a.dlm", text);
  EXPECT_EQ(checkWhole(text).said, R"(error[module-cycle]: the file uses itself
 --> a.dlm:1:22
  |
1 | use nn, optim, data, a
  |                      ^
)");
}

TEST(Files, FilesThatUseEachOtherAreAnError) {
  TinyData data;
  data.writeText("b.dlm", "use c\nfn f(x) { c.g(x) }\n");
  data.writeText("c.dlm", "use b\nfn g(x) { b.f(x) }\n");
  EXPECT_EQ(checkWhole("use nn, optim, data, b\n" + smallTrain).said,
            R"(error[module-cycle]: files use each other in a circle
 --> c.dlm:1:5
  |
1 | use b
  |     ^
note: the circle is `b.dlm` and `c.dlm`
help: move what both need to a file of its own, which uses neither
)");
}

TEST(Files, ALongCircleAndALongChainEnd) {
  TinyData data;
  constexpr int count = 1000;
  for (int i = 0; i < count; ++i)
    data.writeText("m" + std::to_string(i) + ".dlm",
                   "use m" + std::to_string((i + 1) % count) + "\nlet x = 1\n");
  CheckOutcome circle = checkWhole("use nn, optim, data, m0\n" + smallTrain);
  EXPECT_TRUE(circle.says("`m0.dlm`, `m1.dlm`, `m2.dlm` and `m3.dlm` and 996 more")) << circle.said;
  data.writeText("m" + std::to_string(count - 1) + ".dlm", "let x = 1\n");
  EXPECT_EQ(checkWhole("use nn, optim, data, m0\n" + smallTrain).said, "");
}

TEST(Files, AModuleReachedOnTwoWaysIsOne) {
  TinyData data;
  data.writeText("base.dlm", "fn f(x) { x }\n");
  data.writeText("left.dlm", "use base\nfn f(x) { base.f(x) }\n");
  data.writeText("right.dlm", "use base\nfn f(x) { base.f(x) }\n");
  EXPECT_EQ(
      checkWhole("use nn, optim, data, left, right\nlet x = left.f(1) + right.f(1)\n" + smallTrain)
          .said,
      "");
}

TEST(Files, AFolderThatContainsItselfEnds) {
  TinyData data;
  ASSERT_EQ(symlink(".", "d"), 0);
  std::string text = "use nn, optim, data, d.a\n" + smallTrain;
  data.writeText("a.dlm", text);
  EXPECT_EQ(checkWhole(text).firstKind(), "module-cycle");
}

TEST(Files, AnEmptyPathOfDataIsAnError) {
  TinyData data;
  CheckOutcome outcome = checkWhole("use data\ntrain t { data = data.idx(\"\") }\n");
  EXPECT_TRUE(outcome.says("error[data-source]: there is no such directory")) << outcome.said;
}

TEST(Files, ADescriptionOfDataIsReadLikeASource) {
  TinyData data;
  std::string text = "use data\nlet s = data.npy(\"s.npz\")\ntrain t { data = s }\n";
  mkfifo("s.schema.json", 0600);
  EXPECT_TRUE(checkWhole(text).says("it is a pipe, not a file"));
  unlink("s.schema.json");
  ASSERT_EQ(symlink("/dev/zero", "s.schema.json"), 0);
  EXPECT_TRUE(checkWhole(text).says("it is larger than 4 MiB"));
}

TEST(Files, BytesThatAreNoProgramAreExplained) {
  std::string nul("let x\0 = 1\n", 11), mark = "\xEF\xBB\xBF";
  CheckOptions toRun;
  toRun.purpose = Purpose::Run;
  for (const std::string &text : {std::string(), std::string("\n\n"), std::string("// nothing\n"),
                                  std::string("/// nothing"), mark, mark + "// x"})
    EXPECT_EQ(checkWhole(text, toRun).firstKind(), "no-train") << text;
  for (const auto &[text, kind] : std::initializer_list<std::pair<std::string, const char *>>{
           {nul, "syntax"},
           {"let x = \"\xFF\"\n", "encoding"},
           {"\xC3", "encoding"},
           {"let x = \"\xED\xA0\x80\"\n", "encoding"}})
    EXPECT_EQ(checkWhole(text).firstKind(), kind) << text;
}

} // namespace dlm::sema
