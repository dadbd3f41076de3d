// Status, Expected, clocks, whole files and fresh ones.
#include "runtime/base/Clock.h"
#include "runtime/base/DType.h"
#include "runtime/base/FileBytes.h"
#include "runtime/base/FreshFile.h"

#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace dlm;

TEST(Status, GathersContextOnTheWayUp) {
  Status status = notFound("no key `a`").withContext("reading step 3").withContext("resume");
  EXPECT_FALSE(status.isOk());
  EXPECT_EQ(status.code(), Code::NotFound);
  EXPECT_EQ(status.message(), "resume: reading step 3: no key `a`");
  EXPECT_NE(status.origin().find("BaseTest.cpp:"), std::string::npos);
}

TEST(Status, OkStaysOkUnderContext) {
  EXPECT_TRUE(Status::ok().withContext("anything").isOk());
  EXPECT_EQ(Status::ok().message(), "");
}

TEST(Status, FullDiskHasItsOwnCode) {
  EXPECT_EQ(systemError("write", ENOSPC).code(), Code::NoSpace);
  EXPECT_EQ(systemError("open", ENOENT).code(), Code::NotFound);
  EXPECT_EQ(systemError("read", EIO).code(), Code::Io);
}

TEST(Expected, HoldsAValueOrAFailure) {
  Expected<std::string> value = std::string("x");
  ASSERT_TRUE(value);
  EXPECT_EQ(value->size(), 1u);
  Expected<std::string> failure = corrupt("no");
  EXPECT_FALSE(failure);
  EXPECT_EQ(failure.status().message(), "no");
}

TEST(Expected, UsingTheValueOfAFailureEndsTheProcess) {
  Expected<int> failure = corrupt("no");
  EXPECT_DEATH((void)*failure, "value of a failed Expected");
}

TEST(DType, NamesRoundTrip) {
  for (unsigned i = 0; i < 8; ++i) {
    DType dtype;
    ASSERT_TRUE(dtypeFromName(dtypeName(DType(i)), dtype));
    EXPECT_EQ(unsigned(dtype), i);
  }
  DType dtype;
  EXPECT_FALSE(dtypeFromName("F8", dtype));
}

TEST(Clock, SleepsUntilTheDeadline) {
  Clock &clock = systemClock();
  int64_t deadline = clock.monotonicNs() + 1000000;
  clock.sleepUntil(deadline);
  EXPECT_GE(clock.monotonicNs(), deadline);
  EXPECT_GT(clock.wallNs(), int64_t(1600000000) * 1000000000);
}

std::string textOf(const std::string &path) {
  Expected<std::vector<uint8_t>> bytes = readFileBytes(path);
  return bytes ? std::string(bytes->begin(), bytes->end()) : bytes.status().message();
}

class FreshFiles : public testing::Test {
protected:
  void SetUp() override {
    std::filesystem::create_directories(folder / "in");
    std::ofstream(folder / "in/old") << "old";
    std::filesystem::permissions(folder / "in/old", std::filesystem::perms(0640));
    std::filesystem::create_symlink("in/old", folder / "link");
    std::filesystem::create_symlink("link", folder / "second");
    std::filesystem::create_symlink("in/none", folder / "dangling");
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  Status write(const std::string &name, const std::string &text) {
    Expected<FreshFile> fresh = FreshFile::create(folder / name);
    if (!fresh) return fresh.status();
    std::fputs(text.c_str(), fresh->stream());
    return fresh->finish();
  }
  size_t fileCount() {
    using Iterator = std::filesystem::recursive_directory_iterator;
    return size_t(std::distance(Iterator(folder), Iterator()));
  }

  std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("dlm-fresh-" + std::to_string(getpid()));
};

TEST_F(FreshFiles, TakeTheirPlaceWhenTheyAreWhole) {
  {
    Expected<FreshFile> fresh = FreshFile::create(folder / "in/old");
    ASSERT_TRUE(fresh.isOk()) << fresh.status().message();
    std::fputs("half", fresh->stream());
    EXPECT_EQ(textOf(folder / "in/old"), "old");
  } // nobody finishes it
  EXPECT_EQ(textOf(folder / "in/old"), "old");
  EXPECT_EQ(fileCount(), 5u);
  ASSERT_TRUE(write("in/old", "new").isOk());
  EXPECT_EQ(textOf(folder / "in/old"), "new");
  EXPECT_EQ(std::filesystem::status(folder / "in/old").permissions(), std::filesystem::perms(0640));
  EXPECT_TRUE(write("in/" + std::string(250, 'n'), "long").isOk());
  EXPECT_EQ(fileCount(), 6u);
}

TEST_F(FreshFiles, AreWrittenThroughLinks) {
  ASSERT_TRUE(write("second", "linked").isOk());
  EXPECT_EQ(textOf(folder / "in/old"), "linked");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "second"));
  ASSERT_TRUE(write("dangling", "there").isOk());
  EXPECT_EQ(textOf(folder / "in/none"), "there");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "dangling"));
}

TEST_F(FreshFiles, SayWhatIsInTheWay) {
  EXPECT_EQ(write("in", "x").message(),
            "cannot write `" + (folder / "in").string() + "`: it is a folder; name a file in it");
  EXPECT_EQ(write("none/x", "x").message(),
            "cannot write `" + (folder / "none/x").string() + "`: No such file or directory");
  std::filesystem::create_symlink("/dev/full", folder / "full");
  EXPECT_EQ(write("full", "x").message(),
            "cannot write `" + (folder / "full").string() + "`: No space left on device");
  std::filesystem::create_symlink("/dev/stderr", folder / "stream");
  EXPECT_EQ(write("stream", "").message(), "");
}

TEST_F(FreshFiles, ALinkThatLeadsToItselfStays) {
  std::filesystem::create_symlink("self", folder / "self");
  EXPECT_EQ(write("self", "x").message(),
            "cannot write `" + (folder / "self").string() + "`: Too many levels of symbolic links");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "self"));
  EXPECT_EQ(fileCount(), 6u);
}

TEST_F(FreshFiles, APipeIsWrittenIfSomebodyReadsIt) {
  std::string pipe = folder / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::string nobody = "`" + pipe + "`: it is a pipe that nobody reads; start its reader first";
  EXPECT_EQ(write("pipe", "x").message(), "cannot write " + nobody);
  EXPECT_EQ(writeFileBytes(pipe, {1}).message(), "cannot create " + nobody);
  EXPECT_EQ(readFileBytes(pipe).status().message(),
            "cannot read `" + pipe + "`: it is a pipe, not a file");
  int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  EXPECT_EQ(write("pipe", "abc").message(), "");
  char got[4] = {};
  EXPECT_EQ(::read(reader, got, sizeof got), 3);
  EXPECT_STREQ(got, "abc");
  ::close(reader);
}

TEST(FileBytes, RoundTripsAndNamesTheMissingFile) {
  std::string path = testing::TempDir() + "dlm-file-bytes";
  std::vector<uint8_t> bytes{1, 2, 0, 255};
  ASSERT_TRUE(writeFileBytes(path, bytes).isOk());
  Expected<std::vector<uint8_t>> back = readFileBytes(path);
  ASSERT_TRUE(back);
  EXPECT_EQ(*back, bytes);
  Status missing = readFileBytes(path + "-not").status();
  EXPECT_EQ(missing.code(), Code::NotFound);
  EXPECT_NE(missing.message().find("dlm-file-bytes-not"), std::string::npos);
  EXPECT_FALSE(readFileBytes(testing::TempDir()));
}
